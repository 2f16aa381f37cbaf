import type { LazyVerb, OptionSpec, Verb } from "./verb.ts";

/** `--help` of a verb shows at most this many options, `--help` itself included. */
export const maxShownOptions = 25;

/** The start of an example; indented lines after it belong to it. */
const example = /^(?:\s|Examples?:)/;

/** A line of its own, such as `Statistics: …`. */
const labelled = /^[A-Z][\w ]{1,24}: /;

/** Source lines wrap near this width; a shorter line that ends a sentence ends the paragraph. */
const shortLine = 100;

/** Reflows prose to `width`. Examples keep their lines: a wrapped command cannot be copied. */
export function helpText(text: string, width: number): string {
  return text
    .split(/\n{2,}/)
    .map((paragraph) =>
      unwrap(paragraph.split("\n"))
        .map((line) => (example.test(line) ? line : wrap(line, width)))
        .join("\n"),
    )
    .join("\n\n");
}

/** Joins lines of prose; examples, labelled lines and ends of paragraphs stay separate. */
function unwrap(lines: readonly string[]): string[] {
  const joined: string[] = [];
  let last = "";
  for (const line of lines) {
    const previous = joined.at(-1);
    const isEnd = /[.:;]$/.test(last) && last.length < shortLine;
    if (previous === undefined || example.test(line) || example.test(previous) || labelled.test(line) || isEnd)
      joined.push(line);
    else joined[joined.length - 1] = `${previous} ${line}`;
    last = line;
  }
  return joined;
}

function wrap(line: string, width: number): string {
  const rows: string[] = [];
  for (const word of line.split(" ")) {
    const row = rows.at(-1);
    if (row === undefined || row.length + 1 + word.length > width) rows.push(word);
    else rows[rows.length - 1] = `${row} ${word}`;
  }
  return rows.join("\n");
}

/** Summary, details and examples of a verb. */
export function descriptionOf({ summary, details, examples = [] }: Verb): string {
  const lines = examples.map((line, at) => `${at === 0 ? "Examples: " : "          "}${line}`).join("\n");
  return [summary, details ?? "", lines].filter((part) => part !== "").join("\n\n");
}

/**
 * The options that `--help` without `--all` shows: all if there are few, else those that are not marked as advanced.
 * Options of plug-ins carry no marks, so the first ones are shown.
 */
export function shownOptions(options: readonly OptionSpec[]): readonly OptionSpec[] {
  const most = maxShownOptions - 1;
  if (options.length <= most) return options;
  return options.filter(({ advanced }) => advanced !== true).slice(0, most);
}

/** A line with the command that lists the hidden options; empty if all are shown. */
export function moreOptions(hidden: number, command: string): string {
  return hidden === 0 ? "" : `\n${hidden} more option${hidden === 1 ? "" : "s"}: ${command} --help --all`;
}

/** The overview of a program: verbs by group, in the order of the list. */
export function overview(program: string, version: string, list: readonly LazyVerb[]): string {
  const verbs = list.filter(({ isHidden }) => !isHidden);
  const width = Math.max(...verbs.map((verb) => verb.name.length)) + 2;
  const groups = [...new Set(verbs.map((verb) => verb.group))];
  const lines = groups.flatMap((group) => [
    "",
    `${group}:`,
    ...verbs.filter((verb) => verb.group === group).map((verb) => `  ${verb.name.padEnd(width)}${verb.summary}`),
  ]);
  return [
    `${program} ${version}: track performance over a project's history`,
    "",
    `Usage: ${program} <verb> [options]`,
    ...lines,
    "",
    `Run '${program} <verb> --help' for the options of a verb.`,
    "",
  ].join("\n");
}
