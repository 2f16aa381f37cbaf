import { firstNames } from "../../../../core/text/index.ts";
import { isFailure, Failure } from "../../../../core/failures/index.ts";
import type { Value } from "../../../../core/values/index.ts";
import { type Variable, hasUnits } from "../../../../core/variables/index.ts";
import type { MatrixLocation, RowMark } from "../../../../formats/descriptions/index.ts";
import type { Literal } from "../finders/keyword-search.ts";
import type { Line } from "../line.ts";
import { anyMarker, nextSelectedRow, type Marker } from "../row-mark.ts";
import { EntrySplitter } from "./entry-splitter.ts";
import { entryValue, noRows, type LineTable, type ReportLine, type EntryReader } from "./line-table.ts";
import { haveSpacesInNumbers, type MatrixReaders, type TextEntry } from "./table-shapes.ts";

/** The line above a matrix: the headings of its columns of cells, perhaps after a text above the labels. */
class MatrixHeadings {
  readonly #line: number;
  readonly #entries: readonly TextEntry[];
  /** The entries after the text that marks the line. */
  readonly #afterMark: readonly TextEntry[];
  readonly #reader: EntryReader;

  constructor(
    line: number,
    text: string,
    entries: readonly TextEntry[],
    marks: readonly RowMark[],
    reader: EntryReader,
  ) {
    this.#line = line;
    this.#entries = entries;
    const ends = marks.flatMap((mark) => (mark.kind === "keyword" ? [endOf(text, mark.text)] : []));
    const end = Math.max(0, ...ends);
    this.#afterMark = end === 0 ? [] : entries.filter(({ at }) => at >= end);
    this.#reader = reader;
  }

