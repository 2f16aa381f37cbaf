import { groupBy } from "../../core/values/index.ts";
import type { ColumnDraft, MatrixDraft, RuleDraft } from "./drafts.ts";
import { isRuleLine } from "./headings.ts";
import { unitOfHeading } from "./number-names.ts";
import { numberOf, unitNamed, wordsOf } from "./numbers.ts";
import type { Cell, SampleLine } from "./sample.ts";
import { headingMark } from "./tables.ts";

/** Lines of a label and cells, below a line of numbers that are their headings. */
export interface MatrixBlock {
  /** Index of the title in the lines; that of the headings, if there is none. */
  readonly title: number;
  readonly heading: number;
  /** Indices of the lines of cells: from, and up to but without `end`. */
  readonly from: number;
  readonly end: number;
}

const mostAboveHeading = 3;

/** Finds matrices such as latencies by node and node. */
export function matricesIn(lines: readonly SampleLine[]): MatrixBlock[] {
  const blocks: MatrixBlock[] = [];
  for (let at = 0; at < lines.length; at++) {
    const block = matrixAt(lines, at, blocks.at(-1));
    if (!block) continue;
    blocks.push(block);
    at = block.end - 1;
  }
  return blocks;
}

function matrixAt(
  lines: readonly SampleLine[],
  heading: number,
  before: MatrixBlock | undefined,
): MatrixBlock | undefined {
  const { label, numbers } = headingsOf(lines[heading]!);
  if (numbers.length < 2 || !ascends(numbers)) return undefined;
  const from = isRuleLine(lines[heading + 1]?.text ?? "x") ? heading + 2 : heading + 1;
  let end = from;
  while (isRow(lines[end], numbers.length) && lines[end]?.sample === lines[heading]?.sample) end += 1;
  const rows = lines.slice(from, end).map(({ text }) => wordsOf(text).map((word) => word.text));
  const labels = rows.map(([first = ""]) => first);
  const isCrossed = /[\\/]/.test(label);
  if (rows.length < 2 || (!isCrossed && !ascends(labels))) return undefined;
  if (!isCrossed && !rows.some((row) => row.slice(1).some((text) => text.includes(".")))) return undefined;
  return { title: titleAbove(lines, heading, label, before), heading, from, end };
}

/** The text of a line of headings, and the numbers after it. */
function headingsOf({ text }: SampleLine): { readonly label: string; readonly numbers: readonly string[] } {
  const words = wordsOf(text).map((word) => word.text);
  const first = words.findIndex((word) => /^\d+$/.test(word));
  const numbers = first < 0 ? [] : words.slice(first);
  return { label: words.slice(0, Math.max(first, 0)).join(" "), numbers };
}

/** True for integers that ascend: `0 1 2`, `1 2 4`. */
function ascends(texts: readonly string[]): boolean {
  return texts.every((text, at) => /^\d+$/.test(text) && (at === 0 || Number(text) > Number(texts[at - 1])));
}

function isRow(line: SampleLine | undefined, count: number): boolean {
  const words = wordsOf(line?.text ?? "").slice(1);
  return words.length === count && words.every(({ text }) => numberOf(text) !== undefined);
}

/** The line above the headings, or above the matrix before; not one that has numbers or only repeats their label. */
function titleAbove(
  lines: readonly SampleLine[],
  heading: number,
  label: string,
  before: MatrixBlock | undefined,
): number {
  for (let at = heading - 1; at >= 0 && heading - at <= mostAboveHeading; at--) {
    const { text, sample, numbers } = lines[at]!;
    if (sample !== lines[heading]?.sample) break;
    if (before && at < before.end) return before.title;
    if (isRuleLine(text) || numbers.length > 0 || label.startsWith(text.trim())) continue;
    return /\p{L}{3}/u.test(text) ? at : heading;
  }
  return heading;
}

