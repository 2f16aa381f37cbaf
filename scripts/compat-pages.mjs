// Writes the tables of commands into docs/perun.md and docs/perfbase.md from the data in scripts/compat/.
//
// A command has `options` that work, each as its spellings separated by blanks, `examples` in which each of them
// occurs, and `refused` options, each with the reason that the program prints and an example. `needs`: tools without
// which its examples fail. test/cli/compat-tables.test.ts runs every example.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./prepare.mjs";

export const compatPrograms = ["perun", "perfbase"];

export function compatCommands(program) {
  return JSON.parse(readFileSync(join(root, "scripts/compat", `${program}.json`), "utf8"));
}

const [begin, end] = ["<!-- npm run compat -->", "<!-- end of npm run compat -->"];

function spelled(spellings) {
  return spellings
    .split(" ")
    .map((word) => (word.startsWith("-") ? `\`${word}\`` : word))
    .join(" ");
}

function refusal([spellings, reason]) {
  return `${spellings === "" ? "the command" : spelled(spellings)}: ${reason}`;
}

/** One row for each command. */
function table(program) {
  const rows = compatCommands(program).map(({ command, options, refused = [], examples }) => {
    const answer = examples.length === 0 ? "refused" : "yes";
    const cells = [`\`${command}\``, answer, options.map(spelled).join(", "), refused.map(refusal).join("; ")];
    return `| ${cells.join(" | ")} |`;
  });
  return ["| command | works | options that work | refused, and why |", "|---|---|---|---|", ...rows].join("\n");
}

/** The page with its current table. */
export function compatPage(program) {
  const text = readFileSync(pageOf(program), "utf8");
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${pageOf(program)} has no markers of the table`);
  return `${text.slice(0, from + begin.length)}\n\n${table(program)}\n\n${text.slice(to)}`;
}

export function pageOf(program) {
  return join(root, "docs", `${program}.md`);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const program of compatPrograms) writeFileSync(pageOf(program), compatPage(program));
