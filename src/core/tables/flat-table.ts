import { type Flat, flattenMembers, flatText, isObject, type Json, JsonNumber, formatValue } from "../values/index.ts";
import { type Column, type InternedColumn, type NumberColumn, type Table, valueAt } from "./table.ts";
import type { Variable } from "../variables/index.ts";

/** A column with nested values flattened into `uid`, `uid:function`, …. */
export interface FlatColumn {
  readonly name: string;
  /** True when every value is a number. */
  readonly numeric: boolean;
  /** True when every value is an integer by its type or spelling. */
  readonly integral: boolean;
  /** False for an empty text. */
  isMissing(row: number): boolean;
  /** Empty if the value is missing. */
  text(row: number): string;
  /** NaN if the value is missing or not a number. */
  number(row: number): number;
}

/** The columns of a table in its order; a nested column becomes one column per part, in order of first appearance. */
export function flatColumns(table: Table): FlatColumn[] {
  return table.columns.flatMap((column, i) => columnsOf(column, table.variables[i] as Variable));
}

/** The columns of a list of objects (models), one row per object; a non-object has the column `value`. */
export function flatRecords(records: readonly Json[]): FlatColumn[] {
  const rows = records.map(
    (record) => new Map(isObject(record) ? flattenMembers(record) : [["value", flatText(record)]]),
  );
  return namesOf(rows).map((name) =>
    flatColumn(
      name,
      rows.map((row) => row.get(name)),
      (row) => row,
    ),
  );
}

function columnsOf(column: Column, variable: Variable): FlatColumn[] {
  if (column.kind === "interned") return nestedColumns(column, variable.name);
  const text = (row: number): string => {
    const value = valueAt(column, row, variable.type);
    return value === null ? "" : formatValue(value, variable.type);
  };
  return [
    {
      name: variable.name,
      numeric: column.kind === "number",
      integral: variable.type === "integer",
      isMissing: (row) => valueAt(column, row, variable.type) === null,
      text,
      number: (row) => numberOf(column, row, text),
    },
  ];
}

function numberOf(column: Exclude<Column, InternedColumn>, row: number, text: (row: number) => string): number {
  if (column.kind === "text") return text(row) === "" ? Number.NaN : Number(text(row));
  return isMissing(column, row) ? Number.NaN : (column.values[row] ?? Number.NaN);
}

function isMissing(column: NumberColumn, row: number): boolean {
  return column.missing?.[row] === 1;
}

/** Each distinct value is flattened once. */
function nestedColumns(column: InternedColumn, name: string): FlatColumn[] {
  const cells = column.dictionary.map(
    (value) => new Map(value === undefined ? [] : flattenMembers(new Map([[name, value]]))),
  );
  return namesOf(cells).map((part) =>
    flatColumn(
      part,
      cells.map((cell) => cell.get(part)),
      (row) => column.codes[row] ?? -1,
    ),
  );
}

function namesOf(rows: readonly ReadonlyMap<string, Flat>[]): string[] {
  return [...new Set(rows.flatMap((row) => [...row.keys()]))];
}

function flatColumn(name: string, values: readonly (Flat | undefined)[], at: (row: number) => number): FlatColumn {
  const texts = values.map((value) => (value === undefined ? "" : flatText(value)));
  const numbers = values.map((value) => (value instanceof JsonNumber ? value.value : Number.NaN));
  const numeric = values.every((value) => value === undefined || value instanceof JsonNumber);
  return {
    name,
    numeric,
    integral: numeric && values.every((value) => !(value instanceof JsonNumber) || value.isInteger),
    isMissing: (row) => values[at(row)] === undefined,
    text: (row) => texts[at(row)] ?? "",
    number: (row) => numbers[at(row)] ?? Number.NaN,
  };
}
