import type { DataType } from "../../core/values/index.ts";
import { expressionType, type RowExpression, type Summary, type NearNumbers } from "../../query/plan/index.ts";
import { aggregateSql, type Operand } from "./aggregate-sql.ts";
import { selectGroups, type GroupColumn } from "./select-groups.ts";
import { isText, collated, double } from "./bind-value.ts";
import { expressionSql, type ExpressionContext, finiteSql, floatSql } from "./expression-sql.ts";
import type { ShardedGroups } from "./sharded/shard-groups.ts";

interface NumberedRows {
  /** `from …` and `where …`. */
  readonly from: string;
  readonly common: readonly { readonly sql: string; readonly type: DataType }[];
}

/** Numbers this near to a bin boundary, in bin widths, are binned outside of the database. */
const boundaryTolerance = "1e-6";

/** One statement for binned numbers; see `Summary` for its columns. Nulls form a group of their own. */
function binnedSql(numbers: NearNumbers, context: ExpressionContext, { from, common }: NumberedRows): string {
  const expression = floatSql(numbers.of, context);
  const { width, start } = binsOf(numbers, context);
  const columns = [
    "null",
    "min(x)",
    "max(x)",
    ...common.flatMap(({ type }, at) => [
      ...(["min", "max"] as const).map((kind) =>
        aggregateSql({ kind }, { expression: `m${at}`, type, dialect: context.dialect }),
      ),
      `count(m${at})`,
    ]),
    "count(*)",
  ];
  const inputs = [`${expression} as x`, ...common.map(({ sql }, at) => `${sql} as m${at}`)];
  return [
    `with n as (select ${inputs.join(", ")} ${from}),`,
    `b as (select min(x) as lo, max(x) as hi from n where ${finiteSql("x")}),`,
    `q as (select n.*, (n.x - ${start}) / nullif(${width}, 0) as q from n cross join b),`,
    `k as (select q.*, case when ${isWithin("q.q")} then floor(q.q) end as k from q)`,
    `select ${columns.map((column, at) => `${column} as c${at}`).join(", ")} from k`,
    "group by k, case when k is null then x end",
  ].join(" ");
}

/** The width and the start of the bins, from the row b, which has the range of the finite numbers. */
function binsOf({ width: given, from }: NearNumbers, context: ExpressionContext): { width: string; start: string } {
  const width = given === undefined ? "(b.hi - b.lo) / 100" : `cast(${context.bind(given)} as ${double})`;
  return { width, start: from === "least" ? "b.lo" : `floor(b.lo / ${width}) * ${width}` };
}

/** Whether a number, in widths from the start, lies within a bin and not near a boundary. */
function isWithin(widths: string): string {
  return `${finiteSql(widths)} and abs(${widths} - round(${widths})) > ${boundaryTolerance}`;
}

/** The keys that bin numbers in shards, and the range over all shards, which has to be known first. */
export function binKeys(
  numbers: NearNumbers,
  context: ExpressionContext,
): { readonly keys: readonly [string, string]; readonly range: NonNullable<ShardedGroups["range"]> } {
  const of = floatSql(numbers.of, context);
  const { width, start } = binsOf(numbers, context);
  const widths = `((${of} - (select start from bounds)) / (select width from bounds))`;
  return {
    keys: [
      `case when ${isWithin(widths)} then floor(${widths}) end`,
      `case when ${isWithin(widths)} then null else ${of} end`,
    ],
    range: { of, finite: finiteSql(of), columns: [`${start} as start`, `nullif(${width}, 0) as width`] },
  };
}

export interface SummarizedRows {
  /** `from …` and `where …`. */
  readonly from: string;
  /** The run number, and the expression that orders runs. */
  readonly run: string;
  readonly chronology: string;
  /** The HAVING clause of the only group if there are no keys; may be empty. */
  readonly having: string;
}

/** One statement for groups of rows; see `Summary` for its columns, which are named by position. */
export function summarySql(summary: Summary, rows: SummarizedRows, context: ExpressionContext): string {
  const { by } = summary;
  const common = summary.common.map((variable) => ({
    sql: expressionSql({ kind: "column", variable, from: 0 }, context),
    type: variable.type,
  }));
  if (by !== "run" && "of" in by) return binnedSql(by, context, { from: rows.from, common });
  const keys = by === "run" ? [rows.run, rows.chronology] : by.map((each) => orderedSql(each, context));
  const { dialect } = context;
  const columns: GroupColumn[] = [
    by === "run" ? rows.run : "null",
    ...(by === "run" ? [] : keys),
    ...summary.columns.map(({ of, aggregate }) => ({
      of,
      aggregate,
      operand: { expression: expressionSql(of, context), type: expressionType(of), dialect },
    })),
    ...common.flatMap(({ sql: expression, type }) => commonSql({ expression, type, dialect })),
    "count(*)",
  ];
  const group = keys.length > 0 ? ` group by ${keys.join(", ")}` : rows.having;
  const order = by === "run" ? ` order by ${rows.chronology}, ${rows.run}` : "";
  return selectGroups(columns, `${rows.from}${group}${order}`);
}

/** The SQL of an expression for sorting; text sorts by code point. */
export function orderedSql(of: RowExpression, context: ExpressionContext): string {
  const sql = expressionSql(of, context);
  return isText({ type: expressionType(of) }) ? collated(sql) : sql;
}

/** The minimum, the maximum and the number of values. */
function commonSql(operand: Operand): string[] {
  return (["min", "max", "count"] as const).map((kind) => aggregateSql({ kind }, operand));
}
