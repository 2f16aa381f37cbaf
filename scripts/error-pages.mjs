// Writes docs/errors.md from the catalogue of failures; `--check` only reports whether it is current.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "./prepare.mjs";

const page = join(root, "docs/errors.md");

/** The catalogue of the sources, without building the program. */
async function catalogue() {
  const entry = [
    `export { catalogue } from "./src/core/failures/catalogue.ts";`,
    `export { exitStatus } from "./src/core/failures/kind.ts";`,
  ].join("\n");
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: root, loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    logLevel: "error",
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

/** Data of a message in which each value is its name in angle brackets. */
function placeholders() {
  return new Proxy({}, { get: (_, name) => `<${String(name)}>` });
}

function cell(text) {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("\n", " ");
}

function row([code, kind], exitStatus) {
  const data = placeholders();
  return `| \`${code}\` | ${exitStatus[kind.exit]} | ${cell(kind.message(data))} | ${cell(kind.remedy(data))} |`;
}

const meanings = {
  fine: "success",
  found: "a regression, damage or difference was found",
  usage: "the command line is invalid",
  inconclusive: "no baseline, or too little data",
  badInput: "input data or a description is wrong",
  nothingMatched: "nothing matched",
  bug: "a bug in perfkeep",
  host: "an environment error: disk full, no permission, a missing tool, a held lock",
  untrusted: "commands of this repository are not trusted yet",
  interrupted: "interrupted",
};

function render({ catalogue: kinds, exitStatus }) {
  const codes = Object.entries(kinds).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    "# Errors",
    "",
    "An error is one line on stderr: what happened, to which value, where; then what to do next and a stable code.",
    "With `--format json` stderr is one JSON object with `code`, `message`, `remedy`, `exit` and `data`.",
    "`npm run errors` generates this page from the catalogue in `src/core/failures/`.",
    "",
    "## Exit status",
    "",
    "| status | meaning |",
    "|---|---|",
    ...Object.entries(exitStatus).map(([name, status]) => `| ${status} | ${meanings[name]} |`),
    "",
    "## Codes",
    "",
    "| code | exit | message | what to do |",
    "|---|---|---|---|",
    ...codes.map((entry) => row(entry, exitStatus)),
    "",
  ].join("\n");
}

const text = render(await catalogue());
if (!process.argv.includes("--check")) writeFileSync(page, text);
else if (readFileSync(page, "utf8") !== text) {
  console.log("docs/errors.md is out of date: run npm run errors");
  process.exit(1);
}
