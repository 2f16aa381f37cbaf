import { Failure } from "../../core/failures/index.ts";
import { tableOf, type Table } from "../../core/tables/index.ts";
import { compareValues, formatValue, type Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { computeStatistic, parseStatistic, statisticOf, type Statistic } from "../statistics/index.ts";
import { valuesOf } from "./selected-rows.ts";
import { peakOf, rowsOfOneQuantity, statesBy, isHeapState } from "./quantities.ts";
import { dependentKey, independentKey } from "./keys.ts";

/** The points of a chart: a statistic of `of` for each value of `per`, and of `by` if given. */
export interface PointsPlan {
  /** Default: amount. */
  readonly of?: string;
  /** Default: the first candidate in the rows, such as `snapshot` or `order`. */
  readonly per?: string;
  readonly by?: string;
  /** Default: sum. Texts have counts only. */
  readonly statistic?: string;
  /** Only rows of this subtype; default: the only subtype, see `rowsOfOneQuantity`. */
  readonly subtype?: string;
}

/**
 * The points of a plot, in order of `by` and `per`: the columns `by` (optional), `per` and `of.statistic`. Omits rows
 * with a missing one of the three. Fails with `unknown-column`, `unknown-statistic`, `statistic-not-possible`,
 * `no-independent-key`, `several-quantities`, `no-such-subtype`.
 */
export function plotPoints(table: Table, plan: PointsPlan): Table {
  const per = plan.per ?? independentKey(table);
  if (per === undefined)
    throw new Failure("no-independent-key", { known: table.variables.map(({ name }) => name).join(", ") });
  const statistic = parseStatistic(plan.statistic ?? "sum");
  const keys = [...(plan.by === undefined ? [] : [plan.by]), per].map((name) => keyOf(table, name));
  const of = keyOf(table, plan.of ?? dependentKey);
  const result = statisticOf(statistic, of.variable);
  const rows = [...groupsOf(rowsToPlot(table, plan, per, statistic), keys, of).values()].map(
    ({ at, values }): Value[] => {
      return [...at, computeStatistic(statistic, Float64Array.from(values))];
    },
  );
  const variables = keys.map(({ variable }) => variable);
  rows.sort((a, b) =>
    variables.reduce((order, { type }, i) => order || compareValues(a[i] ?? null, b[i] ?? null, type), 0),
  );
  return tableOf([...variables, result], rows);
}

/** Selects rows that can be aggregated: of one quantity unless grouped by it, and of heap states only one moment. */
function rowsToPlot(table: Table, plan: PointsPlan, per: string, { kind }: Statistic): Uint32Array {
  const keys = [per, plan.by ?? ""].map((name) => name.toLowerCase());
  const isCount = kind === "count" || kind === "distinct";
  const isApart = isCount || keys.some((name) => name === "subtype" || name === "event");
  const rows = isApart && plan.subtype === undefined ? everyRow(table) : rowsOfOneQuantity(table, plan.subtype);
  if (isApart || !isHeapState(table, rows)) return rows;
  if (!keys.some((name) => name === "snapshot" || name === "time"))
    return kind === "sum" ? peak(table, rows, plan) : statesBy(table, rows, "heap");
  return statesBy(table, rows, plan.by === undefined ? "total" : "heap");
}

function everyRow({ length }: Table): Uint32Array {
  return Uint32Array.from({ length }, (_, row) => row);
}

function peak(table: Table, rows: Uint32Array, plan: PointsPlan): Uint32Array {
  const value = valuesOf(table, plan.of ?? dependentKey);
  return peakOf(table, statesBy(table, rows, "heap"), (row) => Number(value(row)));
}

interface Key {
  readonly variable: Variable;
  readonly valueAt: (row: number) => Value;
}

function keyOf(table: Table, name: string): Key {
  const value = valuesOf(table, name);
  const variable = table.variables.find((each) => each.name.toLowerCase() === name.toLowerCase())!;
  return { variable, valueAt: value };
}

interface Group {
  readonly at: readonly Value[];
  readonly values: number[];
}

/** Texts are replaced by numbers, for counts. */
function groupsOf(rows: Uint32Array, keys: readonly Key[], of: Key): Map<string, Group> {
  const groups = new Map<string, Group>();
  const numbers = new Map<string, number>();
  for (const row of rows) {
    const [at, value] = [keys.map((key) => key.valueAt(row)), of.valueAt(row)];
    if (value === null || at.includes(null)) continue;
    const name = at.map((each, i) => formatValue(each, keys[i]!.variable.type)).join("\0");
    let group = groups.get(name);
    if (group === undefined) groups.set(name, (group = { at, values: [] }));
    group.values.push(typeof value === "string" ? numberOf(numbers, value) : Number(value));
  }
  return groups;
}

function numberOf(numbers: Map<string, number>, text: string): number {
  const known = numbers.get(text) ?? numbers.size;
  numbers.set(text, known);
  return known;
}
