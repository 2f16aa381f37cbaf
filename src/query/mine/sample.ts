import type { Column, Table } from "../../core/tables/table.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { ParameterSets } from "./parameter-sets.ts";
import type { RunPlace } from "./finding.ts";

/** The values of one result that can be computed with, ordered by set, by run and as they were imported. */
export interface Sample {
  readonly variable: Variable;
  readonly values: Float64Array;
  /**
   * For each value the place of its run in the order of runs, and that of its data set in the run (null: each run has
   * one).
   */
  readonly runs: Int32Array;
  readonly dataSets: Int32Array | null;
  /** Where the values of each set begin; the last one is where all end. */
  readonly starts: Int32Array;
  /** Contents that are no finite number, or beyond what can be computed with. */
  readonly passedOver: number;
}

/** Rows of the database with the place of the run of each. */
export interface Rows {
  readonly table: Table;
  readonly runs: Int32Array;
  /** Parallel to the rows; null where each run has one. */
  readonly dataSets: Float64Array | null;
  readonly order: readonly RunPlace[];
}

/**
 * Rows by set and, within, by the order of runs: two stable counting sorts. Rows of runs that are in no order are left
 * out.
 */
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

/** The values of column `at`; `sorted` are the rows as `sortedRows` has them. */
export function sampleOf(rows: Rows, at: number, variable: Variable, sets: ParameterSets, sorted: Uint32Array): Sample {
  const column = rows.table.columns[at];
  const places = rows.dataSets;
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
    dataSets: places === null ? null : picked(finite, places, new Int32Array(finite.length)),
    starts,
    passedOver: contentCount(column, rows.table.length) - finite.length,
  };
}

/** A loop: the `from` of typed arrays takes several times as long. */
function picked<T extends Float64Array | Int32Array>(rows: Uint32Array, from: Float64Array | Int32Array, to: T): T {
  for (let at = 0; at < rows.length; at++) to[at] = from[rows[at] as number] as number;
  return to;
}

function finiteRows(sorted: Uint32Array, column: Column | undefined): Uint32Array {
  if (column?.kind !== "number") return new Uint32Array(0);
  const { values, missing } = column;
  return sorted.filter((row) => missing?.[row] !== 1 && isTame(values[row] as number));
}

/** Squares and quotients of others are no numbers any more. */
function isTame(value: number): boolean {
  const size = Math.abs(value);
  return size === 0 || (size > 1e-150 && size < 1e150);
}

function contentCount(column: Column | undefined, rows: number): number {
  if (column?.kind !== "number") return 0;
  return column.missing === null ? rows : column.missing.reduce((count, missing) => count + (missing === 1 ? 0 : 1), 0);
}
