import type { Json } from "../../core/values/json.ts";
import type { Column, Table } from "../../core/tables/table.ts";

/** The contents of a column of texts or nested values; those of one code are one content. */
export interface Cells {
  at(row: number): Json | undefined;
  code(row: number): number;
}

/** A column that there is not, or that holds numbers, has no contents. */
export function cellsOf(data: Table, name: string): Cells {
  const column: Column | undefined = data.columns[data.variables.findIndex((variable) => variable.name === name)];
  if (column === undefined || column.kind === "number") return { at: () => undefined, code: () => -1 };
  const code = (row: number): number => column.codes[row] ?? -1;
  return { at: (row) => column.dictionary[code(row)], code };
}
