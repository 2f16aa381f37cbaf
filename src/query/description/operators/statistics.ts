import type { OperatorElement } from "../../../core/experiments/query-description.ts";
import type { Value } from "../../../core/values/value.ts";
import { rowCount } from "../../plan/query.ts";
import { computeStatistic } from "../../statistics/compute-statistic.ts";
import { parseStatistic, statisticName, statisticOf, type Statistic } from "../../statistics/statistic.ts";
import { floatText } from "../display-text.ts";
import { groupRows, allRows, rowsByRun } from "../groups.ts";
import { compareInColumn, valueOf, parametersOf, pickRows, type Vector, type VectorColumn } from "../vector.ts";
import { acrossAggregates, numbersAt, type Aggregate } from "./aggregates.ts";
import { onlyInput, takesOnly, type Operator, refuse, variantOf } from "./operator.ts";
import { withValues, requestedType, valueIn } from "./quantity.ts";

/**
 * Every result in relation to its first content (of the run, with scope="run"), which becomes `value`: variant scale
 * (value 1) multiplies, offset (value 0) adds. Units stay, as perfbase has them.
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
      throw refuse(
        element,
        `the first content of '${display}' is 0, to which nothing can be scaled`,
        'give variant="offset"',
      );
    for (const row of rows) {
      const content = valueOf(column, row);
      if (content !== null && first !== undefined)
        values[row] = variant === "scale" ? (Number(content) * value) / first : Number(content) - first + value;
    }
  }
  const staysWhole = variant === "offset" && Number.isInteger(value);
  const asked = requestedType(element, variable);
  const type = element.option === undefined && variable.type === "integer" && !staysWhole ? "float" : asked;
  const kept = type === "integer" ? values.map((each) => (each === null ? null : Math.trunc(each))) : values;
  return withValues(
    { ...column, variable: { ...variable, type }, display: `${display} normalized to ${floatText(value)}` },
    kept,
  );
}

/** The first content that is there. */
function firstOf(column: VectorColumn, rows: Int32Array): number | undefined {
  for (const row of rows) {
    const content = valueOf(column, row);
    if (content !== null) return Number(content);
  }
  return undefined;
}

/** What a column of the answer tells of the rows of a group: a statistic of a result, or how many they are. */
export type StatisticColumn =
  | { readonly statistic: Statistic; readonly column: VectorColumn; readonly as: NamedColumn }
  | { readonly as: NamedColumn };
type NamedColumn = Pick<VectorColumn, "variable" | "display">;

/**
 * Statistics of the results of each group of rows with the same parameters, in order of these, missing ones last.
 * `value` lists the statistics (`median,q95`), each told of every result, and `rows`: how many rows the group has.
 * Nothing but the groups without a value.
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
      statisticColumns(element, input).map((each) => ({ ...each.as, content: (rows) => contentIn(each, rows) })),
    );
  },
};

interface Tabulated extends NamedColumn {
  content(rows: Int32Array): Value;
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
  const named = columns.map(({ variable, display, content }) =>
    withValues({ variable, display, column: noColumn }, ordered.map(content)),
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

/** The same of groups whose statistics are known: each row is a group, whose cells are told by its number. */
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
    asked.map(({ as }, at) => ({ ...as, content: ([row = 0]) => cells[at]?.(row) ?? null })),
  );
}

const noColumn: VectorColumn["column"] = { kind: "text", dictionary: [], codes: new Int32Array() };

/** The columns that the element's `value` asks for. Fails with `unknown-statistic`, `statistic-not-possible`. */
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

/** Without parameters all rows are one group, also where there are none. */
function presentGroups(keys: readonly VectorColumn[], input: Vector, element: OperatorElement): readonly Int32Array[] {
  if (keys.length === 0) return groupRows([], input.length, element.id).rows;
  const groups = new Map<string, number[]>();
  for (let row = 0; row < input.length; row++) {
    const key = keys.map((column) => keyText(valueOf(column, row))).join("\u0000");
    const own = groups.get(key);
    if (own) own.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()].map((rows) => Int32Array.from(rows));
}

/** 0 and -0 are one content. No text has the NUL that stands between two. */
function keyText(content: Value): string {
  return content === null ? "" : `${typeof content}${typeof content === "number" ? content + 0 : content}`;
}

function inKeyOrder(keys: readonly VectorColumn[], groups: readonly Int32Array[]): Int32Array[] {
  return [...groups].sort((a, b) => {
    for (const key of keys) {
      const order = compareMissingLast(valueOf(key, a[0] ?? -1), valueOf(key, b[0] ?? -1), key);
      if (order !== 0) return order;
    }
    return 0;
  });
}

/** Order of two contents with missing ones behind all others. */
export function compareMissingLast(
  a: Value,
  b: Value,
  column: Pick<VectorColumn, "variable" | "positions">,
  direction: 1 | -1 = 1,
): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compareInColumn(column, a, b, direction);
}

function contentIn(asked: StatisticColumn, rows: Int32Array): Value {
  if (!("statistic" in asked)) return rows.length;
  const { statistic, column } = asked;
  const exact = exactAggregates.get(statistic.kind);
  if (exact !== undefined) return asNumber(exact.compute(column, rows));
  if (statistic.kind === "count") return present(column, rows).length;
  if (statistic.kind === "distinct") return new Set(present(column, rows)).size;
  const numbers = numbersAt(column, rows);
  const level = statistic.kind === "quantile" ? statistic.at : statistic.kind === "median" ? 0.5 : undefined;
  return level === undefined || numbers.length === 0
    ? computeStatistic(statistic, numbers)
    : interpolated(numbers.sort(), level);
}

/** As databases tell a quantile: NaN is above all numbers, and spoils only what is beside it. */
function interpolated(sorted: Float64Array, level: number): number {
  const position = (sorted.length - 1) * level;
  const below = Math.floor(position);
  const [left = Number.NaN, right = left] = sorted.subarray(below, below + 2);
  const weight = position - below;
  if (left === right || weight === 0) return left;
  return Number.isFinite(right - left) ? left + (right - left) * weight : left * (1 - weight) + right * weight;
}

function asNumber(content: Value): Value {
  return typeof content === "boolean" ? Number(content) : content;
}

function present(column: VectorColumn, rows: Int32Array): Value[] {
  return Array.from(rows, (row) => valueOf(column, row)).filter((content) => content !== null);
}

/** Those that keep all digits, or tell of texts. */
const exactAggregates: ReadonlyMap<Statistic["kind"], Aggregate> = new Map(
  acrossAggregates.flatMap((each) =>
    each.name === "min" || each.name === "max" || each.name === "sum" ? [[each.name, each] as const] : [],
  ),
);
