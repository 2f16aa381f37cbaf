import { Failure } from "../../core/failures/index.ts";
import type { FlatColumn } from "../../core/tables/index.ts";
import { compareValues, type Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { parseCondition, type Condition } from "../plan/index.ts";
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

const form = "COLLECTOR:COLUMN:STATISTIC[:CONDITIONS], conditions joined by ' and '";

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
      where: conditions === undefined ? [] : conditions.split(/\s+and\s+/i),
    };
  });
}

/** The column of a condition, and the test of its values. */
export interface RowTest {
  readonly name: string;
  test(cell: Value): boolean;
}

/** Parses a condition; `isNumber`: whether a column is numeric. Fails with `bad-condition`, `bad-content`. */
export function rowTest(text: string, isNumber: (name: string) => boolean): RowTest {
  const condition = parseCondition(text, (name): Variable => {
    return { name, role: "parameter", occurrence: "multiple", type: isNumber(name) ? "float" : "string" };
  });
  return { name: condition.variable.name, test: (cell) => holds(condition, cell) };
}

function holds({ comparison, values, variable }: Condition, cell: Value): boolean {
  if (comparison === "null" || comparison === "notnull") return (cell === null) === (comparison === "null");
  if (cell === null) return false;
  const [bound = null] = values;
  if (comparison === "~" || comparison === "!~") return String(cell).includes(String(bound)) === (comparison === "~");
  const against = (value: Value): number => compareValues(cell, value, variable.type);
  if (comparison === "in") return values.some((value) => against(value) === 0);
  const order = against(bound);
  return { "=": order === 0, "!=": order !== 0, "<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0 }[
    comparison
  ];
}

/** A cell of a resource column; null if missing. */
export function cellValue(column: FlatColumn, row: number): Value {
  const text = column.text(row);
  if (text === "") return null;
  return column.numeric ? column.number(row) : text;
}
