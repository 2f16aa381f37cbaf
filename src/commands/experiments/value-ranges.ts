import { rowsOf, valueAt, type Table } from "../../core/tables/index.ts";
import type { Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { findVariable, countsQuery, plan, rangeQuery } from "../../query/plan/index.ts";
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

/** Statistics of the numeric results of each combination of values of parameters. */
export interface ParameterSets {
  readonly parameters: readonly Variable[];
  readonly results: readonly Variable[];
  readonly sets: readonly ParameterSetStatistics[];
}

export interface ParameterSetStatistics {
  /** Parallel to the parameters. */
  readonly values: readonly Value[];
  /** Parallel to the results. */
  readonly statistics: readonly ResultStatistics[];
}

/** `spread`: standard deviation as a share of the mean; null for fewer than two values and a mean of 0. */
export interface ResultStatistics {
  readonly count: number;
  readonly mean: number | null;
  readonly spread: number | null;
}

/** Counts, means and spreads per parameter set (of all parameters without `by`). Fails with `unknown-variable`. */
export async function setsOf(
  experiments: Experiments,
  stored: Stored,
  by: readonly string[],
  chosen: SelectedRuns,
): Promise<ParameterSets> {
  const { variables } = stored.experiment;
  const results = variables.filter(({ role, type }) => role === "result" && (type === "integer" || type === "float"));
  const parameters =
    by.length > 0
      ? by.map((name) => findVariable(name, stored.experiment))
      : variables.filter(({ role }) => role === "parameter");
  if (results.length === 0 || parameters.length === 0) return { parameters, results, sets: [] };
  const query = plan(
    {
      results: results.map(({ name }) => name),
      by: parameters.map(({ name }) => name),
      statistics: ["count", "mean", "stddev"],
    },
    stored.experiment,
  );
  const table = await experiments.select(stored, { ...query, ...chosen });
  const sets = rowsOf(table).map((row) => {
    const statistic = (which: number, at: number): number | null => {
      const value = row[parameters.length + which * results.length + at];
      return typeof value === "number" ? value : null;
    };
    const statistics = results.map((_, at) => {
      const [count, mean, deviation] = [statistic(0, at) ?? 0, statistic(1, at), statistic(2, at)];
      const spread = mean === null || mean === 0 || deviation === null ? null : deviation / Math.abs(mean);
      return { count, mean, spread };
    });
    return { values: row.slice(0, parameters.length) as Value[], statistics };
  });
  return { parameters, results, sets };
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
