import type { ByteText } from "../../../../formats/text/index.ts";
import type { TableLocation } from "../../../../formats/descriptions/index.ts";
import type { Value } from "../../../../core/values/index.ts";
import type { PresentValue } from "../value-reader.ts";
import { occurrence } from "../explicit-finder.ts";
import { lineAt, type Line } from "../line.ts";
import type { Marker } from "../row-mark.ts";
import { RowScanner, type Scanner } from "../row-scanner.ts";
import { SeparatedScanner } from "../separated-scanner.ts";
import type { Progress } from "../table-reader.ts";

import type { StreamColumn } from "./stream-column.ts";

/** Receives the rows and problems of a table. */
export interface RowSink {
  /** The table's `numbers` and `values` hold a row, until the next one is read. */
  addRow(table: StreamTable, line: number): void;
  /** Reports a skipped row. */
  reportSkipped(line: number, problem: string): void;
  foreign(): void;
}

/**
 * A table of the stream. It starts at or below its marked row, and ends at an empty line, at a line with another
 * number of entries, or at its maximum number of rows. Rows with text for a number are skipped.
 */
export class StreamTable {
  readonly location: TableLocation;
  readonly columns: readonly StreamColumn[];
  /** Empty: any line starts the table. */
  readonly markers: readonly Marker[];
  readonly hasUpdate: boolean;
  /** Of the last row: NaN where the value is in `values`. */
  readonly numbers: Float64Array;
  readonly values: (PresentValue | null)[];
  readonly #scanner: Scanner;
  readonly #taker: RowSink;
  #active = false;
  #toSkip = 0;
  /** Entries of a row; 0 before the first. */
  #expected = 0;
  #rows = 0;

  constructor(location: TableLocation, columns: readonly StreamColumn[], markers: readonly Marker[], taker: RowSink) {
    this.location = location;
    this.columns = columns;
    this.markers = markers;
    this.hasUpdate = columns.some((column) => column.location.update !== undefined);
    this.numbers = new Float64Array(columns.length).fill(Number.NaN);
    this.values = columns.map(() => null);
    this.#scanner =
      location.separator === undefined
        ? new RowScanner(location.blanks ?? "")
        : new SeparatedScanner(location.separator);
    this.#taker = taker;
    if (location.rows.some((row) => row.kind === "number" && row.number === 0)) this.#start(location.start - 1);
  }

  /** The value of a column in the last row. */
  value(at: number): Value {
    const value = this.numbers[at] ?? Number.NaN;
    return Number.isNaN(value) ? (this.values[at] ?? null) : value;
  }

  /** True when the next line may be a row. */
  get isActive(): boolean {
    return this.#active || this.markers.length === 0;
  }

  reset(): void {
    this.#active = false;
  }

  /** True when the line starts the table and it is not active already. */
  startsAt(line: Line): boolean {
    if (this.#active || this.markers.length === 0) return false;
    return this.markers.some((marker) => marker.marks(line));
  }

  #start(skip: number): void {
    this.#active = true;
    this.#toSkip = skip;
    this.#expected = this.location.columns ?? 0;
    this.#rows = 0;
  }

  /** Reads lines from the start of a line until `stop`, for at most `most` lines, or until the table ends. */
  readRows(block: ByteText, from: number, stop: number, most: number, number: number): Progress {
    const progress = { pos: from, lines: 0 };
    const { bytes } = block;
    while (progress.pos < stop && progress.lines < most && this.isActive) {
      const end = this.#scanner.scan(bytes, progress.pos);
      this.#takeLine(block, progress.pos, number + progress.lines);
      progress.pos = end + 1;
      progress.lines += 1;
    }
    return progress;
  }

  /** Handles a line that may start, continue, end or restart the table. */
  offer(line: Line): void {
    const { block, start, number } = line;
    if (this.isActive) {
      this.#scanner.scan(block.bytes, start);
      this.#takeLine(block, start, number);
    }
    if (!this.startsAt(line)) return;
    this.#start(this.location.start);
    this.#scanner.scan(block.bytes, start);
    this.#takeLine(block, start, number);
  }

  #takeLine(block: ByteText, start: number, number: number): void {
    if (!this.#active) this.#start(this.location.start);
    if (this.#toSkip > 0) {
      this.#toSkip -= 1;
      return;
    }
    const { count } = this.#scanner;
    if (count === 0 || (this.#expected !== 0 && count !== this.#expected)) {
      this.#active = false;
      return;
    }
    if (!this.#readColumns(block, start, number)) return;
    if (this.#expected === 0) this.#expected = count;
    this.#rows += 1;
    if (this.#rows === this.location.most) this.#active = false;
    this.#taker.addRow(this, number);
  }

  #readColumns(block: ByteText, start: number, number: number): boolean {
    const { columns, numbers } = this;
    const scanner = this.#scanner;
    for (let at = 0; at < columns.length; at++) {
      const column = columns[at] as StreamColumn;
      const { entry, fast } = column;
      if (entry >= scanner.count || entry >= scanner.starts.length)
        return this.#pass(column, number, `it has only ${scanner.count} entries`);
      const value =
        fast && entry >= 0
          ? fast(block.bytes, scanner.starts[entry] as number, scanner.ends[entry] as number)
          : Number.NaN;
      numbers[at] = value;
      if (value !== value && !this.#readValue(column, at, block, start, number)) return false;
    }
    return true;
  }

  #readValue(column: StreamColumn, at: number, block: ByteText, start: number, number: number): boolean {
    const text = this.#entryOf(column, block, start, number);
    const value = text === undefined ? undefined : column.typed.read(text, number);
    if (value === undefined && column.fallback === undefined && (text === undefined || column.needsValue))
      return this.#pass(
        column,
        number,
        text === undefined ? "it does not contain the keyword" : `'${text.slice(0, 40)}' is not a valid value`,
      );
    this.values[at] = value ?? column.fallback ?? null;
    return true;
  }

  #pass(column: StreamColumn, line: number, problem: string): false {
    this.#taker.reportSkipped(line, `row skipped: ${problem} for '${column.typed.variable.name}'`);
    return false;
  }

  #entryOf(column: StreamColumn, block: ByteText, start: number, number: number): string | undefined {
    const { starts, ends } = this.#scanner;
    const foreign = (): void => this.#taker.foreign();
    if (column.entry >= 0)
      return block.textBetween(starts[column.entry] as number, ends[column.entry] as number, foreign);
    const { position, repetition } = column.location;
    const row = lineAt(block, start, number, foreign).rest(start);
    const keyword = position.kind === "keyword" ? position.text : "";
    const at = occurrence(row, keyword, repetition);
    return at < 0
      ? undefined
      : row
          .slice(at + keyword.length)
          .trim()
          .split(/\s+/, 1)[0];
  }
}
