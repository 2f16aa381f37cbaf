// Lint rules of this project, for what the layer rules cannot see in imports.

const alternatives = {
  "Date.now": "take the time from the workspace's clock",
  "Math.random": "take a seeded generator as a parameter",
  "process.env": "take the environment from the workspace",
  "process.exit": "return a status; only src/cli/exit.ts ends the process",
  "process.cwd": "take the directory from the workspace",
};

function nameOf(node) {
  if (node.object.type !== "Identifier" || node.computed) return "";
  return `${node.object.name}.${node.property.name}`;
}

/** Time, randomness and the environment are parameters, so that results are deterministic and testable. */
const noHiddenInput = {
  create: (context) => ({
    MemberExpression(node) {
      const instead = alternatives[nameOf(node)];
      if (instead) context.report({ node, message: `${nameOf(node)} outside workspace and cli: ${instead}` });
    },
    NewExpression(node) {
      if (node.callee.name === "Date" && node.arguments.length === 0) {
        context.report({
          node,
          message: "new Date() outside workspace and cli: take the time from the workspace's clock",
        });
      }
    },
  }),
};

const noExit = {
  create: (context) => ({
    MemberExpression(node) {
      if (nameOf(node) === "process.exit")
        context.report({ node, message: `process.exit: ${alternatives["process.exit"]}` });
    },
  }),
};

/** Programs are started with an argument list, because a shell allows injection. */
const noShell = {
  create: (context) => ({
    Property(node) {
      const on = node.value.type !== "Literal" || node.value.value !== false;
      if ((node.key.name ?? node.key.value) === "shell" && on && node.value.type === "Literal") {
        context.report({ node, message: "shell option: start the program with an argument list instead" });
      }
    },
    ImportSpecifier(node) {
      const from = node.parent.source.value;
      if (/^(node:)?child_process$/.test(from) && /^exec(Sync)?$/.test(node.imported.name)) {
        context.report({
          node,
          message: `${node.imported.name} runs a shell: use spawn or execFile with an argument list`,
        });
      }
    },
  }),
};

/** A name is imported from the file that defines it. */
const noReexport = {
  create: (context) => {
    const report = (node) =>
      node.source && context.report({ node, message: "re-export: import from where the thing is defined" });
    return { ExportAllDeclaration: report, ExportNamedDeclaration: report };
  },
};

export default {
  meta: { name: "perfkeep" },
  rules: { "no-hidden-input": noHiddenInput, "no-exit": noExit, "no-shell": noShell, "no-reexport": noReexport },
};
