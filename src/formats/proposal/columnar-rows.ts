import type { ColumnDraft, TableDraft } from "./drafts.ts";
import { isRuleLine } from "./headings.ts";
import { segmentsOf, type LineGroup } from "./line-groups.ts";
import { commonKind, withoutMarks } from "./missing-marks.ts";
import { maskedLine, numberOf, numbersPattern, wordsOf, type Word } from "./numbers.ts";
import type { Cell, SampleLine } from "./sample.ts";
import { rowOf } from "./table-row.ts";

/** Fewer lines are rather sentences. */
const fewestRows = 3;

/** Consecutive lines whose first words are of the same kinds; the last column is the rest of the line. */
interface ColumnarRows {
  readonly lines: readonly SampleLine[];
  readonly rows: readonly (readonly Word[])[];
  /** True for columns of numbers. */
  readonly numeric: readonly boolean[];
  readonly names: readonly string[];
  /** Rows have further words, which belong to the last column. */
  readonly isLonger: boolean;
}

export interface ColumnarTable {
  readonly table: TableDraft;
  readonly lines: readonly SampleLine[];
}

/**
 * Tables of which each line has its own texts, such as listings of files and processes: their lines are in no common
 * group. Such a table may lack a heading, and its last entries may have several words.
 */
export function columnarTables(groups: readonly LineGroup[], all: readonly SampleLine[]): ColumnarTable[] {
  const plain = groups.filter((group) => !group.isLabelled && group.isTrailed !== true);
  const groupOf = new Map(plain.flatMap((group) => group.lines.map((line) => [line, group] as const)));
  const found: ColumnarTable[] = [];
  for (let at = 0; at < all.length; at++) {
    const rows = rowsAt(all, at, groupOf);
    if (!rows) continue;
    found.push({ table: tableOf(rows), lines: rows.lines });
    at += rows.lines.length - 1;
  }
  return found;
}

function rowsAt(
  all: readonly SampleLine[],
  from: number,
  groupOf: ReadonlyMap<SampleLine, LineGroup>,
): ColumnarRows | undefined {
  const rows: (readonly Word[])[] = [];
  let kinds: readonly (boolean | undefined)[] = [];
  for (let at = from; at < all.length && all[at]!.sample === all[from]!.sample; at++) {
    const row = groupOf.has(all[at]!) ? columnarRow(all[at]!) : undefined;
    if (!row || (rows.length > 0 && !fits(kinds, row.kinds))) break;
    kinds =
      rows.length === 0 ? row.kinds : row.kinds.slice(0, kinds.length).map((kind, i) => commonKind(kind, kinds[i]));
    rows.push(row.words);
  }
  const lines = all.slice(from, from + rows.length);
  // Lines that differ only in their numbers and dates are sentences.
  const texts = new Set(lines.map(textsOf));
  if (rows.length < fewestRows || texts.size * 2 <= rows.length) return undefined;
  const heading = headingAbove(all[from - 1], Math.min(...rows.map(({ length }) => length)));
  const count = heading?.length ?? kinds.length;
  const isLonger = rows.some(({ length }) => length > count);
  const numeric = kinds.slice(0, count).map((kind, i) => kind === true && !(isLonger && i === count - 1));
  if (!numeric.includes(true) || numeric.every(Boolean)) return undefined;
  return { lines, rows, numeric, names: heading ?? [], isLonger };
}

/** The texts of a line, with the path at its end if it has one. */
function textsOf(line: SampleLine): string {
  const last = line.text.trimEnd().split(/\s/).at(-1) ?? "";
  return [...segmentsOf(line), last.includes("/") ? last : ""].join(" ").replaceAll(/[\uE000\s]+/g, " ");
}

interface KindedRow {
  readonly words: readonly Word[];
  readonly kinds: readonly (boolean | undefined)[];
}

/** Only words at the beginning of a line show that it is a sentence or has named numbers. */
const firstWords = 6;

/** A line with `name=5`, `name: 5` or `5,` at its beginning is no row. */
function columnarRow(line: SampleLine): KindedRow | undefined {
  const row = rowOf(line);
  if (!row) return undefined;
  const isSentence = row.words.slice(0, firstWords).some(({ text }, at) => {
    const isNumber = row.kinds[at] === true;
    return /^[=:|,;]+$/.test(text) || (isNumber && (/[()[\]{}<>,;:|=]/.test(text) || isMark(row.words[at - 1])));
  });
  return isSentence ? undefined : withDates(line, row);
}

