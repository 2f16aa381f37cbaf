import type { JoinType } from "../../core/experiments/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { TableBuilder, type Table } from "../../core/tables/index.ts";
import { formatValue, groupBy, keyOfValues, orderBy, type Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { compareMissingLast, mostMatches, statisticOfRows } from "../description/index.ts";
import type { JoinOutput, JoinPlan } from "./join-plan.ts";
import { joinReport, type JoinReport } from "./join-report.ts";
import { cellOf, matchRows, type KeyRows, type MatchedRows } from "./join-rows.ts";

export interface JoinAnswer {
  readonly table: Table;
  readonly report: JoinReport;
}

/**
 * Joins the rows of two experiments, which the queries of the plan selected. In a grouped query each row of an
 * experiment counts once in a group, however many partners it has. `isLimited`: apply the limit of the plan. Fails with
 * `nothing-joined`, and with `join-not-possible` for too many pairs of rows.
 */
export function joinTables(plan: JoinPlan, tables: readonly [Table, Table], isLimited = true): JoinAnswer {
  const matched = matchRows(tables, plan.keys);
  const report = joinReport(plan, tables, matched);
  const kept = keptKeys(matched, plan.type);
  if (kept.length === 0) throw nothingJoined(plan, matched);
  const rows = plan.grouped ? groupedRows(plan, tables, kept) : joinedRows(plan, tables, kept, report);
  const ordered = sorted(rows, plan);
  const builder = new TableBuilder(plan.outputs.map(({ variable }) => variable));
  for (const row of isLimited ? ordered.slice(0, plan.limit) : ordered) builder.push(row);
  return { table: builder.take(), report };
}

/** The keys with rows on both sides, or on one side if the join keeps its rows. */
function keptKeys({ keys, withoutKey }: MatchedRows, type: JoinType): KeyRows[] {
  const keepsLeft = type === "left" || type === "full";
  const keepsRight = type === "right" || type === "full";
  const isKept = ({ rows: [left, right] }: KeyRows): boolean =>
    (left.length > 0 || keepsRight) && (right.length > 0 || keepsLeft);
  return [...keys.filter(isKept), ...(keepsLeft ? withoutKey[0] : []), ...(keepsRight ? withoutKey[1] : [])];
}

function nothingJoined({ names: [first, second], keys }: JoinPlan, matched: MatchedRows): Failure {
  const values = ([0, 1] as const).map((side) => {
    const own = matched.keys.filter(({ rows }) => rows[side].length > 0).slice(0, 3);
    const texts = own.map((key) => key.values.map((value, at) => formatValue(value, keys[at]!.of[0].type)).join(" "));
    return `${[first, second][side]}: ${texts.join(", ") || "none"}`;
  });
  const names = keys.map(({ of }) => of[0].name).join(", ");
  return new Failure("nothing-joined", { first, second, keys: names, values: values.join("; ") });
}

type Row = readonly Value[];

/** Every pair of rows with equal keys, in the order of the first experiment's rows. */
function joinedRows(
  { outputs }: JoinPlan,
  tables: readonly [Table, Table],
  kept: readonly KeyRows[],
  { rows: count }: JoinReport,
): Row[] {
  if (count > mostMatches)
    throw new Failure("join-not-possible", {
      problem: `${count} pairs of rows have equal keys, more than ${mostMatches}`,
      advice: "add keys (--on), or aggregate (--stat)",
    });
  const readers = outputs.map((output) => readerOf(output, tables));
  const pairs = kept.flatMap(({ values, rows: [left, right] }) =>
    orMissing(left).flatMap((a) => orMissing(right).map((b) => ({ values, pair: [a, b] as const }))),
  );
  const inOrder = pairs.toSorted(({ pair: [a, c] }, { pair: [b, d] }) => afterRows(a) - afterRows(b) || c - d);
  return inOrder.map(({ values, pair }) => readers.map((read) => read(values, pair)));
}

/** Rows without a partner in the first experiment come last. */
function afterRows(row: number): number {
  return row < 0 ? Number.MAX_SAFE_INTEGER : row;
}

function orMissing(rows: readonly number[]): readonly number[] {
  return rows.length === 0 ? [-1] : rows;
}

type Reader = (keys: readonly Value[], pair: readonly [number, number]) => Value;

function readerOf({ from }: JoinOutput, tables: readonly [Table, Table]): Reader {
  if (from.kind === "rows") return () => null;
  if (from.kind === "key") return (keys) => keys[from.at] ?? null;
  const column = columnOf(tables[from.side], from.variable);
  return (_, pair) => cellOf(column, pair[from.side], from.variable.type);
}

function columnOf({ variables, columns }: Table, variable: Variable): Table["columns"][number] | undefined {
  return columns[variables.indexOf(variable)];
}

/** One group: its values of the outputs without a statistic, and its rows. */
interface Group {
  readonly values: Row;
  readonly rows: readonly [number[], number[]];
  pairs: number;
}

function groupedRows(plan: JoinPlan, tables: readonly [Table, Table], kept: readonly KeyRows[]): Row[] {
  const by = plan.outputs.filter(({ statistic }) => statistic === undefined);
  const groups = new Map<string, Group>();
  for (const key of kept) for (const part of partsOf(key, by, tables)) addPart(groups, part);
  const cells = plan.outputs.map((output) => groupCell(output, by, tables));
  const rows = [...groups.values()].map((group) => cells.map((cell) => cell(group)));
  return rows.toSorted(byOrders(keyOrder(plan)));
}

/** The rows of a key by the values of `by`; a row is in one part for each combination with values of the other side. */
function partsOf(key: KeyRows, by: readonly JoinOutput[], tables: readonly [Table, Table]): Group[] {
  const sides = ([0, 1] as const).map((side) => bySide(key.rows[side], side, by, tables));
  const [left = [], right = []] = sides;
  return left.flatMap((a) =>
    right.map((b) => ({
      values: by.map(({ from }, at) => {
        if (from.kind === "key") return key.values[from.at] ?? null;
        return (from.kind === "variable" && from.side === 1 ? b : a).values[at] ?? null;
      }),
      rows: [a.rows, b.rows] as const,
      pairs: Math.max(1, a.rows.length) * Math.max(1, b.rows.length),
    })),
  );
}

function bySide(
  rows: readonly number[],
  side: 0 | 1,
  by: readonly JoinOutput[],
  tables: readonly [Table, Table],
): { values: Value[]; rows: number[] }[] {
  const own = by.map(({ from }) => (from.kind === "variable" && from.side === side ? from.variable : undefined));
  const columns = own.map((variable) => variable && columnOf(tables[side], variable));
  const valuesAt = (row: number): Value[] =>
    own.map((variable, at) => (variable ? cellOf(columns[at], row, variable.type) : null));
  return [...groupBy(orMissing(rows), (row) => keyOfValues(valuesAt(row))).values()].map((part) => ({
    values: valuesAt(part[0] ?? -1),
    rows: part.filter((row) => row >= 0),
  }));
}

function addPart(groups: Map<string, Group>, part: Group): void {
  const text = keyOfValues(part.values);
  const known = groups.get(text);
  if (known === undefined) {
    groups.set(text, { ...part, rows: [[...part.rows[0]], [...part.rows[1]]] });
    return;
  }
  for (const side of [0, 1] as const) for (const row of part.rows[side]) known.rows[side].push(row);
  known.pairs += part.pairs;
}

function groupCell(
  output: JoinOutput,
  by: readonly JoinOutput[],
  tables: readonly [Table, Table],
): (group: Group) => Value {
  const { from, statistic } = output;
  if (statistic === undefined) {
    const at = by.indexOf(output);
    return ({ values }) => values[at] ?? null;
  }
  if (from.kind === "rows") return ({ pairs }) => pairs;
  // Statistics of a key are those of the first experiment's rows.
  const side = from.kind === "variable" ? from.side : 0;
  const table = tables[side];
  const at = from.kind === "key" ? from.at : table.variables.indexOf(from.variable);
  const [variable, column] = [table.variables[at], table.columns[at]];
  if (variable === undefined || column === undefined || column.kind === "interned") return () => null;
  return ({ rows }) =>
    statisticOfRows(
      statistic,
      { variable, column, display: variable.name },
      Int32Array.from(rows[side].toSorted((a, b) => a - b)),
    );
}

interface Order {
  readonly output: number;
  readonly descending: boolean;
  readonly variable: Variable;
}

function keyOrder({ outputs }: JoinPlan): Order[] {
  return outputs.flatMap(({ variable, statistic }, output) =>
    statistic === undefined ? [{ output, descending: false, variable }] : [],
  );
}

/** A stable sort: groups stay in order of their keys, rows in that of the first experiment. */
function sorted(rows: readonly Row[], { sort, outputs }: JoinPlan): readonly Row[] {
  if (sort.length === 0) return rows;
  const orders = sort.map(({ output, descending }) => ({ output, descending, variable: outputs[output]!.variable }));
  return rows.toSorted(byOrders(orders));
}

/** Missing values come last in either direction, as in databases. */
function byOrders(orders: readonly Order[]): (a: Row, b: Row) => number {
  return orderBy(orders, ({ output, descending, variable }, a, b) =>
    compareMissingLast(a[output] ?? null, b[output] ?? null, { variable }, descending ? -1 : 1),
  );
}
