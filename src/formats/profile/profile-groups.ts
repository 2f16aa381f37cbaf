import { type Json, type JsonObject, flatText } from "../../core/values/index.ts";
import type { Column, RowGroups, Table } from "../../core/tables/index.ts";
import { compareByCodePoint } from "../text/index.ts";

/**
 * Groups the rows of a table into resource types: numbers are columns, other values properties. Rows share a type if
 * they have equal properties and numbers in the same columns.
 */
export function groupRows(table: Table): RowGroups {
  const properties = new Map<string, Json>();
  const types: { id: string; columns: readonly string[] }[] = [];
  const byKey = new Map<string, number>();
  const counters = new Map<string, number>();
  const codes = new Int32Array(table.length);
  for (let row = 0; row < table.length; row++) {
    const key = table.columns.map((column) => keyOf(column, row)).join();
    let code = byKey.get(key);
    if (code === undefined) {
      const own = propertiesOf(table, row);
      const stem = flatText(own.get("uid") ?? "");
      const number = counters.get(stem) ?? 0;
      counters.set(stem, number + 1);
      const id = `${stem}#${number}`;
      properties.set(id, own);
      byKey.set(key, (code = types.push({ id, columns: columnsOf(table, row) }) - 1));
    }
    codes[row] = code;
  }
  return { types, codes, properties };
}

function keyOf(column: Column, row: number): number {
  return column.kind === "number" ? (column.missing?.[row] ?? 0) : (column.codes[row] ?? -1);
}

function columnsOf(table: Table, row: number): string[] {
  const isColumn = (column: Column | undefined) => column?.kind === "number" && column.missing?.[row] !== 1;
  return table.variables.filter((_, at) => isColumn(table.columns[at])).map(({ name }) => name);
}

function propertiesOf(table: Table, row: number): JsonObject {
  const own = table.columns.flatMap((column, at): [string, Json][] => {
    const value = column.kind === "number" ? undefined : column.dictionary[column.codes[row] ?? -1];
    return value === undefined ? [] : [[table.variables[at]!.name, value]];
  });
  return new Map(own.sort(([a], [b]) => compareByCodePoint(a, b)));
}
