// Checks the package as published: entries, declarations and files; that strict TypeScript can use it; that plug-in
// skeletons pass the contract suites of the package; and that the examples of docs/library.md work.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { root, sourcesDigest } from "./prepare.mjs";

function check(what, command, args, cwd) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status === 0) return;
  console.log(`${what}:\n${stdout}${stderr}`);
  process.exit(1);
}

/** Compiles and runs user code against the built package. */
function checkAsUser() {
  const folder = mkdtempSync(join(tmpdir(), "perfkeep-user-"));
  try {
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(root, join(folder, "node_modules/perfkeep"));
    writeFileSync(join(folder, "package.json"), `{ "type": "module" }`);
    writeFileSync(
      join(folder, "user.ts"),
      [
        `import * as perfkeep from "perfkeep";`,
        `import { checkerContract, type CollectorCase } from "perfkeep/contracts";`,
        `import { pluginKit, type PluginKit } from "perfkeep/plugin";`,
        `export const names: string[] = Object.keys(perfkeep);`,
        `export const kit: PluginKit = pluginKit;`,
        `export const suite: (checker: perfkeep.Checker) => void = checkerContract;`,
        `export type Case = CollectorCase;`,
      ].join("\n"),
    );
    writeFileSync(
      join(folder, "user.mjs"),
      [
        `import { createRequire } from "node:module";`,
        `import { Failure } from "perfkeep";`,
        `const schema = createRequire(import.meta.url)("perfkeep/schemas/verdicts-2.schema.json");`,
        `if (typeof Failure !== "function" || schema.type !== "object") process.exit(1);\n`,
      ].join("\n"),
    );
    const compiler = join(root, "node_modules/typescript-native/bin/tsc");
    const options = [
      "--strict",
      "--noEmit",
      "--skipLibCheck",
      "false",
      "--module",
      "nodenext",
      "--target",
      "es2023",
      "--types",
      "node",
    ];
    const typeRoots = ["--typeRoots", join(root, "node_modules/@types")];
    check("the declarations do not compile", process.execPath, [compiler, ...options, ...typeRoots, "user.ts"], folder);
    check("the library does not load", process.execPath, ["user.mjs"], folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Plug-in purposes with the names of their examples in docs/plugins.md. */
const purposes = {
  collect: "peak",
  generate: "sorted-files",
  import: "lap-times",
  read: "call-tree",
  postprocess: "quartiles",
  check: "by-median",
  detect: "greatest-step",
  view: "timeline",
  render: "asciidoc",
  vcs: "git-with-settings",
};

function phases(purpose) {
  return purpose === "collect" ? ["before", "after", "teardown"].map((phase) => `--phase=${phase}`) : [];
}

/** Follows the steps that `perfkeep utils create` prints. */
function checkSkeletons(language) {
  const folder = mkdtempSync(join(tmpdir(), "perfkeep-plugins-"));
  const node = (what, script, ...args) =>
    check(`plug-ins in ${language}: ${what}`, process.execPath, [join(root, script), ...args], folder);
  const environment = { HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder, GIT_CONFIG_NOSYSTEM: "1" };
  Object.assign(process.env, environment);
  try {
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(root, join(folder, "node_modules/perfkeep"));
    for (const name of ["vitest", "@types"])
      symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
    node("init fails", "dist/cli.js", "init");
    for (const [purpose, name] of Object.entries(purposes)) {
      node(
        `the skeleton of ${name} is not written`,
        "dist/cli.js",
        "utils",
        "create",
        purpose,
        name,
        "--language",
        language,
        ...phases(purpose),
      );
    }
    const compiler = "node_modules/typescript-native/bin/tsc";
    if (language === "typescript") node("they do not compile", compiler, "-p", "plugins");
    else node("their types are wrong", compiler, "-p", typesOfJavaScript(folder));
    // The complete suite of version control takes half a minute, and git passes it elsewhere.
    const chosen = "^(?!version control contract)|knows its root|walks all ancestors|keeps trees of several";
    const contracts = ["node_modules/vitest/vitest.mjs", "run", "plugins", "-t", chosen];
    node("a contract is broken", ...contracts);
    node("they do not load", "dist/cli.js", "utils", "plugins");
    if (language === "typescript") return;
    for (const [name, text] of examples()) writeFileSync(join(folder, "plugins", `${name}.mjs`), text);
    node("types of docs/plugins.md are wrong", compiler, "-p", "types.json");
    node("an example of docs/plugins.md breaks its contract", ...contracts);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The examples of docs/plugins.md, one for each purpose. */
function examples() {
  const page = readFileSync(join(root, "docs/plugins.md"), "utf8");
  const found = [...page.matchAll(/^```js\n[/][/] plugins[/](\S+)[.]mjs\n(.*?)^```$/gms)].map(([, name, text]) => [
    name,
    text,
  ]);
  const missing = Object.values(purposes).filter((name) => !found.some(([own]) => own === name));
  if (missing.length === 0) return found;
  console.log(`docs/plugins.md has no example named ${missing.join(", ")}`);
  return process.exit(1);
}

/** Writes a configuration that type-checks JavaScript modules with JSDoc types, as editors do. */
function typesOfJavaScript(folder) {
  const compilerOptions = {
    types: ["node"],
    allowJs: true,
    checkJs: true,
    noEmit: true,
    strict: true,
    module: "nodenext",
    target: "es2023",
    skipLibCheck: true,
  };
  writeFileSync(join(folder, "types.json"), JSON.stringify({ compilerOptions, include: ["plugins/*.mjs"] }));
  return "types.json";
}

async function checkManifest() {
  const { messages, pkg } = await publint({ pkgDir: root, strict: true, pack: "npm" });
  for (const message of messages) console.log(`publint: ${formatMessage(message, pkg)}`);
  if (messages.length > 0) process.exit(1);
}

const stamp = join(root, "lib/.sources");
const current = existsSync(stamp) && readFileSync(stamp, "utf8") === sourcesDigest();
if (!current) check("the build fails", process.execPath, [join(root, "scripts/build.mjs")], root);
checkAsUser();
check(
  "an example of docs/library.md fails",
  process.execPath,
  [join(root, "node_modules/vitest/vitest.mjs"), "run", "--project", "library"],
  root,
);
for (const language of ["javascript", "typescript"]) checkSkeletons(language);
await checkManifest();