  /**
   * The headings above `cells` cells; `cells` undefined: all that can be headings. Fails with `heading-mismatch` if
   * they do not correspond to the cells.
   */
  values(cells: number | undefined, row: number): readonly Value[] {
    const found = this.#candidates(cells);
    const values = found?.map(({ text }) => entryValue(this.#reader, text, this.#line));
    const valid = values?.flatMap((each) => ("value" in each ? each.value : []));
    if (valid && valid.length > 0 && valid.length === values?.length) return valid;
    throw new Failure("matrix-headings", {
      line: this.#line,
      headings: this.#entries.length,
      row,
      cells: cells ?? 0,
      variable: this.#reader.variable.name,
    });
  }

  #candidates(cells: number | undefined): readonly TextEntry[] | undefined {
    const all = this.#entries;
    const last = this.#lastValues();
    if (cells === undefined) return this.#afterMark.length > 0 ? this.#afterMark : last;
    if (this.#afterMark.length === cells) return this.#afterMark;
    if (all.length === cells) return all;
    // A number above the labels could be the heading of a column that the row lacks.
    if (last.length < all.length && last.length === cells) return last;
    return all.length === cells + 1 && !hasUnits(this.#reader.variable.type) ? all.slice(1) : undefined;
  }

  /** The entries at the end of the line that are values. */
  #lastValues(): readonly TextEntry[] {
    let from = this.#entries.length;
    while (from > 0 && "value" in entryValue(this.#reader, this.#entries[from - 1]?.text ?? "", this.#line)) from -= 1;
    return this.#entries.slice(from);
  }
}

function endOf(text: string, keyword: string): number {
  const at = text.indexOf(keyword);
  return at < 0 ? 0 : at + keyword.length;
}

/** The line with which a matrix ended. */
interface MatrixEnd {
  readonly line: number;
  /** Lines after it that are still compared with the rows. */
  left: number;
  /** Lines after it that look like rows. */
  readonly alike: number[];
}

/** Lines after the end of a matrix that are compared with its rows. */
const mostLinesAfter = 1000;

/** Reads a matrix: each cell is a row of its heading, its label and its value. Cells without a value are left out. */
export class MatrixRows implements LineTable {
  readonly variables: readonly Variable[];
  readonly literals: readonly Literal[];
  readonly #location: MatrixLocation;
  readonly #readers: MatrixReaders;
  readonly #marker: Marker | undefined;
  readonly #splitter: EntrySplitter;
  readonly #report: ReportLine;
  #headings: MatrixHeadings | undefined;
  #across: readonly Value[] = [];
  #toSkip = 0;
  #rows = 0;
  #end: MatrixEnd | undefined;

  constructor(location: MatrixLocation, readers: MatrixReaders, report: ReportLine) {
    this.#location = location;
    this.#readers = readers;
    this.#report = report;
    this.#splitter = new EntrySplitter(location, haveSpacesInNumbers([location.cell, location.across, location.down]));
    this.#marker = anyMarker(location.rows);
    this.literals = this.#marker?.literals ?? [];
    this.variables = [readers.across.variable, readers.down.variable, readers.cell.variable];
  }

  /** Rows, and lines after the end that may be rows, have no keyword. */
  get everyLine(): boolean {
    return this.#headings !== undefined || this.#end !== undefined || (this.#marker?.everyLine ?? false);
  }

  nextRow(from: number): number {
    return this.#marker ? nextSelectedRow(this.#marker, from) : Number.POSITIVE_INFINITY;
  }

  take(line: Line): readonly (readonly Value[])[] {
    if (this.#marker?.marks(line)) {
      this.reset();
      this.#start(line);
      return noRows;
    }
    if (this.#end) this.#watch(this.#end, line);
    return this.#headings ? this.#takeRow(this.#headings, line) : noRows;
  }

  reset(): void {
    this.#headings = undefined;
    if (this.#end && this.#end.alike.length > 0) {
      const { line, alike } = this.#end;
      const shown = firstNames(alike.map(String), 10);
      this.#report(
        "rows after a matrix",
        line,
        `the matrix ends here, but lines after it look like its rows: ${shown}`,
      );
    }
    this.#end = undefined;
  }

  #start(line: Line): void {
    const text = line.rest(line.start);
    const { rows, start } = this.#location;
    this.#headings = new MatrixHeadings(
      line.number,
      text,
      this.#splitter.split(text) ?? [],
      rows,
      this.#readers.across,
    );
    this.#across = [];
    this.#toSkip = start - 1;
    this.#rows = 0;
  }

  #takeRow(headings: MatrixHeadings, line: Line): readonly (readonly Value[])[] {
    if (this.#toSkip > 0) {
      this.#toSkip -= 1;
      return noRows;
    }
    const text = line.rest(line.start);
    const entries = this.#splitter.split(text);
    if (entries === undefined || (this.#rows === 0 && !/[\p{L}\p{N}]/u.test(text))) return noRows;
    if (this.#rows === 0 && entries.length > 1) this.#across = headings.values(this.#cellsOf(entries), line.number);
    const rows = this.#rowsOf(text, entries, line.number, true);
    if (rows) this.#rows += 1;
    if (!rows || this.#rows === this.#location.most) this.#stop(line.number, rows === undefined);
    return rows ?? noRows;
  }

  #stop(line: number, early: boolean): void {
    this.#headings = undefined;
    this.#end = early && this.#rows > 0 ? { line, left: mostLinesAfter, alike: [] } : undefined;
  }

  #watch(end: MatrixEnd, line: Line): void {
    if (this.#isAlike(line)) end.alike.push(line.number);
    end.left -= 1;
    if (end.left <= 0) this.reset();
  }

  #isAlike(line: Line): boolean {
    const text = line.rest(line.start);
    return isOrExceeds(() => this.#rowsOf(text, this.#splitter.split(text) ?? [], line.number, false) !== undefined);
  }

  /** The number of cells of the first row, if it defines that of the headings. */
  #cellsOf(entries: readonly TextEntry[]): number | undefined {
    return this.#location.label || this.#location.optional ? undefined : entries.length - 1;
  }

  /** The rows of a line of cells; undefined: it is none. */
  #rowsOf(
    text: string,
    entries: readonly TextEntry[],
    line: number,
    reports: boolean,
  ): readonly (readonly Value[])[] | undefined {
    const { label, optional } = this.#location;
    const most = this.#across.length;
    const cells = label ? most : Math.min(most, entries.length - 1);
    const words = entries.length - cells;
    if (cells < 1 || words < 1 || (words > 1 && !label) || (cells < most && !optional)) {
      if (reports && this.#isUneven(entries)) this.#reportUneven(entries.length, line);
      return undefined;
    }
    const down = text.slice(entries[0]?.at, entryEnd(entries[words - 1]));
    const found = entryValue(this.#readers.down, down, line, reports ? this.#report : undefined);
    return "value" in found ? this.#cells(entries.slice(words), found.value, line, reports) : undefined;
  }

  /** True for a label and cells, or cells at the end, of which there are more or fewer than headings. */
  #isUneven(entries: readonly TextEntry[]): boolean {
    const most = this.#across.length;
    return this.#areCells(entries.slice(1)) || (most > 1 && this.#areCells(entries.slice(-most)));
  }

  #areCells(entries: readonly TextEntry[]): boolean {
    const present = entries.filter(({ text }) => text !== "" && this.#location.missing?.includes(text) !== true);
    const isCell = (text: string): boolean => isOrExceeds(() => "value" in entryValue(this.#readers.cell, text, 0));
    return present.length > 0 && present.every(({ text }) => isCell(text));
  }

  #reportUneven(entries: number, line: number): void {
    const expected = this.#across.length + 1;
    const problem = `a line that looks like a row but has ${entries} entries instead of ${expected}`;
    this.#report("matrix ends", line, `the matrix ends here, at ${problem}`);
  }

  #cells(
    entries: readonly TextEntry[],
    down: Value,
    line: number,
    reports: boolean,
  ): readonly (readonly Value[])[] | undefined {
    const { cell } = this.#readers;
    const rows: Value[][] = [];
    for (const [at, { text }] of entries.entries()) {
      if (text === "" || this.#location.missing?.includes(text)) continue;
      const found = entryValue(cell, text, line, reports ? this.#report : undefined);
      if ("problem" in found) {
        if (reports) this.#report("matrix ends", line, `the matrix ends here: ${found.problem}`);
        return undefined;
      }
      rows.push([this.#across[at] ?? null, down, found.value]);
    }
    return rows;
  }
}

/** True also for a number that the variable cannot hold. */
function isOrExceeds(test: () => boolean): boolean {
  try {
    return test();
  } catch (error) {
    if (isFailure(error, "bad-content")) return true;
    throw error;
  }
}

function entryEnd(entry: TextEntry | undefined): number {
  return entry ? entry.at + entry.text.length : 0;
}
