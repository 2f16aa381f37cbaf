import { Failure } from "../../../../core/failures/index.ts";
import type { ByteText } from "../../../../formats/text/index.ts";
import type { TableLocation } from "../../../../formats/descriptions/index.ts";
import { lineAt, type Line } from "../line.ts";
import type { Marker } from "../row-mark.ts";
import { isRule, RowScanner, type Scanner } from "./row-scanner.ts";
import { SeparatedScanner } from "./separated-scanner.ts";
import { RowCell } from "./row-cell.ts";
import { SkippedLines } from "./skipped-lines.ts";
import type { TableColumn } from "./table-column.ts";
import { TableEnds } from "./table-ends.ts";
import { TableRow } from "./table-row.ts";

/** What the two sets of rules do differently in a table. */
export interface TableRules {
  /** The marked row has headings that select columns; lines of punctuation may follow it. */
  readonly hasHeadings: boolean;
  /** A line with a cell of another type ends the table; else it is skipped. */
  readonly misfitEnds: boolean;
  /**
   * A table without a mark waits at every line for its first row, a line that ends it may be that of the next one, and
   * it stays ended after its maximum number of rows. Else it starts again below the line after its end.
   */
  readonly waits: boolean;
  /** A marked row restarts a table that is active and did not take it as a row; else only one that has ended. */
  readonly restarts: boolean;
}

/** Receives the rows and problems of a table. */
export interface TableSink {
  /** The table holds the cells of a row, until the next one is read. */
  addRow(table: TableReader, line: number): void;
  /** Reports a problem in a line; `most`: how often the kind is reported in full. */
  report(kind: string, line: number, text: string, most?: number): void;
  /** Reports text that is not UTF-8. */
  foreign(): void;
}

/**
 * Reads a table of the input. It starts at or below its marked row, and ends at an empty line, at a line with another
 * number of entries, or at its maximum number of rows; by its rules also at a line with a cell of another type.
 */
export class TableReader {
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
  #headings: { readonly count: number; readonly line: number } | undefined;
  readonly #ends = new TableEnds();
  readonly #skipped: SkippedLines;
  readonly #skipsText: boolean;

