import { isEpochTime } from "../../core/measurements/index.ts";
import type { ParsedRun } from "../../core/experiments/index.ts";
import { valueAt, type Table } from "../../core/tables/index.ts";
import { formatValue, type Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { isReplicateIndex } from "../plan/index.ts";

/** A parameter with one value on each side that is not the same on all: what the sides compare. */
export interface ComparedSetting {
  readonly name: string;
  /** By side; "" where it is missing. */
  readonly values: readonly string[];
}

/** What distinguishes the benchmarks of compared reports. */
export interface ReportIdentity {
  /** Names of parameters that are no part of it. */
  readonly ignored: ReadonlySet<string>;
  readonly settings: readonly ComparedSetting[];
}

/** The variable whose values name the benchmarks. */
export const benchmarkName = "benchmark";

/** The begin of a date or time in ISO 8601, as `formatValue` prints them and as files without types have them. */
const timeText = /^\d{4}-\d\d-\d\d(?:$|[T ]\d\d:\d\d)/;

/**
 * Which parameters distinguish the benchmarks of several reports. Replicate indexes do not, and none that would leave
 * nothing to compare: times without a value that all sides have, and settings. A parameter that has one value in all
 * reports does not if others do, unless the benchmarks have names.
 */
export function reportIdentity(sides: readonly (readonly ParsedRun[])[]): ReportIdentity {
  const values = sides.map(parameterValues);
  const names = [...new Set(values.flatMap((side) => [...side.keys()]))].filter((name) => name !== benchmarkName);
  const setsOf = (name: string): readonly ReadonlySet<string>[] => values.map((side) => side.get(name)?.texts ?? none);
  const isTime = (name: string): boolean => values.every((side) => side.get(name)?.isTime ?? true);
  const isSingle = (name: string): boolean => setsOf(name).every(({ size }) => size === 1);
  const isShared = (name: string): boolean => {
    const [first = none, ...others] = setsOf(name);
    const isUsable = (text: string): boolean => text !== "" || !isTime(name);
    return [...first].some((text) => isUsable(text) && others.every((set) => set.has(text)));
  };
  const unshared = names.filter((name) => !isShared(name) && (isTime(name) || isSingle(name)));
  const areNamed = values.some((side) => side.has(benchmarkName));
  const kept = names.filter((name) => !unshared.includes(name));
  const varied = kept.filter((name) => !isSingle(name));
  return {
    ignored: new Set([...unshared, ...(areNamed || varied.length === 0 ? [] : kept.filter(isSingle))]),
    settings: unshared
      .filter((name) => !isTime(name))
      .map((name) => ({ name, values: setsOf(name).map(([text = ""]) => text) })),
  };
}

/** The values of a parameter that no row has. */
const none: ReadonlySet<string> = new Set([""]);

interface ParameterValues {
  /** Whether all values say when something was measured, not how. */
  isTime: boolean;
  readonly texts: Set<string>;
}

/** Values of the parameters of reports but replicate indexes, by name; "" for a missing one. */
function parameterValues(runs: readonly ParsedRun[]): Map<string, ParameterValues> {
  const found = new Map<string, ParameterValues>();
  const tables = runs.map(({ rows, once }) => rows ?? once);
  for (const { variables } of tables)
    for (const { name } of variables.filter(isCondition)) found.set(name, { isTime: true, texts: new Set() });
  for (const table of tables) for (const [name, values] of found) addTexts(values, table, name);
  return found;
}

/** Whether a variable of a report may distinguish benchmarks. */
export function isCondition(variable: Variable): boolean {
  return variable.role === "parameter" && !isReplicateIndex(variable);
}

/** Of a setting with several values, two are enough to know that. */
function addTexts(values: ParameterValues, table: Table, name: string): void {
  const { texts } = values;
  const at = table.variables.findIndex((variable) => variable.name === name && isCondition(variable));
  for (let row = 0; row < table.length && (values.isTime || texts.size < 2); row++) {
    const text = at < 0 ? "" : textAt(table, at, row);
    texts.add(text);
    if (text !== "" && !timeText.test(text) && !isEpochTime(name, Number(text))) values.isTime = false;
  }
}

/** The text of a cell; "" for a missing one. */
export function textAt(table: Table, at: number, row: number): string {
  const value = cellAt(table, at, row);
  return value === null ? "" : formatValue(value, table.variables[at]!.type);
}

/** The value of a cell; null if the column has none. */
export function cellAt({ columns, variables }: Table, at: number, row: number): Value {
  const column = columns[at];
  return column === undefined || column.kind === "interned" ? null : valueAt(column, row, variables[at]!.type);
}
