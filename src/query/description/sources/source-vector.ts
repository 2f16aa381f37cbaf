import {
  isPlain,
  constantColumn,
  valueAt,
  type NumberColumn,
  type Table,
  type TextColumn,
} from "../../../core/tables/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import { readFloat, readInteger, InvalidValue, compareValues, type Value } from "../../../core/values/index.ts";
import type { SeriesElement } from "../../../core/experiments/index.ts";
import type { Variable } from "../../../core/variables/index.ts";
import { valueLabel } from "../filter-label.ts";
import { variableAt, type PlannedLabel, type SourcePlan } from "./source-plan.ts";
import type { FilterLabel, Vector, VectorColumn } from "../vector.ts";

/** Rows of a source: the columns of the plan. */
export interface SourceRows {
  readonly table: Table;
  /** Run numbers in their chronological order. */
  readonly chronology: readonly number[];
}

/** Converts the rows of a source to a vector. */
export function sourceVector(plan: SourcePlan, { table, chronology }: SourceRows): Vector {
  const columnAt = (at: number): NumberColumn | TextColumn => {
    const column = table.columns[at + 1];
    return column && isPlain(column) ? column : constantColumn(variableAt(plan, at), null, table.length);
  };
  const runs = runsOf(table);
  const columns = plan.columns.map(({ at, ...column }) => ({ ...column, column: columnAt(at) }));
  const results = columns.filter(({ variable }) => variable.role === "result");
  const firstResult = columns.length - results.length;
  const series = plan.series.map((each) => seriesColumn(each, runs));
  return {
    origin: plan.element.id,
    from: "source",
    columns: [...columns.slice(0, firstResult), ...series, ...columns.slice(firstResult)],
    runs,
    chronology,
    length: table.length,
    labels: plan.labels.flatMap((label) => labelOf(label, plan, columnAt, table.length)),
  };
}

function runsOf(table: Table): Int32Array {
  const [runs] = table.columns;
  return runs?.kind === "number" ? new Int32Array(runs.values) : new Int32Array(table.length);
}

function labelOf(
  label: PlannedLabel,
  plan: SourcePlan,
  columnAt: (at: number) => NumberColumn | TextColumn,
  length: number,
): FilterLabel[] {
  if ("text" in label) return [label];
  const variable = variableAt(plan, label.at);
  const value = commonValue(columnAt(label.at), variable, length);
  const text = value === undefined ? "" : valueLabel(label.parameter, variable, value);
  return text === "" ? [] : [{ text, titleOnly: label.titleOnly, common: true }];
}

/** undefined: rows differ, or there are none. */
function commonValue(column: NumberColumn | TextColumn, variable: Variable, length: number): Value | undefined {
  if (length === 0) return undefined;
  const first = valueAt(column, 0, variable.type);
  for (let row = 1; row < length; row++)
    if (compareValues(first, valueAt(column, row, variable.type), variable.type) !== 0) return undefined;
  return first;
}

/** Numbers the rows of each run: base, base + increment, …, or base, base × increment, …. */
function seriesColumn(series: SeriesElement, runs: Int32Array): VectorColumn {
  const [base, increment] = [numberOf(series, "base"), numberOf(series, "increment")];
  const isInteger = Number.isInteger(base) && Number.isInteger(increment);
  const values = new Float64Array(runs.length);
  for (let row = 0; row < runs.length; row++) {
    const isFirst = row === 0 || runs[row] !== runs[row - 1];
    const before = values[row - 1] ?? base;
    values[row] = isFirst ? base : series.inc === "exponential" ? before * increment : before + increment;
  }
  const variable: Variable = {
    name: series.name,
    role: "parameter",
    occurrence: "multiple",
    type: isInteger ? "integer" : "float",
  };
  return { variable, display: series.name, column: { kind: "number", values, missing: null, exact: null } };
}

function numberOf(series: SeriesElement, part: "base" | "increment"): number {
  const text = series[part] ?? "1";
  const whole = readInteger(text);
  const value = typeof whole === "number" ? whole : readFloat(text);
  if (!(value instanceof InvalidValue) && Number.isFinite(value)) return value;
  throw new Failure("query-not-possible", {
    element: series.id,
    problem: `its ${part} '${text.slice(0, 40)}' is no number`,
    advice: "give a number",
  });
}
