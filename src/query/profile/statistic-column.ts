import { Failure } from "../../core/failures/failure.ts";
import type { FlatColumn } from "../../core/tables/flat-table.ts";
import { compareValues, type Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { parseCondition, type Condition } from "../plan/condition.ts";
import { parseStatistic, statisticName, type Statistic } from "../statistics/statistic.ts";

/** A statistic of the stored profiles of a version, beside what an experiment says of it. */
export interface ProfileColumn {
  /** Of the column of the answer: `time:amount.mean`. */
  readonly name: string;
  /** Who made the profiles; absent: anybody. */
  readonly collector?: string;
  /** The column of their resources. */
  readonly column: string;
  readonly statistic: Statistic;
  /** Conditions on columns of the resources, and on `cmd` and `workload` of the profiles; all must hold. */
  readonly where: readonly string[];
}

/** What conditions may say of a profile as a whole. */
export const profileFacts = ["cmd", "workload"] as const;

const form = "COLLECTOR:COLUMN:STATISTIC, and behind a further colon conditions joined by ' and '";

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

/** The name that a condition is about, and whether rows (or facts) with such contents fulfil it. */
export interface RowTest {
  readonly name: string;
  test(content: Value): boolean;
}

/** Reads a condition; `isNumber` says what the contents of a name are. Fails with `bad-condition`, `bad-content`. */
export function rowTest(text: string, isNumber: (name: string) => boolean): RowTest {
  const condition = parseCondition(text, (name): Variable => {
    return { name, role: "parameter", occurrence: "multiple", type: isNumber(name) ? "float" : "string" };
  });
  return { name: condition.variable.name, test: (content) => fulfils(condition, content) };
}

function fulfils({ comparison, values, variable }: Condition, content: Value): boolean {
  if (comparison === "null" || comparison === "notnull") return (content === null) === (comparison === "null");
  if (content === null) return false;
  const [bound = null] = values;
  if (comparison === "~" || comparison === "!~")
    return String(content).includes(String(bound)) === (comparison === "~");
  const against = (value: Value): number => compareValues(content, value, variable.type);
  if (comparison === "in") return values.some((value) => against(value) === 0);
  const order = against(bound);
  return { "=": order === 0, "!=": order !== 0, "<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0 }[
    comparison
  ];
}

/** A cell of a column of resources; null where there is none. */
export function contentAt(column: FlatColumn, row: number): Value {
  const text = column.text(row);
  if (text === "") return null;
  return column.numeric ? column.number(row) : text;
}
