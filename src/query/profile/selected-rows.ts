import { Failure } from "../../core/failures/index.ts";
import { nearest } from "../../core/text/index.ts";
import { indexOfVariable, selectColumns, valueAt, type Table } from "../../core/tables/index.ts";
import type { Value } from "../../core/values/index.ts";
import { rowTest } from "./statistic-column.ts";

/**
 * The indices of the rows of a flat table that match all conditions (`uid:function=main`, `amount>=10`). Fails with
 * `unknown-column`, `bad-condition`.
 */
export function rowsWhere(table: Table, where: readonly string[]): Uint32Array {
  const isNumber = (column: string): boolean => table.columns[requireColumn(table, column)]?.kind === "number";
  const tests = where.map((text) => rowTest(text, isNumber, (name) => valuesOf(table, name)));
  return Uint32Array.from({ length: table.length }, (_, row) => row).filter((row) => tests.every((test) => test(row)));
}

/** The named columns in the given order; all without names. Fails with `unknown-column`. */
export function chosenColumns(table: Table, names: readonly string[]): Table {
  for (const name of names) requireColumn(table, name);
  return names.length === 0 ? table : selectColumns(table, names);
}

/** The values of a column of a flat table by row; null if missing. Fails with `unknown-column`. */
export function valuesOf(table: Table, name: string): (row: number) => Value {
  const at = requireColumn(table, name);
  const [column, variable] = [table.columns[at]!, table.variables[at]!];
  return column.kind === "interned" ? () => null : (row) => valueAt(column, row, variable.type);
}

function requireColumn(table: Table, name: string): number {
  const at = indexOfVariable(table, name);
  const known = table.variables.map((variable) => variable.name);
  if (at < 0)
    throw new Failure("unknown-column", {
      column: name,
      near: nearest(name, known).join(", "),
      known: known.join(", "),
    });
  return at;
}
