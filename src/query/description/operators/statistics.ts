import { pickRows } from "../../../core/tables/index.ts";
import type { OperatorElement } from "../../../core/experiments/index.ts";
import { compareValues, keyOfValues, orderBy, rowsBy, type Value } from "../../../core/values/index.ts";
import { rowCount } from "../../plan/index.ts";
import {
  computeStatistic,
  databaseQuantile,
  summaryOf,
  parseStatistic,
  statisticName,
  statisticOf,
  type Statistic,
} from "../../statistics/index.ts";
import { floatText } from "../display-text.ts";
import { groupRows, allRows, rowsByRun } from "../groups.ts";
import { compareInColumn, valueOf, parametersOf, type Vector, type VectorColumn } from "../vector.ts";
import { acrossAggregates, numbersAt, type Aggregate } from "./aggregates.ts";
import { onlyInput, takesOnly, type Operator, refuse, variantOf } from "./operator.ts";
import { withValues, requestedType, valueIn } from "./quantity.ts";

/**
 * Normalizes every result so that its first value (of the run, with scope="run") becomes `value`: variant scale (value
 * 1) multiplies, offset (value 0) adds. Keeps units, like perfbase.
 */
export const normalize: Operator = {
  name: "normalize",
  apply(element, inputs) {
    takesOnly(element, ["value", "option", "variant", "scope"]);
    const input = onlyInput(element, inputs);
    const variant = variantOf(element, ["scale", "offset"]);
    const value = valueIn(element, variant === "scale" ? 1 : 0);
    const groups = element.scope === "run" ? rowsByRun(input) : [allRows(input.length)];
    const columns = input.columns.map((column) =>
      column.variable.role === "result" ? normalized(element, column, groups, variant, value) : column,
    );
    return { ...input, origin: element.id, from: "operator", columns };
  },
};

function normalized(
  element: OperatorElement,
  column: VectorColumn,
  groups: readonly Int32Array[],
  variant: "scale" | "offset",
  value: number,
): VectorColumn {
  const { variable, display } = column;
  if (variable.type !== "integer" && variable.type !== "float" && variable.type !== "duration")
    throw refuse(element, `there is no normalize of '${display}', which is a ${variable.type}`);
  const values = Array.from<number | null>({ length: groups.reduce((sum, rows) => sum + rows.length, 0) }).fill(null);
  for (const rows of groups) {
    const first = firstOf(column, rows);
    if (variant === "scale" && first === 0)
      throw refuse(element, `the first value of '${display}' is 0 and cannot be scaled`, 'give variant="offset"');
    for (const row of rows) {
      const cell = valueOf(column, row);
      if (cell !== null && first !== undefined)
        values[row] = variant === "scale" ? (Number(cell) * value) / first : Number(cell) - first + value;
    }
  }
  const staysWhole = variant === "offset" && Number.isInteger(value);
  const asked = requestedType(element, variable);
  const type = element.option === undefined && variable.type === "integer" && !staysWhole ? "float" : asked;
  const kept = type === "integer" ? values.map((each) => (each === null ? null : Math.trunc(each))) : values;
  return withValues(
    {
      ...column,
      variable: { ...variable, type },
      display: `${display} ${variant === "scale" ? "normalized" : "shifted"} to ${floatText(value)}`,
    },
    kept,
  );
}

/** The first present value. */
function firstOf(column: VectorColumn, rows: Int32Array): number | undefined {
  for (const row of rows) {
    const cell = valueOf(column, row);
    if (cell !== null) return Number(cell);
  }
  return undefined;
}

/** A column of the result: a statistic of a result column, or the number of rows of the group. */
export type StatisticColumn =
  | { readonly statistic: Statistic; readonly column: VectorColumn; readonly as: NamedColumn }
  | { readonly as: NamedColumn };
type NamedColumn = Pick<VectorColumn, "variable" | "display">;

/**
 * Statistics of the results of each group of rows with the same parameters, in order of the parameters, missing ones
 * last. `value` lists the statistics (`median,q95`), each of every result, and `rows`: the number of rows of the group.
 * Only the groups without a value.
 */
export const statistics: Operator = {
  name: "statistics",
  apply(element, inputs) {
    takesOnly(element, ["value"]);
    const input = onlyInput(element, inputs);
    const keys = parametersOf(input);
    const groups = presentGroups(keys, input, element);
    return tabulated(
      element,
      input,
      groups,
      statisticColumns(element, input).map((each) => ({ ...each.as, compute: (rows) => statisticValue(each, rows) })),
    );
  },
};

interface Tabulated extends NamedColumn {
  compute(rows: Int32Array): Value;
}

function tabulated(
  element: OperatorElement,
  input: Vector,
  groups: readonly Int32Array[],
  columns: readonly Tabulated[],
): Vector {
  const keys = parametersOf(input);
  const ordered = inKeyOrder(keys, groups);
  const first = ordered.map((rows) => rows[0] ?? -1);
  const named = columns.map(({ variable, display, compute: cell }) =>
    withValues({ variable, display, column: noColumn }, ordered.map(cell)),
  );
  return {
    ...input,
    origin: element.id,
    from: "operator",
    columns: [...keys.map((key) => ({ ...key, column: pickRows(key.column, first) })), ...named],
    runs: new Int32Array(ordered.length).fill(-1),
    length: ordered.length,
  };
}

