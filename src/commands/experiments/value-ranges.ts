import { valueAt, type Table } from "../../core/tables/index.ts";
import type { Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { findVariable, countsQuery, rangeQuery } from "../../query/plan/index.ts";
import type { Experiments } from "../../store/experiments/index.ts";

/** Value statistics of a variable; counts are of rows, or of runs for `once` variables. */
export interface ValueRange {
  readonly variable: Variable;
  readonly values: number;
  readonly missing: number;
  /** Number of distinct values. */
  readonly distinct: number;
  /** null: no values, or the type has no order. */
  readonly least: Value;
  readonly greatest: Value;
}

/** Runs to include (default: all), with deleted ones on request. */
interface SelectedRuns {
  readonly runs?: readonly number[];
  readonly deleted: boolean;
}

type Stored = Awaited<ReturnType<Experiments["find"]>>;

/** Value ranges, with one statement per variable. Fails with `unknown-variable`. */
export async function rangesOf(
  experiments: Experiments,
  stored: Stored,
  names: readonly string[],
  chosen: SelectedRuns,
): Promise<ValueRange[]> {
  const variables = names.map((name) => findVariable(name, stored.experiment));
  const ranges: ValueRange[] = [];
  for (const variable of variables)
    ranges.push(rangeOf(variable, await experiments.select(stored, { ...rangeQuery(variable), ...chosen })));
  return ranges;
}

/** Counts of result values per parameter set, computed by the database. Fails with `unknown-variable`. */
export function countsOf(
  experiments: Experiments,
  stored: Stored,
  by: readonly string[],
  chosen: SelectedRuns,
): Promise<Table> {
  return experiments.select(stored, { ...countsQuery(by, stored.experiment), ...chosen });
}

function rangeOf(variable: Variable, { columns, variables }: Table): ValueRange {
  const cell = (at: number): Value => {
    const [column, type] = [columns[at], variables[at]?.type];
    return column === undefined || type === undefined || column.kind === "interned" ? null : valueAt(column, 0, type);
  };
  const [rows, values, distinct] = [0, 1, 2].map((at) => Number(cell(at))) as [number, number, number];
  const extreme = (at: number): Value => asType(cell(at), variable);
  return { variable, values, missing: rows - values, distinct, least: extreme(3), greatest: extreme(4) };
}

/** Databases return extremes of booleans as 0 and 1. */
function asType(value: Value, { type }: Variable): Value {
  return type === "boolean" && value !== null ? value === 1 : value;
}
