import type { ByteText } from "../../../../formats/text/index.ts";
import type { TableLocation } from "../../../../formats/descriptions/index.ts";
import type { Look } from "../finders/finder.ts";
import { lineAt, type Line } from "../line.ts";
import type { Marker } from "../row-mark.ts";
import { isRule, type Scanner } from "./row-scanner.ts";
import { RowCell } from "./row-cell.ts";
import type { RowTable, TableSink } from "./row-table.ts";
import type { TableColumn } from "./table-column.ts";
import { SkippedLines, TableEnds } from "./table-ends.ts";
import { TableHeadings } from "./table-headings.ts";
import { TableRow } from "./table-row.ts";
import type { TableRules } from "./table-rules.ts";
import { hasEmptyEntries, isDelimited, tableScanner, type TableShapes } from "./table-shapes.ts";

/**
 * Reads a table of the input. It starts at or below its marked row, and ends at an empty line, at a line with another
 * number of entries, or at its maximum number of rows; by its rules also at a line with a cell of another type.
 */
export class TableReader implements RowTable {
  readonly location: TableLocation;
  readonly columns: readonly TableColumn[];
  /** undefined: any line starts the table. */
  readonly marker: Marker | undefined;
  /** The cells of the last row. */
  readonly row: TableRow;
  readonly #rules: TableRules;
  readonly #sink: TableSink;
  readonly #scanner: Scanner;
  #active: boolean;
  /** True after the first row. */
  #hasRows = false;
  #rows = 0;
  /** Lines still to skip. */
  #toSkip = 0;
  /** Entries of a row; 0: unknown before the first row. */
  #expected: number;
  /** Lines to skip may be rows. */
  #maySkipRows: boolean;
  readonly #headings: TableHeadings;
  /** The line being examined has the mark of a table with headings. */
  #isHeader = false;
  readonly #ends = new TableEnds();
  readonly #skipped: SkippedLines;
  readonly #skipsText: boolean;

  constructor(
    location: TableLocation,
    columns: readonly TableColumn[],
    marker: Marker | undefined,
    rules: TableRules,
    sink: TableSink,
    shapes: TableShapes | undefined,
  ) {
    this.location = location;
    this.columns = columns;
    this.marker = marker;
    this.#rules = rules;
    this.#sink = sink;
    const locations = columns.map((column) => column.location);
    this.#scanner = tableScanner(location, locations, shapes);
    const cell = new RowCell(this.#scanner, isDelimited(location), location.separator !== undefined, () =>
      sink.foreign(),
    );
    this.row = new TableRow(columns, this.#scanner, cell, hasEmptyEntries(location));
    this.#headings = new TableHeadings(location, columns, shapes);
    columns.forEach((column, at) => {
      if (column.location.position.kind === "characters") column.entry = at;
    });
    this.#skipped = new SkippedLines(location);
    this.#skipsText = this.#skipped.needsText;
    this.#expected = location.columns ?? 0;
    this.#active = marker === undefined && rules.waits;
    this.#maySkipRows = marker === undefined;
    if (marker === undefined && !rules.waits) this.#ends.watchAfter(0, this.#expected);
    if (location.rows.some((row) => row.kind === "number" && row.number === 0)) this.#start(undefined);
  }

  get startsRun(): boolean {
    return this.location.startsRun === true;
  }

  /** Number of lines before the marked row that belong to the header. */
  get linesBefore(): number {
    return this.#headings.linesBefore;
  }

  get isActive(): boolean {
    return this.#active || (this.marker === undefined && !this.#rules.waits);
  }

  takeEnds(): ReturnType<TableEnds["take"]> {
    return this.#ends.take();
  }

  get isWatching(): boolean {
    return this.#ends.lost !== undefined && !this.isActive;
  }

  watch(block: ByteText, start: number, number: number): number {
    const next = this.#scanner.scan(block.bytes, start) + 1;
    if (!this.#active) this.#ends.examine(this.row, block, start, number);
    return next;
  }

  reportLost(): void {
    this.#ends.reportLost((...notice) => this.#sink.report(...notice));
  }

  /** Starts a new input set or run: active tables end, those that wait for their first row may start anywhere. */
  reset(): void {
    this.reportLost();
    this.#end();
  }

  #end(): void {
    this.#active = this.marker === undefined && this.#rules.waits;
    this.#forgetRows();
  }

  #forgetRows(): void {
    this.#hasRows = false;
    this.#rows = 0;
    this.#expected = this.location.columns ?? 0;
  }

