// Writes the manual pages, perfkeep.1 and one for each verb, from the tables of the command line parser, into man/ or
// the given folder.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { root } from "./prepare.mjs";

/** The verbs and options of the program, with its version. */
async function tables() {
  const entry = [
    `export { verbs } from "./src/cli/verbs.ts";`,
    `export { optionsOf } from "./src/cli/parse.ts";`,
    `export { openRegistry } from "./src/workspace/plugins/registry.ts";`,
    `export { version } from "./src/cli/version.ts";`,
  ].join("\n");
  const bundle = join(root, ".cache", `man-${process.pid}.mjs`);
  const banner = {
    js: `import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);`,
  };
  const stdin = { contents: entry, resolveDir: root, loader: "ts" };
  const settings = {
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    external: ["*.node"],
    logLevel: "error",
  };
  try {
    await build({ stdin, banner, outfile: bundle, ...settings });
    return await import(pathToFileURL(bundle).href);
  } finally {
    rmSync(bundle, { force: true });
  }
}

/** Escapes a text for roff. */
function roff(text) {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("`", "\\(ga")
    .replaceAll("^", "\\(ha")
    .replaceAll("~", "\\(ti")
    .replaceAll(/^(?=[.'])/gm, "\\&")
    .replaceAll(
      /[^\0-\x7f]/gu,
      (character) => `\\[u${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}]`,
    );
}

/** The parts of `details`: prose, preformatted examples and exit statuses. */
function sections(verb) {
  const found = { prose: [], examples: [...(verb.examples ?? [])], status: [] };
  let into = "prose";
  for (const line of (verb.details ?? "").split("\n")) {
    const example = /^Examples?:(?: (.*))?$/.exec(line);
    const status = /^Exit status: (.*)$/.exec(line);
    if (example) into = "examples";
    else if (status) into = "status";
    else if (line.trim() === "" || (into === "examples" && !line.startsWith(" "))) into = "prose";
    found[into].push(
      (example ? (example[1] ?? "") : undefined) ?? status?.[1] ?? (into === "examples" ? line.trim() : line),
    );
  }
  return found;
}

function optionLines(options) {
  return options.flatMap(({ flags, synopsis, choices, default: otherwise }) => {
    const among = choices ? ` One of: ${choices.join(", ")}.` : "";
    const defaultText = otherwise === undefined ? "" : ` Default: ${otherwise}.`;
    return [".TP", `.B ${roff(flags)}`, roff(`${synopsis}${synopsis.endsWith(".") ? "" : "."}${among}${defaultText}`)];
  });
}

/** The verb if it can be run, and its subverbs. */
function leavesOf(verb, path) {
  const below = (verb.subverbs ?? []).flatMap((sub) => leavesOf(sub, `${path} ${sub.name}`));
  return verb.run ? [{ verb, path }, ...below] : below;
}

function paragraphs(lines) {
  return lines
    .join("\n")
    .trim()
    .split(/\n{2,}/)
    .filter(Boolean)
    .flatMap((text) => [".PP", ...text.split("\n").map(roff)]);
}

function exampleLines(examples) {
  return examples.length === 0 ? [] : [".nf", ...examples.filter(Boolean).map(roff), ".fi"];
}

function pageOf(verb, { optionsOf, version }) {
  const leaves = leavesOf(verb, `perfkeep ${verb.name}`);
  const own = sections(verb);
  const lines = [
    `.TH PERFKEEP\\-${roff(verb.name.toUpperCase())} 1 "" "perfkeep ${roff(version)}"`,
    ".SH NAME",
    `perfkeep\\-${roff(verb.name)} \\- ${roff(verb.summary)}`,
    ".SH SYNOPSIS",
    ...leaves.flatMap(({ verb: leaf, path }, at) => {
      const operands = (leaf.operands ?? []).map(({ name }) => ` ${roff(name)}`).join("");
      return [...(at > 0 ? [".br"] : []), `.B ${roff(path)}`, `[options]${operands}`];
    }),
    ".SH DESCRIPTION",
    roff(`${verb.summary[0].toUpperCase()}${verb.summary.slice(1)}.`),
    ...paragraphs(own.prose),
  ];
  if (leaves.length === 1 && leaves[0].verb === verb) lines.push(...operandsAndOptions(verb, optionsOf));
  else for (const { verb: leaf, path } of leaves) lines.push(...subverbLines(leaf, path, optionsOf));
  if (own.examples.length > 0) lines.push(".SH EXAMPLES", ...exampleLines(own.examples));
  lines.push(".SH EXIT STATUS", ...(own.status.length > 0 ? own.status.map(roff) : [roff(defaultStatus)]));
  lines.push(".SH SEE ALSO", ".BR perfkeep (1)");
  return `${lines.join("\n")}\n`;
}

const defaultStatus = [
  "0 success",
  "1 a regression, damage or difference was found",
  "2 invalid command line",
  "3 inconclusive",
  "4 bad input",
  "5 nothing matched",
  "70 a bug in perfkeep",
  "77 not trusted",
  "130 interrupted.",
].join("; ");

function operandsAndOptions(verb, optionsOf) {
  const operands = (verb.operands ?? []).flatMap(({ name, synopsis }) => [
    ".TP",
    `.I ${roff(name)}`,
    roff(`${synopsis}.`),
  ]);
  return [".SH OPTIONS", ...operands, ...optionLines(optionsOf(verb))];
}

function subverbLines(verb, path, optionsOf) {
  const own = sections(verb);
  const operands = (verb.operands ?? []).flatMap(({ name, synopsis }) => [
    ".TP",
    `.I ${roff(name)}`,
    roff(`${synopsis}.`),
  ]);
  const status = own.status.length > 0 ? [".PP", roff(`Exit status: ${own.status.join(" ")}`)] : [];
  const examples = own.examples.length > 0 ? [".PP", "Examples:", ...exampleLines(own.examples)] : [];
  return [
    `.SH ${roff(path.replace(/^perfkeep /, "").toUpperCase())}`,
    roff(`${verb.summary}.`),
    ...paragraphs(own.prose),
    ...operands,
    ...optionLines(optionsOf(verb)),
    ...status,
    ...examples,
  ];
}

function overview(verbs, version) {
  const groups = [...new Set(verbs.map(({ group }) => group))];
  const lines = [
    `.TH PERFKEEP 1 "" "perfkeep ${roff(version)}"`,
    ".SH NAME",
    "perfkeep \\- track the performance of a project over its commit history",
    ".SH SYNOPSIS",
    ".B perfkeep",
    "verb [options]",
    ".SH DESCRIPTION",
    "Stores profiles per commit and benchmark results as experiments that can be queried, and reports what got " +
      "slower, since which commit, and with what confidence.",
    ...groups.flatMap((group) => [
      `.SH ${group.toUpperCase()}`,
      ...verbs
        .filter((verb) => verb.group === group)
        .flatMap(({ name, summary }) => [".TP", `.BR perfkeep\\-${roff(name)} (1)`, roff(`${summary}.`)]),
    ]),
    ".SH EXIT STATUS",
    roff(defaultStatus),
  ];
  return `${lines.join("\n")}\n`;
}

/** Writes all pages, after removing existing ones. */
export async function writeManPages(folder) {
  const { verbs, ...rest } = await tables();
  const session = { workspace: { registry: rest.openRegistry() } };
  const shown = verbs.filter(({ isHidden }) => !isHidden);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (/^perfkeep(?:-[a-z-]+)?\.1$/.test(name)) rmSync(join(folder, name));
  writeFileSync(join(folder, "perfkeep.1"), overview(shown, rest.version));
  for (const lazy of shown)
    writeFileSync(join(folder, `perfkeep-${lazy.name}.1`), pageOf(await lazy.load(session, []), rest));
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await writeManPages(resolve(process.argv[2] ?? join(root, "man")));
