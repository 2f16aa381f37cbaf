import { groupBy } from "../../core/values/index.ts";
import type { RowMark } from "../descriptions/index.ts";
import type { ColumnDraft, TableDraft } from "./drafts.ts";
import { headingsOfBlock } from "./headings.ts";
import { commonKind, withoutMarks } from "./missing-marks.ts";
import { escapePattern, haveSameUnits, numberOf, shortNumber, unitNamed, type Word } from "./numbers.ts";
import type { SampleLine } from "./sample.ts";
import { rowOf, type Row } from "./table-row.ts";

/** Consecutive lines with the same number of words, and the same words that are numbers. */
export interface Block {
  /** Index of the heading in the lines. */
  readonly heading: number;
  /** Indices of the rows: from, and up to but without `end`. */
  readonly from: number;
  readonly end: number;
  readonly rows: readonly (readonly Word[])[];
  /** True for columns of numbers. */
  readonly numeric: readonly boolean[];
  readonly names: readonly string[];
  /** The heading has as many words or groups of words as there are columns. */
  readonly isExact: boolean;
}

/** Lines of a message between the rows of a table. */
const mostForeign = 3;

/** Finds tables of words below a heading. Fields between separators are the business of separated-tables.ts. */
export function blocksIn(lines: readonly SampleLine[], taken: ReadonlySet<number>): Block[] {
  const blocks: Block[] = [];
  for (let at = 1; at < lines.length; at++) {
    if (taken.has(at)) continue;
    const block = blockAt(lines, at, taken);
    if (!block) continue;
    if (!continues(lines, blocks.at(-1), block)) blocks.push(block);
    at = block.end - 1;
  }
  return blocks;
}

/** True for rows like those of the table before, below words that are hardly their heading: a message between rows. */
function continues(lines: readonly SampleLine[], before: Block | undefined, block: Block): boolean {
  return (
    before !== undefined &&
    !block.isExact &&
    block.from - before.end <= mostForeign &&
    lines[before.from]?.sample === lines[block.from]?.sample &&
    before.numeric.join() === block.numeric.join()
  );
}

function blockAt(lines: readonly SampleLine[], from: number, taken: ReadonlySet<number>): Block | undefined {
  const first = rowOf(lines[from]);
  if (!first) return undefined;
  const rows = [first.words];
  let { kinds } = first;
  let end = from + 1;
  for (; end < lines.length && !taken.has(end) && lines[end]?.sample === lines[from]?.sample; end++) {
    const next = rowOf(lines[end], true);
    if (next?.words.length !== first.words.length) break;
    if (!haveSameUnits(first.words, next.words)) break;
    const both = kinds.map((kind, at) => commonKind(kind, next.kinds[at]));
    // Apart from labels, a column keeps its type.
    if (both.some((kind, at) => at > 0 && kinds[at] === true && kind !== true) || !both.includes(true)) break;
    kinds = both;
    rows.push(next.words);
  }
  const numeric = kinds.map((kind) => kind === true);
  if (hasLongerLabels(lines, from, end, first)) return undefined;
  const heading = headingsOfBlock(lines, from, rows, numeric);
  return heading && { ...heading, heading: heading.at, from, end, rows, numeric };
}

/** True when a line next to the block has as many numbers at one of its ends, but more or fewer words at the other. */
function hasLongerLabels(lines: readonly SampleLine[], from: number, end: number, { words, numeric }: Row): boolean {
  const neighbours = [rowOf(lines[from - 1]), rowOf(lines[end])];
  return [numbersAtEnd, numbersAtStart].some((countOf) => {
    const count = countOf(numeric);
    return neighbours.some(
      (next) =>
        next !== undefined &&
        count > 1 &&
        count < words.length &&
        next.words.length !== words.length &&
        next.words.length > count &&
        countOf(next.numeric) === count &&
        (countOf === numbersAtEnd || next.numeric.lastIndexOf(true) < count),
    );
  });
}

function numbersAtStart(numeric: readonly boolean[]): number {
  const first = numeric.indexOf(false);
  return first < 0 ? numeric.length : first;
}

function numbersAtEnd(numeric: readonly boolean[]): number {
  return numeric.length - 1 - numeric.lastIndexOf(false);
}

