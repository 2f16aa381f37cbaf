import { numberOf, unitNamed, wordsOf, type Word } from "./numbers.ts";
import type { SampleLine } from "./sample.ts";

/** The heading of a table: the index of its line, and a name for each column ("" where it has none). */
export interface Heading {
  readonly at: number;
  readonly names: readonly string[];
  /** The line has as many headings as the table has columns. */
  readonly isExact: boolean;
}

/** Lines between a heading and its first row. */
const mostBetween = 3;

/** Columns of characters. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** True for a line of punctuation only, and for an empty one. */
export function isRuleLine(text: string): boolean {
  return !/[\p{L}\p{N}]/u.test(text);
}

/**
 * The heading above the rows that begin at `from`, if there is one that fits their columns. `labels`: where the rows
 * have labels, which are none of the columns.
 */
export function headingsOf(
  lines: readonly SampleLine[],
  from: number,
  rows: readonly (readonly Word[])[],
  numeric: readonly boolean[],
  labels?: "before" | "after",
): Heading | undefined {
  let at = from - 1;
  while (at >= 0 && from - at <= mostBetween && isRuleLine(lines[at]?.text ?? "")) at -= 1;
  const line = lines[at];
  if (!line || line.sample !== lines[from]?.sample || isRuleLine(line.text)) return undefined;
  const whole = withoutSign(line.text);
  if (!isHeading(line, whole)) return undefined;
  const text = numeric.every(Boolean) ? withoutLabel(whole) : whole;
  const exact = splitNames(text, rows, numeric, labels);
  const above = isRuleLine(lines[at - 1]?.text ?? "") ? "" : withoutSign(lines[at - 1]?.text ?? "");
  const aligned = (words: readonly Word[]): string[] | undefined =>
    exact ?? (rows.length > 1 ? alignedNames(words, rows, numeric) : undefined);
  const names = aligned(wordsOf(text));
  const both = names ? undefined : aligned(isColumnar(above) ? [...wordsOf(above), ...wordsOf(text)] : []);
  if ((!names && !both) || (rows.length === 1 && !isLikelySingle(numeric))) return undefined;
  return { at, names: both ?? withLineAbove(names ?? [], above, rows, numeric), isExact: exact !== undefined };
}

/** The same, where units after numbers may be columns of the rows without a heading. */
export function headingsOfBlock(
  lines: readonly SampleLine[],
  from: number,
  rows: readonly (readonly Word[])[],
  numeric: readonly boolean[],
): Heading | undefined {
  const whole = headingsOf(lines, from, rows, numeric);
  return whole?.isExact === true ? whole : (headingsWithoutUnits(lines, from, rows, numeric) ?? whole);
}

/** Headings of the columns other than those of units after numbers, which have none. */
function headingsWithoutUnits(
  lines: readonly SampleLine[],
  from: number,
  rows: readonly (readonly Word[])[],
  numeric: readonly boolean[],
): Heading | undefined {
  const isUnit = numeric.map(
    (isNumber, at) =>
      !isNumber && numeric[at - 1] === true && rows.every((row) => unitNamed(row[at]!.text) !== undefined),
  );
  if (!isUnit.includes(true)) return undefined;
  const others = <T>(entries: readonly T[]): T[] => entries.filter((_, at) => !isUnit[at]);
  const heading = headingsOf(lines, from, rows.map(others), others(numeric));
  if (heading?.isExact !== true) return undefined;
  const names = [...heading.names];
  return { ...heading, names: isUnit.map((unit) => (unit ? "" : (names.shift() ?? ""))) };
}

/** The text without the sign of a comment at its beginning. */
function withoutSign(text: string): string {
  return text.replace(/^(\s*)([#%*;!]+|\/\/)(?=\s)/, (sign) => " ".repeat(sign.length));
}

/** Blanks for the label of a heading, as in `avg-cpu:  user  system  idle`; `name: value` has none. */
function withoutLabel(text: string): string {
  const [, label = "", rest = ""] = /^(\s*\S+:\s{2,})(\S.*)$/.exec(text) ?? [];
  const isColumns = groupsOf(rest).length > 1 && wordsOf(rest).length > 2;
  return isColumns ? " ".repeat(label.length) + rest : text;
}

/** Lines with numbers, `name: value` and sentences are no headings. */
function isHeading({ numbers }: SampleLine, text: string): boolean {
  const words = wordsOf(text);
  if (numbers.length > 0 || words.some(({ text: word }) => numberOf(word))) return false;
  // Spaced letters are a title: `A C C O U N T I N G`.
  if (words.length > 4 && words.filter(({ text: word }) => word.length === 1).length > words.length * 0.6) return false;
  return !/[\w)\]]\s*[:=]\s+\S/.test(withoutLabel(text)) && !/(?:\p{Ll}[.:]|\.{3}|[)\]]:)\s*$/u.test(text);
}

