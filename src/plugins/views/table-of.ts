import { Failure } from "../../core/failures/index.ts";
import type { Figure, TableBlock } from "../../core/figures/index.ts";
import { type FlatColumn, flatColumns, flatRecords, tabulated } from "../../core/tables/index.ts";
import { nearest } from "../../core/text/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import type { Values } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { groupedRows, linesOption, textOption, wantedData } from "../../query/profile/index.ts";
import { withDefaults, numberWithin, option } from "../plugin.ts";
import type { View } from "./view.ts";

const options: readonly Variable[] = [
  option("of", "string", "resources", "kind of rows", ["resources", "models"]),
  option("headers", "text", null, "columns to show, in this order, one per line (default: all)"),
  option("sort-by", "text", null, "columns to sort by, one per line, ascending; prefix - for descending"),
  option("descending", "boolean", false, "largest first"),
  option("filter-by", "text", null, "KEY=VALUE, one per line: rows that match one of the values of each key"),
  option("where", "text", null, "conditions on resources, one per line, as in perfkeep query"),
  option("group-by", "text", null, "columns to group by, one per line; the others are aggregated"),
  option(
    "func",
    "string",
    "sum",
    "aggregation of groups: sum, mean, count, nunique, unique, median, min, max, or a quantile (q95)",
  ),
  option("top", "integer", null, "maximum rows"),
  option("compat", "string", null, "columns, order and numbers of another program", ["perun"]),
];

/** The measured rows or the fitted models of a run as a table, with nested values flattened. */
export const tableOf = Object.freeze<View>({
  kind: "view",
  name: "tableof",
  aliases: ["table-of"],
  synopsis: "table of the resources or models of a profile",
  operand: "of",
  options,
  draw: drawTable,
});

function nothingIn(of: "models" | "resources"): Failure {
  const what = `the profile has no ${of}`;
  const instead = "perfkeep postprocessby PROFILE regression-analysis derives models";
  return new Failure("nothing-to-draw", of === "models" ? { what, instead } : { what });
}

function drawTable(run: Run, given: Values): Figure {
  const values = withDefaults(tableOf, given);
  const of = values.get("of") === "models" ? "models" : "resources";
  const asPerun = values.get("compat") === "perun";
  const { columns: own, length } = partOf(run, of, linesOption(values, "where"));
  const all = asPerun ? perunColumns(own, of) : own;
  if (length === 0 && !asPerun) throw nothingIn(of);
  const filter = linesOption(values, "filter-by");
  const matching = filtered(length, all, filter);
  if (matching.length === 0 && !asPerun)
    throw new Failure("nothing-to-draw", { what: `no row has ${filter.join(" and ")}` });
  const keys = linesOption(values, "group-by").map((name) => find(all, name));
  const { columns, rows } =
    keys.length === 0
      ? { columns: all, rows: matching }
      : groupedRows(all, matching, keys, textOption(values, "func") ?? "sum");
  const shown = linesOption(values, "headers").map((name) => find(columns, name));
  const sortedRows = sorted(rows, columns, linesOption(values, "sort-by"), values.get("descending") === true);
  const top = values.get("top") === null ? sortedRows.length : numberWithin(tableOf, values, "top", 1);
  const tableOfRows = asPerun ? perunTable : tableFrom;
  const block = tableOfRows(shown.length > 0 ? shown : columns, sortedRows.slice(0, top));
  return { title: titleOf(run, of), blocks: [block] };
}

/** Perun's columns: by name, with the number of each row's snapshot. */
function perunColumns(columns: readonly FlatColumn[], of: "resources" | "models"): readonly FlatColumn[] {
  const sortedColumns = columns.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  if (of === "models") return sortedColumns;
  const snapshot = columns.find(({ name }) => name === "snapshot");
  const number = (row: number): number =>
    snapshot === undefined || snapshot.isMissing(row) ? 0 : snapshot.number(row);
  const text = (row: number): string => String(number(row));
  const snapshots = { name: "snapshots", numeric: true, integral: true, isMissing: () => false, text, number };
  return [...sortedColumns, snapshots].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function perunTable(columns: readonly FlatColumn[], rows: readonly number[]): TableBlock {
  const cells = tabulated(columns, rows);
  return {
    kind: "table",
    head: cells.map(({ name, align }) => ({ label: name, align })),
    rows: rows.map((_, at) => cells.map((column) => column.cells[at] ?? "")),
  };
}

function partOf(
  run: Run,
  of: "resources" | "models",
  where: readonly string[],
): { columns: readonly FlatColumn[]; length: number } {
  if (of === "models") return { columns: flatRecords(run.models), length: run.models.length };
  const data = where.length === 0 ? run.data : wantedData(run, where);
  return { columns: flatColumns(data), length: data.length };
}

function titleOf(run: Run, of: string): string {
  const [cmd, workload] = [run.fixed.get("cmd") ?? "", run.fixed.get("workload") ?? ""];
  return `${of} of ${[cmd, workload].filter((part) => part !== "").join(" ")}`;
}

function tableFrom(columns: readonly FlatColumn[], rows: readonly number[]): TableBlock {
  const head = columns.map((column) => ({
    label: column.name,
    align: column.numeric ? ("right" as const) : ("left" as const),
  }));
  return { kind: "table", head, rows: rows.map((row) => columns.map((column) => column.text(row))) };
}

function find(columns: readonly FlatColumn[], name: string): FlatColumn {
  const column = columns.find((candidate) => candidate.name === name);
  if (column !== undefined) return column;
  const names = columns.map((candidate) => candidate.name);
  throw new Failure("unknown-column", { column: name, near: nearest(name, names).join(", "), known: names.join(", ") });
}

/** Rows that match one of the given values of each key. */
function filtered(length: number, columns: readonly FlatColumn[], conditions: readonly string[]): number[] {
  const byColumn = new Map<FlatColumn, Set<string>>();
  for (const condition of conditions) {
    const [key, value] = split(condition);
    const column = find(columns, key);
    byColumn.set(column, (byColumn.get(column) ?? new Set()).add(value));
  }
  const rows = Array.from({ length }, (_, row) => row);
  return rows.filter((row) => [...byColumn].every(([column, accepted]) => accepted.has(column.text(row))));
}

function split(condition: string): [string, string] {
  const at = condition.indexOf("=");
  if (at < 1) throw new Failure("bad-option", { option: "filter-by", value: condition, expected: "KEY=VALUE" });
  return [condition.slice(0, at), condition.slice(at + 1)];
}

/** Sorts numbers by value, text by code point, missing values last; stable. */
function sorted(
  rows: number[],
  columns: readonly FlatColumn[],
  names: readonly string[],
  isDescending: boolean,
): number[] {
  const keys = names.map((name) => {
    const own = columns.find((column) => column.name === name);
    const column = own ?? find(columns, name.startsWith("-") ? name.slice(1) : name);
    return { column, sign: isDescending !== (own === undefined) ? -1 : 1 };
  });
  return rows.sort((a, b) => keys.reduce((order, { column, sign }) => order || compared(column, a, b, sign), 0));
}

function compared(column: FlatColumn, a: number, b: number, sign: number): number {
  if (!column.numeric) return byText(column.text(a), column.text(b), sign);
  const [x, y] = [column.number(a), column.number(b)];
  return Number.isNaN(x) || Number.isNaN(y) ? Number(Number.isNaN(x)) - Number(Number.isNaN(y)) : sign * (x - y);
}

function byText(a: string, b: string, sign: number): number {
  if (a === "" || b === "") return Number(a === "") - Number(b === "");
  return sign * (a < b ? -1 : a > b ? 1 : 0);
}
