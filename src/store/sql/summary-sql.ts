import type { Variable } from "../../core/variables/variable.ts";
import { expressionType, type RowExpression } from "../../query/plan/row-expression.ts";
import type { Summary } from "../../query/plan/row-summary.ts";
import { aggregateSql, quantilesSql } from "./aggregate-sql.ts";
import { isText, collated } from "./bind-value.ts";
import { expressionSql, type Written } from "./expression-sql.ts";
import { nearNumbersSql } from "./binning-sql.ts";

export interface SummarizedRows {
  /** `from …` and `where …`. */
  readonly from: string;
  /** The number of the run and what runs are in order of. */
  readonly run: string;
  readonly chronology: string;
  /** What has to hold of the only group where there are no keys; empty: nothing. */
  readonly having: string;
}

/** One statement for groups of rows; see `Summary` for its columns, which are named by their places. */
export function summarySql(summary: Summary, rows: SummarizedRows, written: Written): string {
  const { by } = summary;
  const common = summary.common.map((variable) => ({
    sql: expressionSql({ kind: "content", variable, from: 0 }, written),
    type: variable.type,
  }));
  if (by !== "run" && "of" in by) return nearNumbersSql(by, written, { from: rows.from, common });
  const keys = by === "run" ? [rows.run, rows.chronology] : by.map((each) => orderedSql(each, written));
  const aggregates = aggregatesOf(summary.columns, written);
  const columns = [
    { sql: by === "run" ? rows.run : "null" },
    ...(by === "run" ? [] : keys.map((sql) => ({ sql }))),
    ...aggregates,
    ...common.flatMap(({ sql, type }) => commonSql(sql, type).map((each) => ({ sql: each }))),
    { sql: "count(*)" },
  ];
  const group = keys.length > 0 ? ` group by ${keys.join(", ")}` : rows.having;
  const order = by === "run" ? ` order by ${rows.chronology}, ${rows.run}` : "";
  return unfolded(columns, `${rows.from}${group}${order}`);
}

/** Texts by code point. */
export function orderedSql(of: RowExpression, written: Written): string {
  const sql = expressionSql(of, written);
  return isText({ type: expressionType(of) }) ? collated(sql) : sql;
}

/** A column; `place`: it stands in a list, which is the SQL of the first column that does. */
interface SummaryColumn {
  readonly sql: string;
  readonly place?: { readonly first: number; readonly at: number };
}

/** Several quantiles of one thing are taken in one pass, as a list. */
function aggregatesOf(
  columns: Summary["columns"],
  written: Written,
): { sql: string; place?: { first: number; at: number } }[] {
  return columns.map(({ of, aggregate }, index) => {
    const list = columns.flatMap((each, at) => (each.of === of && each.aggregate.kind === "interpolated" ? [at] : []));
    const [first = index] = list;
    if (aggregate.kind !== "interpolated" || list.length < 2)
      return { sql: aggregateSql(aggregate, expressionSql(of, written), expressionType(of)) };
    const place = { first: first - index, at: list.indexOf(index) };
    if (first !== index) return { sql: "", place };
    const levels = list.flatMap((at) => levelOf(columns[at]?.aggregate));
    return { sql: quantilesSql(levels, expressionSql(of, written), expressionType(of)), place };
  });
}

function levelOf(aggregate: Summary["columns"][number]["aggregate"] | undefined): number[] {
  return aggregate?.kind === "interpolated" ? [aggregate.at] : [];
}

/** Lists are taken apart in a select around the others. `first` of a place is told from the column itself. */
function unfolded(columns: readonly SummaryColumn[], rest: string): string {
  const inner = columns.flatMap(({ sql }, at) => (sql === "" ? [] : [`${sql} as c${at}`]));
  const plain = `select ${inner.join(", ")} ${rest}`;
  if (columns.every(({ place }) => place === undefined)) return plain;
  const outer = columns.map(({ place }, at) =>
    place === undefined ? `c${at}` : `c${at + place.first}[${place.at + 1}] as c${at}`,
  );
  return `select ${outer.join(", ")} from (${plain}) g`;
}

/** The least and the greatest content, and how many there are. */
function commonSql(content: string, type: Variable["type"]): string[] {
  return [
    aggregateSql({ kind: "min" }, content, type),
    aggregateSql({ kind: "max" }, content, type),
    `count(${content})`,
  ];
}
