import type { Json } from "../../core/values/index.ts";
import type { Column, Table } from "../../core/tables/index.ts";

/** The values of a text or nested column; equal codes are equal values. */
export interface Cells {
  at(row: number): Json | undefined;
  code(row: number): number;
}

/** A missing or numeric column has no values. */
export function cellsOf(data: Table, name: string): Cells {
  const column: Column | undefined = data.columns[data.variables.findIndex((variable) => variable.name === name)];
  if (column === undefined || column.kind === "number") return { at: () => undefined, code: () => -1 };
  const code = (row: number): number => column.codes[row] ?? -1;
  return { at: (row) => column.dictionary[code(row)], code };
}
