import { groupBy, type Unit } from "../../core/values/index.ts";
import type { ColumnDraft, TableDraft } from "./drafts.ts";
import { isRuleLine } from "./headings.ts";
import { isMissingMark, isSpecialNumber, withoutMarks } from "./missing-marks.ts";
import { numberOf, numberPattern, unitAfter, unitNamed, wordsOf } from "./numbers.ts";
import type { Cell, SampleLine } from "./sample.ts";
import { headingMark } from "./tables.ts";

/** Rows of fields below a heading with as many fields. */
export interface SeparatedBlock {
  readonly separator: string;
  readonly heading: number;
  readonly names: readonly string[];
  /** Index of each row in the lines, and its fields. */
  readonly rows: readonly { readonly at: number; readonly fields: readonly string[] }[];
  /** The lines of the block: from the heading up to but without `end`. */
  readonly end: number;
}

/** At least two blanks, as in tables with texts of several words. */
const gap = "  ";
const separators = ["|", ";", ",", "\t", gap] as const;

/** Finds tables whose fields are separated by `|`, `;`, `,`, tabs, or gaps if texts have several words. */
export function separatedBlocksIn(lines: readonly SampleLine[], taken: ReadonlySet<number>): SeparatedBlock[] {
  const blocks: SeparatedBlock[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (taken.has(at)) continue;
    const block = separators.map((separator) => blockAt(lines, at, separator)).find((each) => each !== undefined);
    if (!block) continue;
    blocks.push(block);
    at = block.end - 1;
  }
  return blocks;
}

function blockAt(lines: readonly SampleLine[], heading: number, separator: string): SeparatedBlock | undefined {
  const text = lines[heading]?.text ?? "";
  const names = fieldsOf(text, separator);
  const enough = separator === "|" || separator === gap ? 3 : 2;
  // Between bars, percentiles such as `99%` may be headings.
  const numbered = names.filter((name) => numberOf(name) !== undefined).length;
  const isNumbered = separator === "|" ? numbered * 2 > names.length : numbered > 0;
  if (names.length < enough || isNumbered || !looksLikeHeading(names)) return undefined;
  if (separator !== "|" && ((lines[heading]?.numbers.length ?? 0) > 0 || /\w\s*[=:]\s/.test(text))) return undefined;
  const rows: { at: number; fields: string[] }[] = [];
  let end = heading + 1;
  for (; end < lines.length && lines[end]?.sample === lines[heading]?.sample; end++) {
    const row = lines[end]?.text ?? "";
    if (isRuleLine(row) && (rows.length === 0 || (separator === "|" && /^\s*[+|]/.test(row)))) continue;
    const fields = fieldsOf(row, separator);
    if (fields.length !== names.length || isRuleLine(row)) break;
    rows.push({ at: end, fields });
  }
  if (rows.length > 0) end = rows.at(-1)!.at + 1;
  const hasNumbers = names.some((_, at) => rows.some(({ fields }) => leadingNumber(fields[at] ?? "") !== undefined));
  if (separator === gap && !haveTexts(rows.map(({ fields }) => fields))) return undefined;
  return rows.length > 0 && hasNumbers ? { separator, heading, names, rows, end } : undefined;
}

/** True if rows have texts between their first and last fields, and some but not all of these have several words. */
function haveTexts(rows: readonly (readonly string[])[]): boolean {
  const counts = (at: number): number[] => rows.map((fields) => wordsOf(fields[at] ?? "").length);
  return (
    rows.length > 1 &&
    (rows[0] ?? []).slice(0, -1).some((_, at) => {
      const isText = rows.every((fields) => leadingNumber(fields[at] ?? "") === undefined);
      return at > 0 && isText && Math.max(...counts(at)) > 1 && new Set(counts(at)).size > 1;
    })
  );
}

/** Sentences with commas are no headings. */
function looksLikeHeading(names: readonly string[]): boolean {
  const named = names.filter((name) => name !== "");
  return named.length >= 2 && named.every((name) => name.length <= 60 && wordsOf(name).length <= 5);
}

/** The fields of a row; separators within double quotes do not count. */
function fieldsOf(text: string, separator: string): string[] {
  if (separator === gap) return text.trim().split(/\s{2,}|\t/);
  const fields: string[] = [];
  let field = "";
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    if (character === separator && !isQuoted) {
      fields.push(field.trim());
      field = "";
    } else field += character;
  }
  return [...fields, field.trim()].map((each) => each.replace(/^"(.*)"$/, "$1"));
}

/** A number at the beginning of a field, with its unit if one follows. */
export function leadingNumber(
  field: string,
  hasSameWord = false,
): { readonly text: string; readonly unit: string } | undefined {
  if (isSpecialNumber(field)) return { text: field, unit: "" };
  const [first, second] = wordsOf(field);
  const number = numberOf(first?.text ?? "");
  if (
    !number ||
    (number.suffix === "" &&
      !hasSameWord &&
      second !== undefined &&
      /^[A-Za-z@]/.test(second.text) &&
      !isUnitWord(second.text))
  )
    return undefined;
  const following = unitAfter(number.text, second?.text ?? "") === undefined ? "" : (second?.text ?? "");
  return { text: number.text, unit: number.suffix || following };
}

