import type { Column, Table } from "../../core/tables/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { ParameterSets } from "./parameter-sets.ts";
import type { OrderedRun } from "./finding.ts";

/** The usable values of one result, ordered by set, by run and as imported. */
export interface Sample {
  readonly variable: Variable;
  readonly values: Float64Array;
  /** For each value the index of its run in run order, and its row number in the run (null: one value per run). */
  readonly runs: Int32Array;
  readonly rowNumbers: Int32Array | null;
  /** Start of the values of each set, followed by the end. */
  readonly starts: Int32Array;
  /** Number of values that are not finite or too large to square. */
  readonly nonFinite: number;
}

/** Rows of the database with the index of the run of each. */
export interface Rows {
  readonly table: Table;
  readonly runs: Int32Array;
  /** Parallel to the rows; null: one row per run. */
  readonly rowNumbers: Float64Array | null;
  readonly order: readonly OrderedRun[];
}

/** Rows by set, then by the order of runs: two stable counting sorts. Omits rows of unordered runs. */
export function sortedRows({ runs, order }: Pick<Rows, "runs" | "order">, sets: ParameterSets): Uint32Array {
  const byRun = countingSort(
    Uint32Array.from(runs.keys()).filter((row) => (runs[row] as number) >= 0),
    runs,
    order.length,
  );
  return countingSort(byRun, sets.codes, sets.count);
}

function countingSort(rows: Uint32Array, keys: Int32Array, size: number): Uint32Array {
  const next = new Uint32Array(size + 1);
  for (const row of rows) next[(keys[row] as number) + 1] = (next[(keys[row] as number) + 1] as number) + 1;
  for (let key = 0; key < size; key++) next[key + 1] = (next[key + 1] as number) + (next[key] as number);
  const sorted = new Uint32Array(rows.length);
  for (const row of rows) {
    const key = keys[row] as number;
    sorted[next[key] as number] = row;
    next[key] = (next[key] as number) + 1;
  }
  return sorted;
}

/** The values of column `at`; `sorted`: see `sortedRows`. */
export function sampleOf(rows: Rows, at: number, variable: Variable, sets: ParameterSets, sorted: Uint32Array): Sample {
  const column = rows.table.columns[at];
  const positions = rows.rowNumbers;
  const finite = finiteRows(sorted, column);
  const starts = new Int32Array(sets.count + 1);
  for (const row of finite)
    starts[(sets.codes[row] as number) + 1] = (starts[(sets.codes[row] as number) + 1] as number) + 1;
  for (let set = 0; set < sets.count; set++) starts[set + 1] = (starts[set + 1] as number) + (starts[set] as number);
  return {
    variable,
    values: picked(
      finite,
      column?.kind === "number" ? column.values : new Float64Array(0),
      new Float64Array(finite.length),
    ),
    runs: picked(finite, rows.runs, new Int32Array(finite.length)),
    rowNumbers: positions === null ? null : picked(finite, positions, new Int32Array(finite.length)),
    starts,
    nonFinite: presentCount(column, rows.table.length) - finite.length,
  };
}

/** A loop: `from` of typed arrays takes several times as long. */
function picked<T extends Float64Array | Int32Array>(rows: Uint32Array, from: Float64Array | Int32Array, to: T): T {
  for (let at = 0; at < rows.length; at++) to[at] = from[rows[at] as number] as number;
  return to;
}

function finiteRows(sorted: Uint32Array, column: Column | undefined): Uint32Array {
  if (column?.kind !== "number") return new Uint32Array(0);
  const { values, missing } = column;
  return sorted.filter((row) => missing?.[row] !== 1 && isSafeForSquares(values[row] as number));
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
