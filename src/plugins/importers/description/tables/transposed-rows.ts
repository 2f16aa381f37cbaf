import { sameDimension, type Unit, type Value } from "../../../../core/values/index.ts";
import type { Variable } from "../../../../core/variables/index.ts";
import type { RowLayout, TextMark, TransposedValue } from "../../../../formats/descriptions/index.ts";
import { compilePattern } from "../../../../formats/text/index.ts";
import type { Literal } from "../finders/keyword-search.ts";
import type { Line } from "../line.ts";
import { markerOf, type Marker } from "../row-mark.ts";
import { bareWord } from "../values/number-reader.ts";
import { unitOf } from "../values/unit-words.ts";
import { EntrySplitter } from "./entry-splitter.ts";
import { entryValue, noRows, type EntryReader, type LineTable, type ReportLine } from "./line-table.ts";
import { haveSpacesInNumbers } from "./table-shapes.ts";

/** The end of the mark in a line, and where the mark begins; undefined: the line does not have it. */
type FindMark = (text: string) => { readonly start: number; readonly end: number } | undefined;

interface Label {
  readonly reader: EntryReader;
  readonly marker: Marker;
  readonly find: FindMark;
  readonly missing: readonly string[];
}

interface Values {
  readonly line: number;
  readonly values: readonly Value[];
}

/** A table with a line per variable. Its rows are complete with the last of the lines. */
export class TransposedRows implements LineTable {
  readonly variables: readonly Variable[];
  readonly literals: readonly Literal[];
  readonly everyLine: boolean;
  readonly #labels: readonly Label[];
  readonly #splitter: EntrySplitter;
  /** Blanks separate entries, so that a unit after a number is an entry. */
  readonly #hasUnitEntries: boolean;
  readonly #report: ReportLine;
  readonly #found = new Map<Label, Values>();
  /** Why the last line of a label was not read. */
  readonly #refused = new Map<Label, string>();

  /** `readers` are those of the values that are not fixed by the user. */
  constructor(
    layout: RowLayout,
    values: readonly { readonly value: TransposedValue; readonly reader: EntryReader }[],
    report: ReportLine,
  ) {
    this.#splitter = new EntrySplitter(layout, haveSpacesInNumbers(values.map(({ value }) => value)));
    this.#hasUnitEntries = layout.separator === undefined && layout.gap === undefined && layout.grid !== true;
    this.#report = report;
    this.#labels = values.map(({ value, reader }) => ({
      reader,
      marker: markerOf(value.row),
      find: searchOf(value.row),
      missing: value.missing ?? [],
    }));
    this.variables = values.map(({ reader }) => reader.variable);
    this.literals = this.#labels.flatMap(({ marker }) => marker.literals);
    this.everyLine = this.#labels.some(({ marker }) => marker.everyLine);
  }

  take(line: Line): readonly (readonly Value[])[] {
    const found = this.#labelOf(line);
    if (!found) return noRows;
    const values = this.#valuesOf(found.label, found.rest, line.number);
    if (!values) return noRows;
    if (this.#found.has(found.label)) this.reset(line.number);
    this.#found.set(found.label, { line: line.number, values });
    return this.#found.size === this.#labels.length ? this.#rows() : noRows;
  }

  reset(line: number): void {
    const lines = [...this.#found.values()].map((each) => each.line);
    const absent = this.#labels.find((label) => !this.#found.has(label));
    const refused = absent && this.#refused.get(absent);
    this.#found.clear();
    this.#refused.clear();
    if (lines.length === 0 || absent === undefined) return;
    const why = refused === undefined ? "" : ` (${refused})`;
    const missing = `no line for '${absent.reader.variable.name}' before this one${why}`;
    const problem = `${missing}: the values of ${linesOf(lines)} are not stored`;
    this.#report("incomplete transposed table", line, problem);
  }

  /** The label that begins first in the line; of several, the longest. */
  #labelOf(line: Line): { readonly label: Label; readonly rest: string } | undefined {
    const candidates = this.#labels.filter(({ marker }) => marker.marks(line));
    if (candidates.length === 0) return undefined;
    const text = line.rest(line.start);
    const found = candidates.flatMap((label) => {
      const span = label.find(text);
      return span ? [{ label, ...span }] : [];
    });
    const [first] = found.sort((one, other) => one.start - other.start || other.end - one.end);
    return first && { label: first.label, rest: text.slice(first.end).replace(/^[\s=:]+/, "") };
  }

  /** undefined: the line is not one of the table. */
  #valuesOf(label: Label, rest: string, line: number): Value[] | undefined {
    const { reader, missing } = label;
    const values: Value[] = [];
    const words = (this.#splitter.split(rest) ?? []).map(({ text }) => text);
    const entries = this.#hasUnitEntries ? withUnits(words, reader.variable.unit, missing) : words;
    if (!entries) this.#refused.set(label, `line ${line}: some of its values have a unit, others have none`);
    for (const text of entries ?? []) {
      const isMissing = text === "" || missing.includes(text);
      const found = isMissing ? { value: null } : entryValue(reader, text, line, this.#report);
      if ("problem" in found) {
        if (values.length === 0) this.#refused.set(label, `line ${line}: ${found.problem}`);
        else this.#report("line of a transposed table", line, `${found.problem}; the line is not read`);
        return undefined;
      }
      values.push(found.value);
    }
    return values.length > 0 ? values : undefined;
  }

  #rows(): readonly (readonly Value[])[] {
    const columns = this.#labels.map((label) => this.#found.get(label) ?? { line: 0, values: [] });
    this.#found.clear();
    const counts = columns.map(({ values }) => values.length);
    const [count = 0] = counts;
    if (counts.every((each) => each === count))
      return Array.from({ length: count }, (_, at) => columns.map(({ values }) => values[at] ?? null));
    const lines = linesOf(columns.map(({ line }) => line));
    const problem = `the lines of a transposed table, ${lines}, have ${counts.join(", ")} values`;
    const last = Math.max(...columns.map(({ line }) => line));
    this.#report("lines of a transposed table", last, `${problem}: they are not stored`);
    return noRows;
  }
}

/**
 * Entries with the words after them that are units of the dimension of `target`. A unit after the last entry alone is
 * that of all. undefined: some of them lack a unit. `missing`: entries that stand for missing values.
 */
function withUnits(
  entries: readonly string[],
  target: Unit | undefined,
  missing: readonly string[],
): readonly string[] | undefined {
  const isUnit = entries.map((word) => {
    const unit = target && unitOf(bareWord(word));
    return unit !== undefined && sameDimension(unit, target);
  });
  const last = entries.length - 1;
  if (!isUnit.includes(true)) return entries;
  if (isUnit.indexOf(true) === last)
    return entries.slice(0, last).map((word) => (missing.includes(word) ? word : `${word} ${entries[last]}`));
  const lacksUnit = entries.some((word, at) => !isUnit[at] && isUnit[at + 1] !== true && !missing.includes(word));
  if (lacksUnit) return undefined;
  return entries.flatMap((word, at) => (isUnit[at] ? [] : isUnit[at + 1] ? `${word} ${entries[at + 1]}` : word));
}

function linesOf(lines: readonly number[]): string {
  return `${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}`;
}

function searchOf(mark: TextMark): FindMark {
  if (mark.kind === "pattern") return compilePattern(mark.source).search;
  return (text) => {
    const start = text.indexOf(mark.text);
    return start < 0 ? undefined : { start, end: start + mark.text.length };
  };
}