function isUnitWord(text: string): boolean {
  return unitNamed(text) !== undefined || /^[KMGTBkmb]$/.test(text);
}

/** Turns blocks with equal headings into one table each. */
export function separatedTables(lines: readonly SampleLine[], blocks: readonly SeparatedBlock[]): TableDraft[] {
  const groups = groupBy(blocks, ({ separator, names }) => [separator, ...names].join("\n"));
  const headings = [...groups.values()].map(([block]) => lines[block!.heading]!.text.trim());
  return [...groups.values()].map((group) => {
    const [{ separator, heading, names }] = group as [SeparatedBlock];
    const text = lines[heading]!.text.trim();
    const mark = headingMark(text, headings, lines, group);
    const columns = withUnitColumns(names.flatMap((name, at) => fieldColumns(lines, group, name, at)));
    if (separator === gap) return { kind: "table", marks: [mark], start: 1, gap: gap.length, columns };
    if (separator !== "|") return { kind: "table", marks: [mark], start: 1, separator, columns };
    // A bar at the beginning of the lines is no border between entries.
    const before = text.startsWith("|") ? 1 : 0;
    const entries = columns.map((column) => ({ ...column, position: column.position - before }));
    return { kind: "table", marks: [mark], start: 1, grid: true, columns: entries };
  });
}

function fieldColumns(
  lines: readonly SampleLine[],
  group: readonly SeparatedBlock[],
  name: string,
  at: number,
): ColumnDraft[] {
  const fields = group.flatMap(({ rows }) =>
    rows.flatMap((row) => {
      const field = row.fields[at] ?? "";
      const { sample, line } = lines[row.at]!;
      return field === "" ? [] : [{ field, sample, line }];
    }),
  );
  if (fields.length === 0) return [];
  const position = at + 1;
  const [same, ...others] = new Set(fields.map(({ field }) => wordsOf(field)[1]?.text));
  // Each number is followed by the same word, as in `311.3 W`.
  const hasSameWord = same !== undefined && others.length === 0;
  const isNumeric = fields.some(({ field }) => leadingNumber(field, hasSameWord));
  const numbers = fields.map(({ field }) =>
    isNumeric && isMissingMark(field) ? { text: field, unit: undefined } : leadingNumber(field, hasSameWord),
  );
  const cellsOf = (text: (field: string, index: number) => string): Cell[] =>
    fields.map(({ sample, line, field }, index) => ({ sample, line, text: text(field, index) }));
  if (numbers.some((number) => number === undefined)) {
    const isText = fields.some(({ field }) => /[\p{L}\p{N}]/u.test(field));
    return isText ? [{ heading: name, type: "text", position, cells: cellsOf((field) => field), wholeRest: true }] : [];
  }
  const main: ColumnDraft = {
    heading: name,
    type: "number",
    position,
    cells: cellsOf((_, index) => numbers[index]?.text ?? ""),
    ...unitOfFields(numbers.flatMap((number) => (number?.unit === undefined ? [] : [number.unit]))),
  };
  return [withoutMarks(main), ...deviations(name, position, fields)];
}

/** A column that has the same unit in all rows is that of the numbers before it. */
function withUnitColumns(columns: readonly ColumnDraft[]): ColumnDraft[] {
  const unitAfterColumn = (column: ColumnDraft | undefined, next: ColumnDraft | undefined): Unit | undefined => {
    const isNext = column?.type === "number" && next?.type === "text" && next.position === column.position + 1;
    const [word = "", ...others] = new Set(next?.cells.map(({ text }) => text));
    const isComplete = column?.unit === undefined && column?.cells.length === next?.cells.length;
    return isNext && isComplete && others.length === 0 ? unitNamed(word) : undefined;
  };
  return columns.flatMap((column, at) => {
    if (unitAfterColumn(columns[at - 1], column)) return [];
    const unit = unitAfterColumn(column, columns[at + 1]);
    return unit ? { ...column, unit } : column;
  });
}

export function unitOfFields(units: readonly string[]): Partial<ColumnDraft> {
  const distinct = new Set(units);
  const unit = unitNamed(units[0] ?? "");
  if (!unit || [...distinct].some((each) => unitNamed(each) === undefined)) return {};
  return distinct.size === 1 ? { unit } : { unit, unitFollows: true };
}

/** The number after `±`. */
function deviations(
  name: string,
  position: number,
  fields: readonly { readonly field: string; readonly sample: number; readonly line: number }[],
): ColumnDraft[] {
  const sign = "(?:\u00b1|\\+/-|\\+-)";
  const pattern = new RegExp(`${sign}\\s*(${numberPattern})`);
  const found = fields.map(({ field, sample, line }) => ({ sample, line, text: pattern.exec(field)?.[1] ?? "" }));
  const cells = found.filter(({ text }) => text !== "");
  if (cells.length === 0) return [];
  const isOptional = cells.length < found.length;
  const source = isOptional ? `^.*${sign}\\s*|^[^\u00b1+]*$` : `^.*${sign}\\s*`;
  const column: ColumnDraft = {
    heading: `${name} deviation`,
    type: "number",
    position,
    cells,
    filters: [{ source, ignoreCase: false }],
  };
  return [isOptional ? { ...column, optional: true } : column];
}
