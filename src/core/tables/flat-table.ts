import { type Flat, flattenMembers, flatText } from "../values/flatten.ts";
import { isObject, type Json, JsonNumber } from "../values/json.ts";
import { type Column, type InternedColumn, type NumberColumn, type Table, valueAt } from "./table.ts";
import { formatValue } from "../values/value.ts";
import type { Variable } from "../variables/variable.ts";

/** A column as people read it: nested values taken apart into `uid`, `uid:function`, …. */
export interface FlatColumn {
  readonly name: string;
  /** True when every content is a number. */
  readonly numeric: boolean;
  /** Empty where there is no content. */
  text(row: number): string;
  /** NaN where there is no content or it is no number. */
  number(row: number): number;
}

/**
 * The columns of a table, nested ones as many as they have parts; in the order of the table, parts in order of first
 * appearance.
 */
export function flatColumns(table: Table): FlatColumn[] {
  return table.columns.flatMap((column, i) => columnsOf(column, table.variables[i] as Variable));
}

/** The columns of a list of objects (models), one row an object; what is no object has the one column `value`. */
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
    { name: variable.name, numeric: column.kind === "number", text, number: (row) => numberOf(column, row, text) },
  ];
}

function numberOf(column: Exclude<Column, InternedColumn>, row: number, text: (row: number) => string): number {
  if (column.kind === "text") return text(row) === "" ? Number.NaN : Number(text(row));
  return isMissing(column, row) ? Number.NaN : (column.values[row] ?? Number.NaN);
}

function isMissing(column: NumberColumn, row: number): boolean {
  return column.missing?.[row] === 1;
}

/** Each different value is taken apart once, however many rows share it. */
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

function flatColumn(name: string, contents: readonly (Flat | undefined)[], at: (row: number) => number): FlatColumn {
  const texts = contents.map((content) => (content === undefined ? "" : flatText(content)));
  const numbers = contents.map((content) => (content instanceof JsonNumber ? content.value : Number.NaN));
  const numeric = contents.every((content) => content === undefined || content instanceof JsonNumber);
  return { name, numeric, text: (row) => texts[at(row)] ?? "", number: (row) => numbers[at(row)] ?? Number.NaN };
}
