import type { NumberColumnBuilder } from "../../../core/tables/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import type { ByteText } from "../../../formats/text/index.ts";
import type { TableLocation } from "../../../formats/descriptions/index.ts";
import type { Batch } from "./batch.ts";
import { UnfitNumber, type PresentValue } from "./value-reader.ts";
import { lineAt, type Line } from "./line.ts";
import type { Marker } from "./row-mark.ts";
import { RowScanner, type Scanner } from "./row-scanner.ts";
import { SeparatedScanner } from "./separated-scanner.ts";
import type { TableColumn } from "./table-column.ts";

/** Progress of a table. */
export interface Progress {
  /** Offset of the next line. */
  pos: number;
  /** Lines read. */
  lines: number;
}

/** A line that ended a table although it has the number of entries of a row: data may be lost. */
export interface TableEnd {
  readonly line: number;
  readonly text: string;
}

/**
 * Reads a table of the input. It starts below its marked row (without one, at any line that fits) and ends at the
 * first line with another number of entries or an entry of another type. Lines without letters and digits between the
 * row and the first data are skipped.
 */
export class TabularReader {
  readonly columns: readonly TableColumn[];
  readonly marker: Marker | undefined;
  readonly #skip: number;
  /** Entries of every row, if the description defines them; 0: as many as the first row has. */
  readonly #entries: number;
  /** Maximum number of rows. */
  readonly #most: number;
  readonly #separator: string | undefined;
  readonly #scanner: Scanner;
  readonly #foreign: () => void;
  #active = false;
  /** True after the first row. */
  #hasRows = false;
  #rows = 0;
  /** Lines still to skip. */
  #toSkip = 0;
  /** Entries of a row; 0: unknown before the first row. */
  #expected = 0;
  #headings: { readonly count: number; readonly line: number } | undefined;
  /** undefined: already written; null: an empty entry. */
  readonly #values: (PresentValue | null | undefined)[] = [];
  /** The column that did not fit the last line. */
  #misfit: TableColumn | undefined;
  #ends: TableEnd[] = [];

  constructor(
    location: TableLocation,
    columns: readonly TableColumn[],
    marker: Marker | undefined,
    foreign: () => void,
  ) {
    this.columns = columns;
    this.marker = marker;
    this.#skip = location.start - 1;
    this.#separator = location.separator;
    this.#scanner =
      this.#separator === undefined ? new RowScanner(location.blanks ?? "") : new SeparatedScanner(this.#separator);
    this.#entries = location.columns ?? 0;
    this.#expected = this.#entries;
    this.#most = location.most ?? Number.POSITIVE_INFINITY;
    this.#foreign = foreign;
    this.#active = marker === undefined;
  }

  get isActive(): boolean {
    return this.#active;
  }

  /** True when the marked row is the first row of data. */
  get startsAtOnce(): boolean {
    return this.#skip < 0;
  }

  /** Unexpected ends of the table since the last call. */
  takeEnds(): readonly TableEnd[] {
    const ends = this.#ends;
    if (ends.length > 0) this.#ends = [];
    return ends;
  }

  /** Starts a new input set: active tables end, those without a mark may start anywhere. */
  reset(): void {
    this.#active = this.marker === undefined;
    this.#forgetRows();
  }