  #begin(skip: number): void {
    this.#active = true;
    this.#toSkip = skip;
    this.#forgetRows();
  }

  /** Starts the table at the row above it; undefined: the row before the first line. */
  #start(look: Look | undefined): void {
    this.reportLost();
    this.#begin(Math.max(0, this.location.start - 1));
    this.#skipped.reset();
    const mark = look && this.location.start > 0 ? look.line.rest(look.line.start) : undefined;
    if (look && mark !== undefined) this.#maySkipRows = this.#ends.startAgain(look.line.number, mark);
    if (mark !== undefined) this.#skipped.addHead(mark);
    this.#headings.start(look);
    this.#expected = this.location.columns ?? (this.row.hasOptional ? (this.#headings.count ?? 0) : 0);
  }

  startsAt(line: Line): boolean {
    return !this.#active && this.marker?.marks(line) === true;
  }

  offer(look: Look): "row" | "start" | undefined {
    const { line } = look;
    const isHeader = this.#headings.areUsed && this.marker?.marks(line) === true;
    this.#isHeader = isHeader;
    const isRow = this.isActive && this.#scanLine(line);
    this.#isHeader = false;
    const mayStart = this.#rules.restarts || isHeader ? !isRow : !this.#active;
    if (!mayStart || this.marker?.marks(line) !== true) return isRow ? "row" : undefined;
    this.#start(look);
    return this.location.start > 0 || this.#scanLine(line) ? "start" : undefined;
  }

  #scanLine({ block, start, number }: Line): boolean {
    this.#scanner.scan(block.bytes, start);
    return this.#takeLine(block, start, number);
  }

  readRows(
    block: ByteText,
    from: number,
    stop: number,
    most: number,
    number: number,
    others: readonly RowTable[],
  ): { pos: number; lines: number } {
    const progress = { pos: from, lines: 0 };
    const { bytes } = block;
    while (progress.pos < stop && progress.lines < most && this.isActive) {
      const end = this.#scanner.scan(bytes, progress.pos);
      if (!this.#takeLine(block, progress.pos, number + progress.lines))
        for (const other of others) other.watch(block, progress.pos, number + progress.lines);
      progress.pos = end + 1;
      progress.lines += 1;
    }
    return progress;
  }

  /** Returns true when the line was a row. Otherwise the table may have ended and is inactive. */
  #takeLine(block: ByteText, start: number, number: number): boolean {
    if (!this.#active) this.#begin(this.location.start);
    if (this.#toSkip > 0) return this.#skipLine(block, start, number);
    if (this.#scanner.isRule === true) return false;
    if (!this.#hasRows && this.#mayBeRule && isRule(block.bytes, this.#scanner))
      return this.#addHead(block, start, number);
    if (this.#skipsText && this.#skipped.has(this.#textAt(block, start, number)))
      return this.#ends.examineParts(this.row, block, start, number);
    const { count } = this.#scanner;
    if (!this.#hasRows && count > 0 && this.#headings.areUsed) this.#settleHeadings(block, start, number);
    const fits = this.row.hasEntries(count, this.#expected);
    if (fits && this.row.read(block, start, number)) {
      if (!this.row.isPlain) this.row.checkRange(number);
      this.#countRow(count, number);
      const doubt = this.row.isPlain ? undefined : this.row.doubt;
      if (doubt) this.#sink.report(doubt.kind, number, doubt.text);
      this.#sink.addRow(this, number);
      return true;
    }
    return this.#endAt(block, start, number, fits);
  }

  #settleHeadings(block: ByteText, start: number, number: number): void {
    const before = (offset: number): string => block.textBetween(start, offset, () => this.#sink.foreign());
    const row = { text: this.#textAt(block, start, number), scanner: this.#scanner, before };
    for (const { kind, text } of this.#headings.settle(row, this.#rules.headingsYield))
      this.#sink.report(kind, number, text);
  }

  /** Skips a line above the first row. */
  #skipLine(block: ByteText, start: number, number: number): false {
    this.#toSkip -= 1;
    this.#headings.takeLine(() => this.#textAt(block, start, number));
    this.#addHead(block, start, number);
    // Without the mark the description did not ask for this line to be skipped.
    if (this.#maySkipRows) this.#ends.examine(this.row, block, start, number);
    return false;
  }

  /** A line above the first row may be repeated below it. */
  #addHead(block: ByteText, start: number, number: number): false {
    if (this.#skipsText && this.#scanner.count > 0) this.#skipped.addHead(this.#textAt(block, start, number));
    return false;
  }

  #textAt(block: ByteText, start: number, number: number): string {
    return lineAt(block, start, number, () => this.#sink.foreign()).rest(start);
  }

  /** True for tables with lines of punctuation between their headings and their first row. */
  get #mayBeRule(): boolean {
    const hasHeadings = this.#rules.skipsPunctuation || this.#headings.areUsed;
    return hasHeadings && this.marker !== undefined && this.location.start > 0;
  }

  /** A line that is no row ends the table, or is skipped. Returns true when it is the first row of the next table. */
  #endAt(block: ByteText, start: number, number: number, fits: boolean): boolean {
    if (this.#scanner.count === 0 && this.location.skipsBlank === true) return false;
    if (fits && !this.#rules.misfitEnds) {
      this.#reportSkipped(number);
      return this.#ends.examineParts(this.row, block, start, number);
    }
    const waits = this.marker === undefined && this.#rules.waits;
    const again = waits && this.#hasRows;
    if (!waits || again) this.#noteEnd(block, start, number, fits);
    this.#end();
    if (again) return this.#takeLine(block, start, number);
    if (waits && this.row.mayDifferInUnits(block, start, number)) this.#ends.noteUnits(number);
    return waits && this.#ends.examineParts(this.row, block, start, number);
  }

  #noteEnd(block: ByteText, start: number, line: number, fits: boolean): void {
    const [hasRows, isMarked, expected] = [this.#hasRows, this.marker !== undefined, this.#expected];
    const { count: entries } = this.#scanner;
    const misfit = fits ? this.row.misfit : undefined;
    // A table without a mark starts again at such a line.
    const mayBePartial = !fits && expected > 0 && (isMarked || !this.#rules.waits);
    const isPartial = mayBePartial && this.row.isPartial(block, start, line, expected);
    this.#ends.note(line, { hasRows, isMarked, misfit, isPartial, entries, expected });
    if (!isMarked && this.#rules.waits) return;
    // The only row of a table may have been a foreign line.
    const isSure = this.#rows > 1 || this.#headings.count !== undefined || this.location.columns !== undefined;
    const entriesOfRows = hasRows ? (isSure ? expected : 0) : (this.#headings.count ?? expected);
    this.#ends.watchAfter(line, entriesOfRows, isPartial ? entries : 0);
    this.#ends.examineParts(this.row, block, start, line);
  }

  #countRow(count: number, number: number): void {
    if (!this.#hasRows) this.#firstRow(count, number);
    this.#hasRows = true;
    this.#ends.entriesOfRows = this.#expected;
    this.#ends.lineOfRows = number;
    this.#rows += 1;
    if (this.#rows === this.location.most) this.#active = false;
  }

  #firstRow(count: number, number: number): void {
    this.#headings.check(count, number, (headings) => {
      this.#expected = headings;
      return this.row.hasEntries(count, this.#expected);
    });
    if (!this.row.hasOptional || this.#expected === 0) this.#expected = count;
  }

  #reportSkipped(line: number): void {
    const { misfit } = this.row;
    if (!misfit || this.#isHeader) return;
    const text = `row skipped: ${misfit.problem} for '${misfit.variable.name}'`;
    this.#sink.report("row skipped", line, text);
  }
}
