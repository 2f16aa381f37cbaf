import type { Variable } from "../variables/index.ts";
import type { Column, NumberColumn, Table, TextColumn } from "./table.ts";

/** The rows with these indexes, in this order. Dictionaries are shared, not copied. */
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

/** Selects rows of a column, in this order. */
export function pickRows(column: NumberColumn | TextColumn, rows: ArrayLike<number>): NumberColumn | TextColumn {
  if (column.kind === "text") return { ...column, codes: Int32Array.from(rows, (row) => column.codes[row] ?? -1) };
  const { missing, exact } = column;
  const values = Float64Array.from(rows, (row) => column.values[row] ?? 0);
  const digits = new Map<number, string>();
  if (exact) Array.from(rows).forEach((row, at) => exact.has(row) && digits.set(at, exact.get(row) ?? ""));
  return {
    kind: "number",
    values,
    missing: missing ? Uint8Array.from(rows, (row) => missing[row] ?? 0) : null,
    exact: digits.size > 0 ? digits : null,
  };
}

/** Whether a column holds numbers or texts, not nested values. */
export function isPlain(column: Column): column is NumberColumn | TextColumn {
  return column.kind !== "interned";
}

/** Replaces the column of that name, or appends one. */
export function withColumn(table: Table, variable: Variable, column: NumberColumn): Table {
  const at = table.variables.findIndex(({ name }) => name === variable.name);
  const index = at < 0 ? table.variables.length : at;
  const [variables, columns] = [table.variables.slice(), table.columns.slice()];
  variables[index] = variable;
  columns[index] = column;
  return { variables, columns, length: table.length };
}