/** Turns blocks with equal headings into one table each. */
export function tablesOf(lines: readonly SampleLine[], blocks: readonly Block[]): TableDraft[] {
  const groups = groupBy(blocks, (block) => keyOf(lines, block));
  const headings = [...groups.values()].map(([block]) => textOf(lines, block!.heading));
  return [...groups.values()].map((group) => {
    const orphans = orphansOf(lines, group, blocks);
    const pattern = orphans.length > 0 ? rowPattern(group) : undefined;
    if (pattern !== undefined && onlyMatches(pattern, lines, group, orphans)) {
      const rows: Block = { ...group[0]!, rows: orphans.map(({ words }) => words), end: 0 };
      const columns = columnsOf(
        [...lines, ...orphans.map(({ line }) => line)],
        [...group, { ...rows, from: lines.length }],
      );
      return { kind: "table", marks: [{ kind: "pattern", source: pattern }], start: 0, most: 1, columns };
    }
    const mark = headingMark(textOf(lines, group[0]!.heading), headings, lines, group);
    return { kind: "table", marks: [mark], start: 1, columns: columnsOf(lines, group) };
  });
}

interface Orphan {
  readonly line: SampleLine;
  readonly words: readonly Word[];
}

/** Lines after a table that look like its rows: something else was printed between them. */
function orphansOf(lines: readonly SampleLine[], group: readonly Block[], blocks: readonly Block[]): Orphan[] {
  const taken = new Set(blocks.flatMap(({ from, end }) => lines.slice(from, end)));
  return group.flatMap(({ end, numeric, rows, heading }) => {
    const orphans: Orphan[] = [];
    for (let at = end; at < lines.length && lines[at]!.sample === lines[heading]!.sample; at++) {
      if (blocks.some((block) => block.heading === at)) break;
      const row = taken.has(lines[at]!) ? undefined : rowOf(lines[at]);
      if (
        row?.words.length === rows[0]!.length &&
        haveSameUnits(rows[0]!, row.words) &&
        row.kinds.every((kind, column) => kind !== false || !numeric[column])
      )
        orphans.push({ line: lines[at]!, words: row.words });
    }
    return orphans;
  });
}

/** A pattern for the rows of a table, so that each of them can be found wherever it is. */
function rowPattern(group: readonly Block[]): string {
  return `^\\s*${columnPatterns(group).join("\\s+")}\\s*$`;
}

function columnPatterns(group: readonly Block[]): string[] {
  return (group[0]?.numeric ?? []).map((isNumber, at) => {
    if (!isNumber) return String.raw`\S+`;
    const texts = group.flatMap(({ rows }) => rows.map((row) => row[at]?.text ?? ""));
    if (texts.every((text) => new RegExp(`^${shortNumber}$`).test(text))) return shortNumber;
    return texts.every((text) => /\d/.test(text)) ? String.raw`\S*\d\S*` : String.raw`\S+`;
  });
}

function onlyMatches(
  source: string,
  lines: readonly SampleLine[],
  group: readonly Block[],
  orphans: readonly Orphan[],
): boolean {
  const pattern = new RegExp(source);
  const rows = group.flatMap(({ from, end }) => lines.slice(from, end));
  const own = new Set([...rows, ...orphans.map(({ line }) => line)]);
  return lines.every((line) => own.has(line) === pattern.test(line.text));
}

function keyOf(lines: readonly SampleLine[], { heading, numeric }: Block): string {
  return `${textOf(lines, heading).replace(clock, "\uE000 ").replaceAll(/\s+/g, " ")}\n${numeric.map(Number).join("")}`;
}

/** A time of day before the headings, as tools print that repeat them: it is above the times of the rows. */
const clock = /^\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?(?:\s|$)/;

function textOf(lines: readonly SampleLine[], at: number): string {
  return lines[at]?.text.trim() ?? "";
}

/**
 * The heading as a keyword, or as a pattern where its text is part of another line or its blanks vary.
 */
