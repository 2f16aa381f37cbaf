import type { RowMark, TextMark } from "../descriptions/index.ts";
import { withColumns, type ColumnDraft, type RuleDraft } from "./drafts.ts";
import { maskedLine, shortNumber } from "./numbers.ts";
import { lineKey, type Cell, type SampleText } from "./sample.ts";

/** How the samples write numbers, if not as `1234.5`. */
export interface Notation {
  readonly decimal?: ",";
  readonly thousands?: "," | ".";
}

/** Samples with all numbers written as `1234.5`. */
export interface PlainSamples {
  readonly samples: readonly SampleText[];
  readonly notation: Notation;
  /** True for a cell that the sample writes in its own notation. */
  readonly isRewritten: (cell: Cell) => boolean;
}

/** A number between white space, or that is a field of its own, and no part of a longer word. */
const start = String.raw`(?<=^|[\s;|])`;
const end = String.raw`(?=[\s%)\];|]|$|\p{L}|,\s)`;
const groups = String.raw`\d{1,3}(?:,\d{3})+`;

const grouped = new RegExp(`${start}[-+]?${groups}(?:\\.\\d+)?${end}`, "gu");
/** Bytes have no fraction: `21,204 bytes`. */
const groupedBytes = new RegExp(`${start}${groups}\\s+bytes?(?!\\p{L})`, "gu");
const groupedByPoints = new RegExp(`${start}[-+]?\\d{1,3}(?:\\.\\d{3})+,\\d+${end}`, "gu");
const decimalComma = new RegExp(`${start}[-+]?\\d+,\\d+${end}`, "gu");
const decimalPoint = new RegExp(`${start}[-+]?\\d*\\.\\d+${end}`, "gu");

/** Not a number with groups: `12,5` and `0,125`. */
const surelyDecimal = /^[-+]?(?:\d+,(?:\d{1,2}|\d{4,})|0\d*,\d+|\d{4,},\d+)$/;

/** Writes numbers with thousands separators and decimal commas as the other rules read them; lengths stay the same. */
export function plainNotation(samples: readonly SampleText[]): PlainSamples {
  const lines = samples.flatMap((sample) => sample.lines).filter((line) => /\d[,.]\d/.test(line));
  const notation = notationOf(lines.map(maskedLine));
  const pattern = patternOf(notation);
  if (!pattern) return { samples, notation, isRewritten: () => false };
  const rewritten = new Set<string>();
  const plain = samples.map(({ name, lines }, sample) => ({
    name,
    lines: lines.map((text, at) =>
      text.replaceAll(pattern, (number) => {
        const bare = plainNumber(number, notation);
        rewritten.add(cellKey({ sample, line: at + 1, text: bare }));
        return bare.padStart(number.length);
      }),
    ),
  }));
  return { samples: plain, notation, isRewritten: (cell) => rewritten.has(cellKey(cell)) };
}

function plainNumber(number: string, { decimal, thousands }: Notation): string {
  const whole = thousands === undefined ? number : number.replaceAll(thousands, "");
  return decimal === undefined ? whole : whole.replace(decimal, ".");
}

function cellKey(cell: Cell): string {
  return `${lineKey(cell)} ${cell.text}`;
}

function notationOf(lines: readonly string[]): Notation {
  const found = (pattern: RegExp): string[] => lines.flatMap((line) => line.match(pattern) ?? []);
  const commas = lines
    .filter((line) => /\S[\s;|]+\S/.test(line.trim()))
    .flatMap((line) => line.match(decimalComma) ?? []);
  const isDecimal = commas.some(isSure);
  const isGrouped = found(grouped).some(isSurelyGrouped) || (!isDecimal && found(groupedBytes).length > 0);
  if (isGrouped) return isDecimal ? {} : { thousands: "," };
  const points = found(groupedByPoints);
  if (!areDecimal([...commas.filter(isSure), ...points]) || found(decimalPoint).length > 0) return {};
  return { decimal: ",", ...(points.length > 0 ? { thousands: "." as const } : {}) };
}

/** Lists such as `64,128,256` ascend, and have no fraction. */
function isSurelyGrouped(text: string): boolean {
  const [whole = "", fraction] = text.replace(/^[-+]/, "").split(".");
  const numbers = whole.split(",");
  return (
    fraction !== undefined || numbers.some((each, at) => each.startsWith("0") || Number(each) < Number(numbers[at - 1]))
  );
}

function isSure(text: string): boolean {
  return surelyDecimal.test(text);
}

/** Lists such as `0,1` and `12,13` ascend; of decimal numbers, some do not. */
function areDecimal(texts: readonly string[]): boolean {
  const isDescending = (text: string): boolean => {
    const [whole = "", fraction = ""] = text.replaceAll(/[-+.]/g, "").split(",");
    return Number(whole) > Number(fraction) || fraction.startsWith("0");
  };
  return texts.length > 2 && texts.some(isDescending);
}

function patternOf({ decimal, thousands }: Notation): RegExp | undefined {
  if (decimal === undefined) return thousands === undefined ? undefined : grouped;
  return thousands === undefined ? decimalComma : new RegExp(`${groupedByPoints.source}|${decimalComma.source}`, "gu");
}

/** A rule that reads the samples as they are written. */
export function inNotation(rule: RuleDraft, { notation, isRewritten }: PlainSamples): RuleDraft {
  if (patternOf(notation) === undefined) return rule;
  const columnOf = (column: ColumnDraft): ColumnDraft => ({
    ...column,
    ...(column.filters ? { filters: column.filters.map((each) => ({ ...each, source: widened(each.source) })) } : {}),
    ...(column.type === "number" && column.cells.some(isRewritten) ? notation : {}),
  });
  const changed = withColumns(rule, columnOf);
  if (changed.kind === "table") return { ...changed, marks: changed.marks.map(widenedMark) };
  if (changed.kind === "named") return { ...changed, mark: widenedMark(changed.mark) };
  return { ...changed, mark: widenedMark(changed.mark) };
}

/** A mark that finds the samples' lines as they are written. */
export function markInNotation(mark: TextMark, { notation }: PlainSamples): TextMark {
  return patternOf(notation) === undefined ? mark : widenedMark(mark);
}

function widenedMark<T extends TextMark | RowMark>(mark: T): T {
  return mark.kind === "pattern" ? { ...mark, source: widened(mark.source) } : mark;
}

function widened(source: string): string {
  return source.replaceAll(shortNumber, () => shortNumber.replace(String.raw`\deEdD`, () => String.raw`\d,eEdD`));
}
