import { rowsOf, type Table } from "../../core/tables/index.ts";
import type { DataType, Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";

/** A row of a small result by column name. */
export type Row = ReadonlyMap<string, Value>;

export function recordsOf(table: Table): Row[] {
  const names = table.variables.map((variable) => variable.name);
  return rowsOf(table).map((cells) => new Map(names.map((name, at) => [name, cells[at] as Value])));
}

/** Columns of a catalogue table with their types. */
export type Columns = readonly (readonly [name: string, type: DataType])[];

export function variablesOf(columns: Columns): Variable[] {
  return columns.map(([name, type]) => ({ name, role: "parameter", occurrence: "multiple", type }));
}

export const text = (name: string): readonly [string, DataType] => [name, "text"];
export const number = (name: string): readonly [string, DataType] => [name, "integer"];
export const time = (name: string): readonly [string, DataType] => [name, "timestamp"];

/** The text of a column as an object with the property `key`, or {} if it is null; to set an optional property. */
export function textAt<K extends string>(row: Row, column: string, key: K): { [P in K]?: string } {
  const value = row.get(column);
  return (typeof value === "string" ? { [key]: value } : {}) as { [P in K]?: string };
}