export function headingMark(
  text: string,
  headings: readonly string[],
  lines: readonly SampleLine[],
  group: readonly { readonly heading: number }[],
): RowMark {
  const own = new Set(group.map(({ heading }) => heading));
  const isTimed = clock.test(text);
  // Columns are as wide as their widest entry, and that differs in the next output.
  const isSpaced = /\s{2}|\t/.test(text);
  const isUnique = lines.every((line, at) => own.has(at) || !line.text.includes(text));
  const isSame = group.every(({ heading }) => lines[heading]?.text.includes(text));
  if (!isTimed && !isSpaced && isUnique && isSame && headings.every((other) => other === text || !other.includes(text)))
    return { kind: "keyword", text };
  const words = text.split(/\s+/).map(escapePattern);
  if (isTimed) words[0] = String.raw`\d+:\d+:\S+`;
  return { kind: "pattern", source: `^\\s*${words.join("\\s+")}\\s*$` };
}

function columnsOf(lines: readonly SampleLine[], group: readonly Block[]): ColumnDraft[] {
  const [first] = group;
  if (!first) return [];
  const isNumeric = first.numeric.map((_, at) => group.every(({ numeric }) => numeric[at] === true));
  const units = first.numeric.map((_, at) => unitColumn(group, at));
  const count = labelWords(isNumeric, first.names);
  const label = count > 1 ? [wordsAsLabel(lines, group, count)] : [];
  const columns = isNumeric.flatMap((numeric, at) => {
    if (at < count && count > 1) return [];
    if (!numeric && (units[at] !== undefined || !isLabel(group, at))) return [];
    const following = numeric && !isNumeric[at + 1] ? units[at + 1] : undefined;
    const cells = group.flatMap(({ rows, from }) =>
      rows.map((row, offset) => {
        const { sample, line } = lines[from + offset]!;
        const text = row[at]!.text;
        return { sample, line, text: numeric ? (numberOf(text)?.text ?? text) : text };
      }),
    );
    const suffix = numeric ? numberOf(group[0]!.rows[0]![at]!.text)?.suffix : undefined;
    return [
      withoutMarks({
        heading: clock.test(first.names[at] ?? "") ? "time of day" : (first.names[at] ?? ""),
        type: numeric ? ("number" as const) : ("text" as const),
        position: at + 1,
        cells,
        ...unitOf(following, suffix),
      }),
    ];
  });
  return [...label, ...columns];
}

/** How many words of text at the beginning of the rows have the same heading. */
function labelWords(isNumeric: readonly boolean[], names: readonly string[]): number {
  const end = isNumeric.findIndex((numeric, at) => numeric || names[at] !== names[0]);
  return names[0] === "" ? 0 : end;
}

/** A label of several words: the row without its other entries. */
function wordsAsLabel(lines: readonly SampleLine[], group: readonly Block[], count: number): ColumnDraft {
  const rest = columnPatterns(group).slice(count);
  const cells = group.flatMap(({ rows, from }) =>
    rows.map((row, offset) => {
      const { sample, line } = lines[from + offset]!;
      const text = row
        .slice(0, count)
        .map((word) => word.text)
        .join(" ");
      return { sample, line, text };
    }),
  );
  return {
    heading: group[0]?.names[0] ?? "",
    type: "text",
    position: 1,
    wholeRest: true,
    filters: [{ source: `\\s+${rest.join("\\s+")}\\s*$`, ignoreCase: false }],
    cells,
  };
}

function unitOf(following: readonly string[] | undefined, suffix: string | undefined): Partial<ColumnDraft> {
  const [name = suffix ?? "", ...others] = following ?? [];
  const unit = unitNamed(name);
  if (!unit) return {};
  return others.length === 0 ? { unit } : { unit, unitFollows: true };
}

/** The distinct units of a column that has nothing else. */
function unitColumn(group: readonly Block[], at: number): string[] | undefined {
  if (at === 0) return undefined;
  const words = new Set(group.flatMap(({ rows }) => rows.map((row) => row[at]?.text ?? "")));
  return [...words].every((word) => unitNamed(word) !== undefined) ? [...words] : undefined;
}

/** Texts are kept if they vary or have letters: lone signs such as `|` are no values. */
function isLabel(group: readonly Block[], at: number): boolean {
  return group.some(({ rows }) => rows.some((row) => /[\p{L}\p{N}]/u.test(row[at]?.text ?? "")));
}
