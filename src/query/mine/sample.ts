import type { Column, NumberColumn } from "../../core/tables/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { ParameterSets } from "./parameter-sets.ts";
import type { OrderedRun } from "./finding.ts";

/** Runs and sets of values that are ordered by set, by run and as imported. */
interface Positions {
  /** For each value the index of its run in run order, and its row number in the run (null: one value per run). */
  readonly runs: Int32Array;
  readonly rowNumbers: Int32Array | null;
  /** Start of the values of each set, followed by the end. */
  readonly starts: Int32Array;
}

/** The usable values of one result. */
export interface Sample extends Positions {
  readonly variable: Variable;
  readonly values: Float64Array;
  /** Number of values that are not finite or too large to square. */
  readonly nonFinite: number;
}

/** What the query returns for each row in addition to results. */
export interface Rows {
  /** The index of the run in the order; -1: none. */
  readonly runs: Int32Array;
  /** Null: one row per run. */
  readonly rowNumbers: Int32Array | null;
  readonly order: readonly OrderedRun[];
}

/** The order of the rows, and the positions of a result with a value in each, which such results share. */
export interface Layout {
  readonly rows: Rows;
  readonly sets: ParameterSets;
  readonly sorted: Uint32Array;
  readonly positions: Positions;
}

/** Sorts rows by set, then by the order of runs. Omits rows of unordered runs. */
export function layoutOf(rows: Rows, sets: ParameterSets): Layout {
  const sorted = countingSort(orderedRows(rows), sets.codes, sets.count);
  return { rows, sets, sorted, positions: positionsOf(sorted, rows, sets) };
}

/** Rows by index, or the number of all rows in their order. */
type RowList = Uint32Array | number;

/** Rows in the order of runs, which most databases return them in. */
function orderedRows({ runs, order }: Rows): RowList {
  let isSorted = true;
  for (let [row, last] = [0, 0]; row < runs.length && isSorted; row++) {
    const run = runs[row] as number;
    isSorted = run >= last;
    last = run;
  }
  if (isSorted) return runs.length;
  const rows = new Uint32Array(runs.length);
  let count = 0;
  for (let row = 0; row < runs.length; row++) if ((runs[row] as number) >= 0) rows[count++] = row;
  return countingSort(rows.subarray(0, count), runs, order.length);
}

/** Stable. */
function countingSort(rows: RowList, keys: Int32Array, size: number): Uint32Array {
  const next = startsOf(rows, keys, size);
  const count = typeof rows === "number" ? rows : rows.length;
  const sorted = new Uint32Array(count);
  for (let at = 0; at < count; at++) {
    const row = typeof rows === "number" ? at : (rows[at] as number);
    const key = keys[row] as number;
    sorted[next[key] as number] = row;
    next[key] = (next[key] as number) + 1;
  }
  return sorted;
}

/** The number of rows with a smaller key for each key, then the number of all. */
function startsOf(rows: RowList, keys: Int32Array, size: number): Int32Array {
  const starts = new Int32Array(size + 1);
  const count = typeof rows === "number" ? rows : rows.length;
  for (let at = 0; at < count; at++) {
    const key = keys[typeof rows === "number" ? at : (rows[at] as number)] as number;
    starts[key + 1] = (starts[key + 1] as number) + 1;
  }
  for (let key = 0; key < size; key++) starts[key + 1] = (starts[key + 1] as number) + (starts[key] as number);
  return starts;
}

function positionsOf(sorted: Uint32Array, { runs, rowNumbers }: Rows, sets: ParameterSets): Positions {
  return {
    runs: picked(sorted, runs, new Int32Array(sorted.length)),
    rowNumbers: rowNumbers === null ? null : picked(sorted, rowNumbers, new Int32Array(sorted.length)),
    starts: startsOf(sorted, sets.codes, sets.count),
  };
}

/** The usable values of a column. */
export function sampleOf(column: Column | undefined, variable: Variable, layout: Layout): Sample {
  const { rows, sets, sorted } = layout;
  const finite = column?.kind === "number" ? finiteRows(sorted, column) : new Uint32Array(0);
  return {
    variable,
    values: picked(
      finite,
      column?.kind === "number" ? column.values : new Float64Array(0),
      new Float64Array(finite.length),
    ),
    ...(finite === sorted ? layout.positions : positionsOf(finite, rows, sets)),
    nonFinite: presentCount(column, rows.runs.length) - finite.length,
  };
}

/** A loop: `from` of typed arrays takes several times as long. */
function picked<T extends Float64Array | Int32Array>(rows: Uint32Array, from: Float64Array | Int32Array, to: T): T {
  for (let at = 0; at < rows.length; at++) to[at] = from[rows[at] as number] as number;
  return to;
}

/** `sorted` itself if all rows have a usable value. */
function finiteRows(sorted: Uint32Array, { values, missing }: NumberColumn): Uint32Array {
  const isUsable = (row: number): boolean => missing?.[row] !== 1 && isSafeForSquares(values[row] as number);
  let count = 0;
  while (count < sorted.length && isUsable(sorted[count] as number)) count++;
  if (count === sorted.length) return sorted;
  const finite = sorted.slice();
  for (let at = count; at < sorted.length; at++) {
    const row = sorted[at] as number;
    if (isUsable(row)) finite[count++] = row;
  }
  return finite.subarray(0, count);
}

/** Squares and quotients of other values overflow or underflow. */
function isSafeForSquares(value: number): boolean {
  const size = Math.abs(value);
  return size === 0 || (size > 1e-150 && size < 1e150);
}

function presentCount(column: Column | undefined, rows: number): number {
  if (column?.kind !== "number") return 0;
  return column.missing === null ? rows : column.missing.reduce((count, missing) => count + (missing === 1 ? 0 : 1), 0);
}