/** A single row is a table only if most of its entries are numbers. */
function isLikelySingle(numeric: readonly boolean[]): boolean {
  const count = numeric.filter(Boolean).length;
  return count >= 2 && count * 2 >= numeric.length;
}

/** One heading per column: words, or groups of words that wider gaps separate. */
function splitNames(
  text: string,
  rows: readonly (readonly Word[])[],
  numeric: readonly boolean[],
  labels: "before" | "after" | undefined,
): string[] | undefined {
  const spans = spansOf(rows, numeric);
  const groups = groupsOf(text);
  // The heading of the labels is none of the columns; it may be missing.
  const own = labels === "before" ? groups.slice(1) : groups.slice(0, -1);
  if (labels !== undefined && groups.length === numeric.length + 1)
    return countAbove(own, spans) >= own.length * 0.6 ? own.map(textOf) : undefined;
  const words = wordsOf(text);
  // One blank may be between the last heading and that of the labels.
  if (labels === "after" && words.length === numeric.length + 1 && groups.length <= numeric.length)
    return countAbove(words, spans) >= numeric.length * 0.6 ? words.slice(0, -1).map(textOf) : undefined;
  if (groups.length === numeric.length)
    return countAbove(groups, spans) * 2 < countAbove(groups, spans.slice(1)) ? undefined : groups.map(textOf);
  if (words.length !== numeric.length) return undefined;
  // Words of aligned headings have to stand above their columns: `Std Dev` is one heading.
  if (countAbove(words, spans) >= words.length * 0.6) return words.map(textOf);
  return groups.length < 3 && labels === undefined && !isProse(words) ? words.map(textOf) : undefined;
}

/** Groups of words that at least two blanks or a tab separate. */
function groupsOf(text: string): Word[] {
  return [...text.matchAll(/\S+(?:[^\S\t]\S+)*/g)].map(({ index, 0: group }) => ({
    start: index,
    end: index + group.length,
    text: group,
  }));
}

function textOf({ text }: Word): string {
  return text;
}

/** How many of the words stand above their columns. */
function countAbove(words: readonly Word[], spans: readonly Span[]): number {
  return words.filter(({ start, end }, at) => start < (spans[at]?.end ?? 0) + 2 && end > (spans[at]?.start ?? 0) - 2)
    .length;
}

const fillers = new Set(["a", "an", "the", "of", "to", "is", "are", "was", "for", "with", "from", "using", "and"]);

/** A sentence or a title is no heading. */
function isProse(words: readonly Word[]): boolean {
  return words.length > 2 && words.some(({ text }) => fillers.has(text.toLowerCase()));
}

/** Headings by their position above the columns; undefined unless every column of numbers has one. */
function alignedNames(
  headings: readonly Word[],
  rows: readonly (readonly Word[])[],
  numeric: readonly boolean[],
): string[] | undefined {
  const spans = spansOf(rows, numeric);
  if (isProse(headings) || headings.some(({ text }) => /\w=\w/.test(text))) return undefined;
  const over = spans.map(({ start, end }) => headings.filter((each) => each.start < end && each.end > start));
  // A word that is above several columns names none of them.
  const used = new Set(over.flatMap((words, at) => (numeric[at] === true ? words.slice(0, 1) : []))).size;
  const wanted = numeric.filter(Boolean).length;
  return used >= Math.max(2, wanted * 0.6) ? over.map((words) => words.map(textOf).join(" ")) : undefined;
}

/** The columns of characters that each entry covers in any row. */
function spansOf(rows: readonly (readonly Word[])[], numeric: readonly boolean[]): Span[] {
  return numeric.map((_, at) => ({
    start: Math.min(...rows.map((row) => row[at]?.start ?? 0)),
    end: Math.max(...rows.map((row) => row[at]?.end ?? 0)),
  }));
}

/** True for words in columns, as in a second line of headings. */
function isColumnar(text: string): boolean {
  return (/^\s{4,}\S/.test(text) || groupsOf(text).length > 2) && !/[\d:=]/.test(text);
}

/** Prefixes names with the words of a second heading line above, where these stand above the columns. */
function withLineAbove(
  names: readonly string[],
  above: string,
  rows: readonly (readonly Word[])[],
  numeric: readonly boolean[],
): readonly string[] {
  if (!isColumnar(above)) return names;
  const spans = spansOf(rows, numeric);
  const words = wordsOf(above);
  return names.map((name, at) => {
    const { start = 0, end = 0 } = spans[at] ?? {};
    const over = words.filter((word) => word.start < end && word.end > start).map((word) => word.text);
    return [...over, name].join(" ");
  });
}
