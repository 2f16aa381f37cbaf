// The house's own lint rules: what the layers cannot see in imports.

const reachedFor = {
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

/** Time, chance and the environment are handed in, so that a result is the same on every machine and testable. */
const noHiddenInput = {
  create: (context) => ({
    MemberExpression(node) {
      const instead = reachedFor[nameOf(node)];
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
        context.report({ node, message: `process.exit: ${reachedFor["process.exit"]}` });
    },
  }),
};

/** A command line for a shell is an invitation to injection: programs are started with an argument list. */
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

/** A name has one home: whoever needs it imports it from there. */
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
