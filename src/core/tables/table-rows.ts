import type { Column, NumberColumn, Table } from "./table.ts";
import type { Variable } from "../variables/variable.ts";

/** The rows of those numbers, in that order. Dictionaries are shared, not copied. */
export function takeRows(table: Table, rows: Uint32Array): Table {
  return {
    variables: table.variables,
    columns: table.columns.map((column) => taken(column, rows)),
    length: rows.length,
  };
}

function taken(column: Column, rows: Uint32Array): Column {
  if (column.kind !== "number") return { ...column, codes: Int32Array.from(rows, (row) => column.codes[row] ?? -1) };
  const { values, missing, exact, integers } = column;
  const digits = new Map<number, string>();
  if (exact) rows.forEach((row, at) => exact.has(row) && digits.set(at, exact.get(row) ?? ""));
  return {
    kind: "number",
    values: Float64Array.from(rows, (row) => values[row] ?? 0),
    missing: missing && Uint8Array.from(rows, (row) => missing[row] ?? 0),
    exact: digits.size > 0 ? digits : null,
    ...(integers ? { integers: Uint8Array.from(rows, (row) => integers[row] ?? 0) } : {}),
  };
}

/** The table with a column of that name, in the place of the one that had it, else at the end. */
export function withColumn(table: Table, variable: Variable, column: NumberColumn): Table {
  const at = table.variables.findIndex(({ name }) => name === variable.name);
  const place = at < 0 ? table.variables.length : at;
  const [variables, columns] = [table.variables.slice(), table.columns.slice()];
  variables[place] = variable;
  columns[place] = column;
  return { variables, columns, length: table.length };
}
