// Writes the tables of commands into docs/perun.md and docs/perfbase.md from compat-commands.mjs.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as commands from "./compat-commands.mjs";
import { root } from "./prepare.mjs";

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
  const rows = commands[program].map(({ command, options, refused = [], examples }) => {
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
  if (from < 0 || to < from) throw new Error(`${pageOf(program)} has no place for the table`);
  return `${text.slice(0, from + begin.length)}\n\n${table(program)}\n\n${text.slice(to)}`;
}

export function pageOf(program) {
  return join(root, "docs", `${program}.md`);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const program of Object.keys(commands)) writeFileSync(pageOf(program), compatPage(program));
