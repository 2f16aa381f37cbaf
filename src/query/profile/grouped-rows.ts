import { firstNames } from "../../core/text/index.ts";
import type { FlatColumn } from "../../core/tables/index.ts";
import { groupBy } from "../../core/values/index.ts";
import { parseStatistic, type Statistic, computeStatistic } from "../statistics/index.ts";

/** Most distinct values listed by name; more are counted. */
const mostNamed = 20;

/**
 * Groups rows by equal values in `keys`: one row with the keys, the number of rows, and a statistic of every other
 * column. Non-numeric columns support only count, nunique and unique, which lists the values. Fails with
 * `unknown-statistic`.
 */
export function groupedRows(
  columns: readonly FlatColumn[],
  rows: readonly number[],
  keys: readonly FlatColumn[],
  func: string,
): { readonly columns: readonly FlatColumn[]; readonly rows: number[] } {
  const groups = [...groupBy(rows, (row) => keys.map((key) => key.text(row)).join("\0")).values()];
  const first = keys.map((key): FlatColumn => {
    const row = (group: number): number => groups[group]?.[0] ?? -1;
    return {
      name: key.name,
      numeric: key.numeric,
      integral: key.integral,
      isMissing: (group) => key.isMissing(row(group)),
      text: (group) => key.text(row(group)),
      number: (group) => key.number(row(group)),
    };
  });
  const counts = numbers(
    "rows",
    groups.map((group) => group.length),
  );
  const statistic = func.toLowerCase() === "unique" ? "unique" : parseStatistic(func);
  const others = columns
    .filter((column) => !keys.includes(column))
    .flatMap((column) => statisticColumns(column, groups, statistic));
  return { columns: [...first, counts, ...others], rows: [...groups.keys()] };
}

function statisticColumns(
  column: FlatColumn,
  groups: readonly (readonly number[])[],
  statistic: Statistic | "unique",
): FlatColumn[] {
  const present = groups.map((group) => group.filter((row) => column.text(row) !== ""));
  if (statistic === "unique")
    return [
      texts(
        column.name,
        present.map((own) => names(own.map(column.text))),
      ),
    ];
  if (statistic.kind === "count")
    return [
      numbers(
        column.name,
        present.map((own) => own.length),
      ),
    ];
  if (statistic.kind === "distinct")
    return [
      numbers(
        column.name,
        present.map((own) => new Set(own.map(column.text)).size),
      ),
    ];
  if (!column.numeric) return [];
  return [
    numbers(
      column.name,
      present.map((own) => computeStatistic(statistic, Float64Array.from(own, column.number)) ?? Number.NaN),
      present,
    ),
  ];
}

function names(present: readonly string[]): string {
  return firstNames([...new Set(present)], mostNamed);
}

/** Numbers are missing without values, even a sum. */
function numbers(name: string, values: readonly number[], present?: readonly (readonly number[])[]): FlatColumn {
  const number = (row: number): number => (present?.[row]?.length === 0 ? Number.NaN : (values[row] ?? Number.NaN));
  const text = (row: number): string => (Number.isNaN(number(row)) ? "" : String(Number(number(row).toPrecision(15))));
  return { name, numeric: true, integral: false, isMissing: (row) => text(row) === "", text, number };
}

function texts(name: string, values: readonly string[]): FlatColumn {
  const text = (row: number): string => values[row] ?? "";
  return { name, numeric: false, integral: false, isMissing: () => false, text, number: () => Number.NaN };
}
