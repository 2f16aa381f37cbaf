import type { Value } from "../../../../core/values/index.ts";
import type { Variable } from "../../../../core/variables/index.ts";
import type { RowUpdate } from "../../../../formats/descriptions/index.ts";
import type { ByteText } from "../../../../formats/text/index.ts";
import type { Batch } from "../batch.ts";
import type { Look } from "../finders/finder.ts";
import type { Line } from "../line.ts";
import type { Seeker } from "../row-mark.ts";

/** A column of the rows of a table. */
export interface RowColumn {
  readonly variable: Variable;
  /** Index of the column in the batch; -1: once per run. */
  readonly target: number;
  readonly location: { readonly update?: RowUpdate };
}

/** The values of a row. */
export interface RowValues {
  /** The value of a column. */
  value(at: number): Value;
  /** Appends the row to a batch; columns of values that are once per run have no target. */
  writeTo(batch: Batch): void;
}

/** A line that ended a table although it resembles a row, or before its first row: data may be lost. */
export interface TableEnd {
  readonly kind: string;
  readonly line: number;
  readonly text: string;
}

/** Receives the rows and problems of a table. */
export interface TableSink {
  /** The table holds the cells of a row, until the next one is read. */
  addRow(table: RowTable, line: number): void;
  /** Reports a problem; of each kind, the first `most` are shown, by default one. */
  report(kind: string, line: number, text: string, most?: number): void;
  /** Reports text that is not UTF-8. */
  foreign(): void;
}

/** A source of rows in an input. */
export interface RowTable {
  readonly columns: readonly RowColumn[];
  /** Selects the lines that the table has to examine. */
  readonly marker: Seeker | undefined;
  /** A run begins with the row that the table belongs to. */
  readonly startsRun: boolean;
  /** True when the next lines may be rows that `readRows` reads in bulk. */
  readonly isActive: boolean;
  /** The last row. */
  readonly row: RowValues;
  /** Unexpected ends of the table since the last call. */
  takeEnds(): readonly TableEnd[];
  /** True when lines that no table takes have to be examined, since they may be lost rows. */
  readonly isWatching: boolean;
  /** Notes a line that is no row of any table if it looks like a row of this one; returns the offset of the next. */
  watch(block: ByteText, start: number, number: number): number;
  /** Ends the input, its set or its run with or before line `line`: reports lost rows. */
  reportLost(line: number): void;
  /** Starts a new input set or run with or after line `line`. */
  reset(line: number): void;
  /** True when the line starts the table and it is not active already. */
  startsAt(line: Line): boolean;
  /**
   * Handles a line that may start, continue, end or restart the table; returns what the line is to the table. A marked
   * line that should be the first row and does not fit is nothing.
   */
  offer(look: Look): "row" | "start" | undefined;
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
    others: readonly RowTable[],
  ): { pos: number; lines: number };
}
