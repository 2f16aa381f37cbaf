import { Failure } from "../../core/failures/index.ts";
import type { FlatColumn } from "../../core/tables/index.ts";
import type { Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { predicateTest, readConditions, splitCondition, variablesIn } from "../plan/index.ts";
import { compilePattern } from "../../formats/text/index.ts";
import { parseStatistic, statisticName, type Statistic } from "../statistics/index.ts";

/** A statistic of the stored profiles of a version, as a column of query results. */
export interface ProfileColumn {
  /** Name of the column: `time:amount.mean`. */
  readonly name: string;
  /** Collector of the profiles; absent: any. */
  readonly collector?: string;
  /** The column of their resources. */
  readonly column: string;
  readonly statistic: Statistic;
  /** Conditions on columns of the resources, and on `cmd` and `workload` of the profiles; all must hold. */
  readonly where: readonly string[];
}

/** Properties of a profile allowed in conditions. */
export const profileFacts = ["cmd", "workload"] as const;

const form = "COLLECTOR:COLUMN:STATISTIC[:CONDITIONS], conditions joined by ' and ' or ' or '";

/**
 * `time:amount:mean`, `time:amount:mean,max:subtype=real and workload=large`, `*:amount:sum`; fails with `bad-option`,
 * `unknown-statistic`.
 */
export function parseProfileColumns(text: string): ProfileColumn[] {
  const [, collector, column, statistics, conditions] = /^([^:]+):([^:]+):([^:]+)(?::(.+))?$/s.exec(text.trim()) ?? [];
  if (collector === undefined || column === undefined || statistics === undefined)
    throw new Failure("bad-option", { option: "--with-profile", value: text, expected: form });
  return statistics.split(",").map((word) => {
    const statistic = parseStatistic(word.trim());
    const stem = `${collector}:${column}.${statisticName(statistic)}`;
    return {
      name: conditions === undefined ? stem : `${stem}[${conditions.trim()}]`,
      ...(collector === "*" ? {} : { collector }),
      column,
      statistic,
      where: conditions === undefined ? [] : [conditions.trim()],
    };
  });
}

/**
 * Parses conditions, combined by `and` and `or`, to a test of rows. `isNumber`: whether a column is numeric;
 * `valuesOf`: the values of a column by row. Fails with `bad-condition`, `bad-content`, and like these functions.
 */
export function rowTest(
  text: string,
  isNumber: (name: string) => boolean,
  valuesOf: (name: string) => (row: number) => Value,
): (row: number) => boolean {
  const predicate = readConditions(splitCondition(text), (name): Variable => {
    return { name, role: "parameter", occurrence: "multiple", type: isNumber(name) ? "float" : "string" };
  });
  const columns = new Map(variablesIn(predicate).map((variable) => [variable, valuesOf(variable.name)]));
  const test = predicateTest(predicate, (source) => {
    const pattern = compilePattern(source);
    return (value) => pattern.test(value);
  });
  return (row) => test((variable) => columns.get(variable)?.(row) ?? null);
}

/** A cell of a resource column; null if missing. */
export function cellValue(column: FlatColumn, row: number): Value {
  const text = column.text(row);
  if (text === "") return null;
  return column.numeric ? column.number(row) : text;
}
