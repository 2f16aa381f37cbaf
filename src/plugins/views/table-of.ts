import { Failure } from "../../core/errors.ts";
import type { Figure, TableBlock } from "../../core/figure.ts";
import { type FlatColumn, flatColumns, flatRecords } from "../../core/flat-table.ts";
import { nearest } from "../../core/near-names.ts";
import type { Run } from "../../core/run.ts";
import type { Values } from "../../core/value.ts";
import type { Variable } from "../../core/variable.ts";
import type { View } from "./view.ts";

const text = { role: "parameter", occurrence: "once", type: "text", default: null } as const;

const options: readonly Variable[] = [
  { ...text, name: "of", default: "resources", valid: ["resources", "models"], synopsis: "what the rows are" },
  { ...text, name: "headers", synopsis: "columns to show, in this order, one a line; all when left out" },
  { ...text, name: "sort-by", synopsis: "column to sort by, ascending" },
  { ...text, name: "filter-by", synopsis: "KEY=VALUE, one a line: rows that have one of the values of each key" },
];

/** The measured rows or the fitted models of a run as a table, nested values taken apart. */
export const tableOf = Object.freeze<View>({
  kind: "view",
  name: "tableof",
  aliases: ["table-of"],
  synopsis: "table of the resources or models of a profile",
  operand: "of",
  options,
  draw: drawTable,
});

function drawTable(run: Run, values: Values): Figure {
  const of = values.get("of") === "models" ? "models" : "resources";
  const columns = of === "models" ? flatRecords(run.models) : flatColumns(run.data);
  const length = of === "models" ? run.models.length : run.data.length;
  if (length === 0) throw new Failure("nothing-to-draw", { what: `the profile has no ${of}` });
  const shown = linesOf(values, "headers").map((name) => find(columns, name));
  const kept = sorted(filtered(length, columns, linesOf(values, "filter-by")), columns, linesOf(values, "sort-by")[0]);
  if (kept.length === 0) throw new Failure("nothing-to-draw", { what: `no row has ${linesOf(values, "filter-by").join(" and ")}` });
  return { title: titleOf(run, of), blocks: [tableFrom(shown.length > 0 ? shown : columns, kept)] };
}

function titleOf(run: Run, of: string): string {
  const [cmd, workload] = [run.fixed.get("cmd") ?? "", run.fixed.get("workload") ?? ""];
  return `${of} of ${[cmd, workload].filter((part) => part !== "").join(" ")}`;
}

function tableFrom(columns: readonly FlatColumn[], rows: readonly number[]): TableBlock {
  const head = columns.map((column) => ({ label: column.name, align: column.numeric ? ("right" as const) : ("left" as const) }));
  return { kind: "table", head, rows: rows.map((row) => columns.map((column) => column.text(row))) };
}

function linesOf(values: Values, option: string): string[] {
  const value = values.get(option);
  return typeof value === "string" ? value.split("\n").filter((line) => line !== "") : [];
}

function find(columns: readonly FlatColumn[], name: string): FlatColumn {
  const column = columns.find((candidate) => candidate.name === name);
  if (column !== undefined) return column;
  const names = columns.map((candidate) => candidate.name);
  throw new Failure("unknown-column", { column: name, near: nearest(name, names).join(", "), known: names.join(", ") });
}

/** Rows whose content is one of those given for a key, for every key. */
function filtered(length: number, columns: readonly FlatColumn[], conditions: readonly string[]): number[] {
  const wanted = new Map<FlatColumn, Set<string>>();
  for (const condition of conditions) {
    const [key, value] = split(condition);
    const column = find(columns, key);
    wanted.set(column, (wanted.get(column) ?? new Set()).add(value));
  }
  const rows = Array.from({ length }, (_, row) => row);
  return rows.filter((row) => [...wanted].every(([column, contents]) => contents.has(column.text(row))));
}

function split(condition: string): [string, string] {
  const at = condition.indexOf("=");
  if (at < 1) throw new Failure("bad-option", { option: "filter-by", value: condition, expected: "KEY=VALUE" });
  return [condition.slice(0, at), condition.slice(at + 1)];
}

/** Numbers by value, texts by code point, missing ones last; equal ones keep their order. */
function sorted(rows: number[], columns: readonly FlatColumn[], name: string | undefined): number[] {
  if (name === undefined) return rows;
  const column = find(columns, name);
  return rows.sort((a, b) => (column.numeric ? byNumber(column, a, b) : byText(column.text(a), column.text(b))));
}

function byNumber(column: FlatColumn, a: number, b: number): number {
  const [x, y] = [column.number(a), column.number(b)];
  return Number.isNaN(x) || Number.isNaN(y) ? Number(Number.isNaN(x)) - Number(Number.isNaN(y)) : x - y;
}

function byText(a: string, b: string): number {
  if (a === "" || b === "") return Number(a === "") - Number(b === "");
  return a < b ? -1 : a > b ? 1 : 0;
}
