import type { SummaryAggregate } from "../../query/plan/index.ts";
import { aggregateSql, quantilesSql, type Operand } from "./aggregate-sql.ts";

/** A column of groups: SQL, or an aggregate. Aggregates of the same `of` share their input. */
export type GroupColumn =
  | string
  | { readonly of: object; readonly aggregate: SummaryAggregate; readonly operand: Operand };

/** The SQL of a column. `element`: its position in the list that column `first` computes. */
interface SelectedColumn {
  readonly sql: string;
  readonly element?: { readonly first: number; readonly at: number };
}

/**
 * A select of columns c0, c1, … followed by `rest`. Several quantiles of one input are computed in one pass, as a list
 * that an outer select expands; `order` then follows that select.
 */
export function selectGroups(columns: readonly GroupColumn[], rest: string): string {
  const selected = columns.map((_, at) => selectedColumn(columns, at));
  const inner = selected.flatMap(({ sql }, at) => (sql === "" ? [] : [`${sql} as c${at}`]));
  const plain = `select ${inner.join(", ")} ${rest}`;
  if (selected.every(({ element }) => element === undefined)) return plain;
  const outer = selected.map(({ element }, at) =>
    element === undefined ? `c${at}` : `c${element.first}[${element.at + 1}] as c${at}`,
  );
  return `select ${outer.join(", ")} from (${plain}) g`;
}

function selectedColumn(columns: readonly GroupColumn[], index: number): SelectedColumn {
  const column = columns[index] as GroupColumn;
  if (typeof column === "string") return { sql: column };
  const { aggregate, operand } = column;
  const list = columns.flatMap((each, at) => (levelOf(each, column.of).length > 0 ? [at] : []));
  const [first = index] = list;
  if (aggregate.kind !== "interpolated" || list.length < 2) return { sql: aggregateSql(aggregate, operand) };
  const element = { first, at: list.indexOf(index) };
  if (first !== index) return { sql: "", element };
  return {
    sql: quantilesSql(
      list.flatMap((at) => levelOf(columns[at], column.of)),
      operand,
    ),
    element,
  };
}

/** The level of a quantile of `of`. */
function levelOf(column: GroupColumn | undefined, of: object): number[] {
  if (column === undefined || typeof column === "string" || column.of !== of) return [];
  return column.aggregate.kind === "interpolated" ? [column.aggregate.at] : [];
}