/** A rule for the matrices below equal headings; with different titles, a table for each. */
export function matrixRules(lines: readonly SampleLine[], blocks: readonly MatrixBlock[]): RuleDraft[] {
  const textAt = (at: number): string => lines[at]!.text.trim();
  const same = groupBy(blocks, ({ heading }) => textAt(heading).replaceAll(/\s+/g, " "));
  const texts = [...same.values()].map(([block]) => textAt(block!.heading));
  return [...same.values()].flatMap((group): RuleDraft[] => {
    const titles = groupBy(group, ({ title }) => textAt(title));
    if (titles.size === 1) return [matrixDraft(lines, group, texts)];
    return [...titles].map(([title, own]) => wideTable(lines, own, [...titles.keys()], title));
  });
}

function matrixDraft(
  lines: readonly SampleLine[],
  group: readonly MatrixBlock[],
  texts: readonly string[],
): MatrixDraft {
  const [{ title, heading, from }] = group as [MatrixBlock];
  const { label, numbers } = headingsOf(lines[heading]!);
  const [down = "", across = ""] = label.split(/[\\/]/).map((each) => each.trim());
  const cells = (pick: (words: readonly string[]) => readonly string[]): Cell[] =>
    group.flatMap((block) =>
      lines.slice(block.from, block.end).flatMap(({ sample, line, text }) => {
        const words = wordsOf(text).map((word) => numberOf(word.text)?.text ?? word.text);
        return pick(words).map((each) => ({ sample, line, text: each }));
      }),
    );
  const labels = cells(([first = ""]) => numbers.map(() => first));
  const above = group.flatMap(({ heading: at }) => numbers.map((text) => ({ ...cellAt(lines[at]!), text })));
  const isNumber = labels.every(({ text }) => numberOf(text) !== undefined);
  return {
    kind: "matrix",
    mark: headingMark(lines[heading]!.text.trim(), texts, lines, group),
    start: from - heading,
    cell: {
      heading: title === heading ? "value" : titleOf(lines[title]!),
      type: "number",
      position: 1,
      cells: cells((words) => words.slice(1)),
      ...unitBelow(lines, group[0]!),
    },
    across: { heading: across || "column", type: "number", position: 1, cells: above },
    down: { heading: down || "row", type: isNumber ? "number" : "text", position: 1, cells: labels },
  };
}

function cellAt({ sample, line }: SampleLine): Omit<Cell, "text"> {
  return { sample, line };
}

/** A table of the lines below a title, with a column for each heading. */
function wideTable(
  lines: readonly SampleLine[],
  group: readonly MatrixBlock[],
  titles: readonly string[],
  title: string,
): RuleDraft {
  const [first] = group as [MatrixBlock];
  const { label, numbers } = headingsOf(lines[first.heading]!);
  const columnOf = (heading: string, at: number): ColumnDraft => {
    const cells = group.flatMap(({ from, end }) =>
      lines.slice(from, end).map(({ sample, line, text }) => {
        const word = wordsOf(text)[at]?.text ?? "";
        return { sample, line, text: numberOf(word)?.text ?? word };
      }),
    );
    const isNumber = cells.every((cell) => numberOf(cell.text) !== undefined);
    return { heading, type: isNumber ? "number" : "text", position: at + 1, cells };
  };
  const own = group.map((block) => ({ heading: block.title }));
  return {
    kind: "table",
    marks: [headingMark(title, titles, lines, own)],
    start: first.from - first.title,
    columns: [
      columnOf(label || "row", 0),
      ...numbers.map((number, at) => ({
        ...columnOf(`${titleOf(lines[first.title]!)} ${number}`, at + 1),
        ...unitBelow(lines, first),
      })),
    ],
  };
}

/** The unit of a matrix, if a line between its title and its headings has it: `Bandwidths are in MB/sec`. */
function unitBelow(lines: readonly SampleLine[], { title, heading }: MatrixBlock): Partial<ColumnDraft> {
  const texts = lines.slice(title, heading).map(({ text }) => text);
  const unit = texts
    .map((text) => /\bin (\S+)/.exec(text)?.[1] ?? "")
    .map(unitNamed)
    .find((each) => each !== undefined);
  return unit && !texts.slice(0, 1).some(unitOfHeading) ? { unit } : {};
}

/** A title as a name: `Measuring idle latencies (in ns)...` without its dots. */
function titleOf({ text }: SampleLine): string {
  return text.trim().replace(/[.:]+$/, "");
}