/** True for a word that names the number after it. */
function isMark(before: Word | undefined): boolean {
  return before !== undefined && /[=:([,]$/.test(before.text);
}

/** Words of dates are texts. */
function withDates({ text }: SampleLine, { words, kinds }: KindedRow): KindedRow {
  const masked = maskedLine(text);
  return { words, kinds: words.map(({ start }, at) => (masked[start] === "\uE000" ? false : kinds[at])) };
}

/** A row may be longer or shorter in its last texts; the numbers before these stay numbers. */
function fits(before: readonly (boolean | undefined)[], next: readonly (boolean | undefined)[]): boolean {
  const count = Math.min(before.length, next.length);
  if (before.length !== next.length && count < (before[0] === true ? 2 : 4)) return false;
  const last = before.length === next.length ? count : count - 1;
  for (let at = 1; at < last; at++)
    if ((before[at] === true && next[at] === false) || (before[at] === false && next[at] === true)) return false;
  return before[0] !== true || next[0] !== false;
}

/** The names in the line above, if there is one for each column: rows may have more words, but not fewer. */
function headingAbove(line: SampleLine | undefined, fewest: number): readonly string[] | undefined {
  if (!line || line.numbers.length > 0 || isRuleLine(line.text)) return undefined;
  const words = wordsOf(line.text).map(({ text }) => text);
  const isName = (text: string): boolean => /\p{L}/u.test(text) && numberOf(text) === undefined;
  return words.length > 2 && words.length <= fewest && words.every(isName) ? words : undefined;
}

function tableOf({ lines, rows, numeric, names, isLonger }: ColumnarRows): TableDraft {
  const number = numbersPattern(lines);
  const last = numeric.length - 1;
  const patterns = numeric.map((isNumber, at) => {
    if (!isNumber) return String.raw`\S+`;
    return rows.every((row) => new RegExp(`^${number}$`).test(row[at]!.text)) ? number : String.raw`\S+`;
  });
  const source = `^\\s*${patterns.join("\\s+")}${isLonger ? "(?:\\s.*)?" : "\\s*"}$`;
  const columns = numeric.flatMap((isNumber, at) =>
    columnOf(lines, rows, at, { isNumber, isRest: at === last, names }),
  );
  return { kind: "table", marks: [{ kind: "pattern", source }], start: 0, most: 1, columns };
}

/** As `du -h` and `ls -lh` print sizes: 4.0K, 128M. */
const humanSize = /^(?:\d\.\d|\d{2,4})[KMGT]$|^\d{1,4}$/;

function isHumanSize(cells: readonly Cell[]): boolean {
  return cells.every(({ text }) => humanSize.test(text)) && cells.some(({ text }) => /[KMGT]$/.test(text));
}

interface ColumnFacts {
  readonly isNumber: boolean;
  /** The last column, which is the rest of the line. */
  readonly isRest: boolean;
  readonly names: readonly string[];
}

function columnOf(
  lines: readonly SampleLine[],
  rows: readonly (readonly Word[])[],
  at: number,
  { isNumber, isRest, names }: ColumnFacts,
): ColumnDraft[] {
  const cells = lines.map(({ sample, line, text }, row): Cell => {
    const word = rows[row]![at]!;
    const entry = isNumber
      ? (numberOf(word.text)?.text ?? word.text)
      : isRest
        ? text.slice(word.start).trim()
        : word.text;
    return { sample, line, text: entry };
  });
  const isDate = lines.every(({ text }, row) => maskedLine(text)[rows[row]![at]!.start] === "\uE000" && !isRest);
  const isSaid = cells.some(({ text }) => /[\p{L}\p{N}]/u.test(text));
  if (!isSaid || (isDate && names.length === 0)) return [];
  const heading = names[at] ?? (isHumanSize(cells) ? "size" : "");
  if (isNumber) return [withoutMarks({ heading, type: "number", position: at + 1, cells })];
  const rest = isRest ? { wholeRest: true as const } : {};
  return [{ heading: names[at] ?? "label", type: "text", position: at + 1, cells, ...rest }];
}