  #forgetRows(): void {
    this.#hasRows = false;
    this.#rows = 0;
    this.#expected = this.#entries;
  }

  /** Starts the table at the row above it. `line` is undefined for the row before the first line. */
  start(line: Line | undefined): void {
    this.#active = true;
    this.#forgetRows();
    this.#toSkip = Math.max(0, this.#skip);
    this.#headings = undefined;
    for (const column of this.columns) {
      const count = line && column.takeHeading(line, this.#separator);
      if (line && count !== undefined) this.#headings = { count, line: line.number };
    }
  }

  /**
   * Reads rows from the start of a line until `stop`, for at most `most` lines, or until the table ends or the batch
   * is full.
   */
  readRows(block: ByteText, from: number, stop: number, most: number, batch: Batch, number: number): Progress {
    const progress = { pos: from, lines: 0 };
    const { bytes } = block;
    while (progress.pos < stop && progress.lines < most && !batch.isFull) {
      const end = this.#scanner.scan(bytes, progress.pos);
      if (!this.#takeRow(block, progress.pos, batch, number + progress.lines) && !this.#active) return progress;
      progress.pos = end + 1;
      progress.lines += 1;
      if (!this.#active) break;
    }
    return progress;
  }

  /** Returns true when the line was a row. Otherwise the table may have ended and is inactive. */
  #takeRow(block: ByteText, start: number, batch: Batch, number: number): boolean {
    const { count } = this.#scanner;
    if (this.#toSkip > 0) {
      this.#toSkip -= 1;
      return false;
    }
    if (!this.#hasRows && this.marker && !this.startsAtOnce && this.#isRule(block.bytes)) return false;
    const fits = count > 0 && (this.#expected === 0 || count === this.#expected);
    if (fits && this.#readColumns(block, start, batch, number)) {
      this.#countRow(count, number);
      return true;
    }
    if (this.#hasRows && fits) this.#noteEnd(block, number);
    const again = this.#hasRows && !this.marker;
    this.reset();
    return again && this.#takeRow(block, start, batch, number);
  }

  #countRow(count: number, number: number): void {
    if (!this.#hasRows) this.#firstRow(count, number);
    this.#hasRows = true;
    this.#rows += 1;
    if (this.#rows >= this.#most) this.#active = false;
  }

  #noteEnd(block: ByteText, line: number): void {
    const column = this.#misfit;
    const scanner = this.#scanner;
    if (!column) return;
    const { reader, entry } = column;
    const { name } = reader.variable;
    const text =
      entry < 0
        ? undefined
        : block.textBetween(scanner.starts[entry] as number, scanner.ends[entry] as number, this.#foreign);
    const problem =
      text === undefined
        ? `there is no ${reader.typeName}`
        : `'${text.slice(0, 80)}' is not a valid ${reader.typeName}`;
    this.#ends.push({ line, text: `the table ends here: ${problem} for '${name}'` });
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

  /** True for a line of punctuation only, such as a rule below the headings, or an empty line. */
  #isRule(bytes: Uint8Array): boolean {
    const { starts, ends, count } = this.#scanner;
    if (count === 0) return true;
    for (let at = starts[0] as number; at < (ends[Math.min(count, ends.length) - 1] as number); at++) {
      const byte = bytes[at] as number;
      if ((byte >= 48 && byte <= 57) || ((byte | 32) >= 97 && (byte | 32) <= 122) || byte >= 128) return false;
    }
    return true;
  }

  /** Appends a row to the batch; returns true when every column has a value of its type. */
  #readColumns(block: ByteText, start: number, batch: Batch, number: number): boolean {
    batch.grow();
    const { columns } = this;
    const values = this.#values;
    const scanner = this.#scanner;
    const row = batch.length;
    let slow = false;
    let fraction: UnfitNumber | undefined;
    this.#misfit = undefined;
    for (let at = 0; at < columns.length; at++) {
      const column = columns[at] as TableColumn;
      const { entry, fast } = column;
      if (entry >= scanner.count || entry >= scanner.starts.length) return false;
      const value =
        fast && entry >= 0
          ? fast(block.bytes, scanner.starts[entry] as number, scanner.ends[entry] as number)
          : Number.NaN;
      if (value === value) {
        (batch.columns[column.target] as NumberColumnBuilder).values[row] = value;
        values[at] = undefined;
      } else {
        slow = true;
        const parsed = this.#isEmpty(entry) ? null : this.#parseEntry(column, block, start, number);
        if (parsed === undefined) {
          this.#misfit = column;
          return false;
        }
        if (parsed instanceof UnfitNumber) fraction ??= parsed;
        else values[at] = parsed;
      }
    }
    if (fraction) throw fraction.at(number);
    if (slow) this.#writeValues(batch, row);
    batch.length = row + 1;
    return true;
  }

  #isEmpty(entry: number): boolean {
    return this.#separator !== undefined && entry >= 0 && this.#scanner.starts[entry] === this.#scanner.ends[entry];
  }

  #parseEntry(
    column: TableColumn,
    block: ByteText,
    start: number,
    number: number,
  ): PresentValue | UnfitNumber | undefined {
    const { starts, ends } = this.#scanner;
    const { entry } = column;
    if (entry >= 0 && this.#separator !== undefined) return column.reader.readField(this.#fieldAt(block, entry));
    if (entry >= 0 && column.reader.isWord)
      return block.textBetween(starts[entry] as number, ends[entry] as number, this.#foreign);
    return column.read(lineAt(block, start, number, this.#foreign), starts[Math.max(entry, 0)] ?? start);
  }

  /** Decodes doubled quotes in a quoted entry. */
  #fieldAt(block: ByteText, entry: number): string {
    const start = this.#scanner.starts[entry] as number;
    const text = block.textBetween(start, this.#scanner.ends[entry] as number, this.#foreign);
    return block.bytes[start - 1] === 34 ? text.replaceAll('""', '"') : text;
  }

  #writeValues(batch: Batch, row: number): void {
    this.#values.forEach((value, at) => {
      const column = this.columns[at];
      if (value !== undefined && column) batch.columns[column.target]?.set(row, value);
    });
  }
}