/** The same for groups whose statistics are known: each row is a group. */
export function summarizedStatistics(
  element: OperatorElement,
  groups: Vector,
  asked: readonly StatisticColumn[],
  cells: readonly ((row: number) => Value)[],
): Vector {
  const rows = Array.from({ length: groups.length }, (_, row) => Int32Array.of(row));
  return tabulated(
    element,
    groups,
    rows,
    asked.map(({ as }, at) => ({ ...as, compute: ([row = 0]) => cells[at]?.(row) ?? null })),
  );
}

const noColumn: VectorColumn["column"] = { kind: "text", dictionary: [], codes: new Int32Array() };

/** The columns that the element's `value` selects. Fails with `unknown-statistic`, `statistic-not-possible`. */
export function statisticColumns({ value = "" }: OperatorElement, input: Pick<Vector, "columns">): StatisticColumn[] {
  const results = input.columns.filter(({ variable }) => variable.role === "result");
  const words = value
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  return words.flatMap((word): StatisticColumn[] => {
    if (word.toLowerCase() === "rows")
      return [{ as: { variable: rowCount.variable, display: rowCount.variable.name } }];
    const statistic = parseStatistic(word);
    return results.map((column) => ({ statistic, column, as: named(statistic, column) }));
  });
}

function named(statistic: Statistic, { variable, display }: VectorColumn): NamedColumn {
  return { variable: statisticOf(statistic, variable), display: `${display}.${statisticName(statistic)}` };
}

/** Without parameters all rows are one group, even none. */
function presentGroups(keys: readonly VectorColumn[], input: Vector, element: OperatorElement): readonly Int32Array[] {
  if (keys.length === 0) return groupRows([], input.length, element.id).rows;
  const groups = rowsBy(input.length, (row) => keyOfValues(keys.map((column) => valueOf(column, row))));
  return [...groups.values()].map((rows) => Int32Array.from(rows));
}

function inKeyOrder(keys: readonly VectorColumn[], groups: readonly Int32Array[]): Int32Array[] {
  const byKeys = orderBy<VectorColumn, Int32Array>(keys, (key, a, b) =>
    compareMissingLast(valueOf(key, a[0] ?? -1), valueOf(key, b[0] ?? -1), key),
  );
  return [...groups].sort(byKeys);
}

/** Compares two values; missing ones sort last. */
export function compareMissingLast(
  a: Value,
  b: Value,
  column: Pick<VectorColumn, "variable" | "positions">,
  direction: 1 | -1 = 1,
): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compareInColumn(column, a, b, direction);
}

function statisticValue(asked: StatisticColumn, rows: Int32Array): Value {
  if (!("statistic" in asked)) return rows.length;
  return statisticOfRows(asked.statistic, asked.column, rows);
}

/** A statistic of some rows of a column, as databases compute it. */
export function statisticOfRows(statistic: Statistic, column: VectorColumn, rows: Int32Array): Value {
  const exact = exactAggregates.get(statistic.kind);
  if (exact !== undefined) return asNumber(exact.compute(column, rows));
  if (statistic.kind === "count") return present(column, rows).length;
  if (statistic.kind === "distinct") return new Set(present(column, rows)).size;
  if (statistic.kind === "mode") return asNumber(mostFrequent(column, rows));
  const numbers = numbersAt(column, rows);
  const summary = summaryOf(statistic);
  return summary.kind === "interpolated" && numbers.length > 0
    ? databaseQuantile(numbers.sort(), summary.at)
    : computeStatistic(statistic, numbers);
}

function asNumber(cell: Value): Value {
  return typeof cell === "boolean" ? Number(cell) : cell;
}

function present(column: VectorColumn, rows: Int32Array): Value[] {
  return Array.from(rows, (row) => valueOf(column, row)).filter((cell) => cell !== null);
}

/** The least of the values that occur most often. */
function mostFrequent(column: VectorColumn, rows: Int32Array): Value {
  const counts = new Map<Value, number>();
  for (const cell of present(column, rows)) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const most = [...counts.values()].reduce((high, times) => Math.max(high, times), 0);
  const { type } = column.variable;
  const candidates = [...counts].flatMap(([cell, times]) => (times === most ? [cell] : []));
  return candidates.reduce<Value>(
    (least, cell) => (least === null || compareValues(cell, least, type) < 0 ? cell : least),
    null,
  );
}

/** Aggregates that keep all digits, or support texts. */
const exactAggregates: ReadonlyMap<Statistic["kind"], Aggregate> = new Map(
  acrossAggregates.flatMap((each) =>
    each.name === "min" || each.name === "max" || each.name === "sum" ? [[each.name, each] as const] : [],
  ),
);