  constructor(
    location: TableLocation,
    columns: readonly TableColumn[],
    marker: Marker | undefined,
    rules: TableRules,
    sink: TableSink,
  ) {
    this.location = location;
    this.columns = columns;
    this.marker = marker;
    this.#rules = rules;
    this.#sink = sink;
    const { separator, blanks = "" } = location;
    this.#scanner = separator === undefined ? new RowScanner(blanks) : new SeparatedScanner(separator);
    const cell = new RowCell(this.#scanner, separator !== undefined, () => sink.foreign());
    this.row = new TableRow(columns, this.#scanner, cell);
    this.#skipped = new SkippedLines(location);
    this.#skipsText = this.#skipped.needsText;
    this.#expected = location.columns ?? 0;
    this.#active = marker === undefined && rules.waits;
    if (marker === undefined && !rules.waits) this.#ends.watchAfter(0, this.#expected);
    if (location.rows.some((row) => row.kind === "number" && row.number === 0)) this.#start(undefined);
  }

  /** True when the next line may be a row. */
  get isActive(): boolean {
    return this.#active || (this.marker === undefined && !this.#rules.waits);
  }

  /** Unexpected ends of the table since the last call. */
  takeEnds(): ReturnType<TableEnds["take"]> {
    return this.#ends.take();
  }

  /** True when lines that no table takes have to be examined, since they may be lost rows. */
  get isWatching(): boolean {
    return this.#ends.lost !== undefined && !this.isActive;
  }

  /** Notes a line that is no row of any table if it looks like a row of this one; returns the offset of the next. */
  watch(block: ByteText, start: number, number: number): number {
    const next = this.#scanner.scan(block.bytes, start) + 1;
    const { lost } = this.#ends;
    const { count } = this.#scanner;
    if (lost && !this.#active && lost.fits(count) && this.row.resembles(block, start, number)) lost.add(number);
    return next;
  }

  /** Ends the input, its set or its run: reports lost rows. */
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

  /** Starts the table at the row above it. `line` is undefined for the row before the first line. */
  #start(line: Line | undefined): void {
    this.reportLost();
    this.#begin(Math.max(0, this.location.start - 1));
    this.#headings = undefined;
    this.#skipped.reset();
    if (line && this.location.start > 0) this.#skipped.addHead(line.rest(line.start));
    if (!line || !this.#rules.hasHeadings) return;
    const { blanks, separator } = this.location;
    for (const column of this.columns) {
      const count = column.takeHeading(line, blanks, separator);
      if (count !== undefined) this.#headings = { count, line: line.number };
    }
  }

  /** True when the line starts the table and it is not active already. */
  startsAt(line: Line): boolean {
    return !this.#active && this.marker?.marks(line) === true;
  }

  /** Handles a line that may start, continue, end or restart the table; returns what the line is to the table. */
  offer(line: Line): "row" | "start" | undefined {
    const isRow = this.isActive && this.#scanLine(line);
    const mayStart = this.#rules.restarts ? !isRow : !this.#active;
    if (!mayStart || this.marker?.marks(line) !== true) return isRow ? "row" : undefined;
    this.#start(line);
    if (this.location.start === 0) this.#scanLine(line);
    return "start";
  }

  #scanLine({ block, start, number }: Line): boolean {
    this.#scanner.scan(block.bytes, start);
    return this.#takeLine(block, start, number);
  }

  /**
   * Reads lines from the start of a line until `stop`, for at most `most` lines, or until the table ends. `others` have
   * ended and watch the lines that are no rows. Returns the offset of the next line and the number of lines.
   */
  readRows(
    block: ByteText,
    from: number,
    stop: number,
    most: number,
    number: number,
    others: readonly TableReader[],
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
    if (!this.#hasRows && this.#mayBeRule && isRule(block.bytes, this.#scanner))
      return this.#addHead(block, start, number);
    if (this.#skipsText && this.#skipped.has(this.#textAt(block, start, number))) return false;
    const { count } = this.#scanner;
    const fits = count > 0 && (this.#expected === 0 || count === this.#expected);
    if (fits && this.row.read(block, start, number)) {
      this.row.checkRange(number);
      this.#countRow(count, number);
      this.#sink.addRow(this, number);
      return true;
    }
    return this.#endAt(block, start, number, fits);
  }

  /** Skips a line above the first row. */
  #skipLine(block: ByteText, start: number, number: number): false {
    this.#toSkip -= 1;
    this.#addHead(block, start, number);
    // Without a mark the description did not ask for this line to be skipped.
    const lost = this.marker === undefined ? this.#ends.lost : undefined;
    if (lost?.fits(this.#scanner.count) && this.row.resembles(block, start, number)) lost.add(number);
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
    return this.#rules.hasHeadings && this.marker !== undefined && this.location.start > 0;
  }

  /** A line that is no row ends the table, or is skipped. Returns true when it is the first row of the next table. */
  #endAt(block: ByteText, start: number, number: number, fits: boolean): boolean {
    if (this.#scanner.count === 0 && this.location.skipsBlank === true) return false;
    if (fits && !this.#rules.misfitEnds) {
      this.#reportSkipped(number);
      return false;
    }
    const waits = this.marker === undefined && this.#rules.waits;
    if (!waits || this.#hasRows) this.#noteEnd(number, fits);
    const again = waits && this.#hasRows;
    this.#end();
    return again && this.#takeLine(block, start, number);
  }

  #noteEnd(line: number, fits: boolean): void {
    const [hasRows, isMarked, expected] = [this.#hasRows, this.marker !== undefined, this.#expected];
    const misfit = fits ? this.row.misfit : undefined;
    this.#ends.note(line, { hasRows, isMarked, misfit, entries: this.#scanner.count, expected });
    if (isMarked || !this.#rules.waits)
      this.#ends.watchAfter(line, hasRows ? expected : (this.#headings?.count ?? expected));
  }

  #countRow(count: number, number: number): void {
    if (!this.#hasRows) this.#firstRow(count, number);
    this.#hasRows = true;
    this.#rows += 1;
    if (this.#rows === this.location.most) this.#active = false;
  }

  #firstRow(count: number, number: number): void {
    this.#expected = count;
    if (!this.#headings || this.#headings.count === count) return;
    const heading = this.columns.find((column) => column.location.position.kind === "keyword")?.location.position;
    const keyword = heading?.kind === "keyword" ? heading.text : "";
    throw new Failure("heading-mismatch", {
      line: this.#headings.line,
      headings: this.#headings.count,
      row: number,
      entries: count,
      keyword,
    });
  }

  #reportSkipped(line: number): void {
    const { misfit } = this.row;
    if (!misfit) return;
    const text = `row skipped: ${misfit.problem} for '${misfit.variable.name}'`;
    this.#sink.report("row skipped", line, text);
  }
}
