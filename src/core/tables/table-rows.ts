import { Failure } from "../failures/failure.ts";
import { InvalidValue } from "../values/invalid-value.ts";
import { formatValue, type DataType, type Value, type Values } from "../values/value.ts";
import { type Variable, findVariable, readVariableValue } from "../variables/variable.ts";
import { numberColumn, textColumn } from "./table-builder.ts";
import { type Column, type NumberColumn, type Table, columnKind, valueAt, type TextColumn } from "./table.ts";

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

/**
 * Casts columns to the types of the `wanted` variables of the same names: numbers to texts, numeric texts to numbers.
 * Other columns are unchanged. Fails with `content-does-not-fit`.
 */
export function castTable(table: Table, wanted: readonly Variable[]): Table {
  const targets = table.variables.map(({ name }) => findVariable(wanted, name));
  const differs = (variable: Variable, at: number): boolean =>
    targets[at] !== undefined && targets[at].type !== variable.type;
  if (!table.variables.some(differs)) return table;
  const columns = table.columns.map((column, at): Column => {
    const [given, target] = [table.variables[at]!, targets[at]];
    return target === undefined || column.kind === "interned" || !differs(given, at)
      ? column
      : castColumn(column, table.length, given.type, target);
  });
  const variables = table.variables.map((variable, at) =>
    differs(variable, at) ? { ...variable, type: targets[at]!.type } : variable,
  );
  return { variables, columns, length: table.length };
}

/** Like `castTable`, for the values of a run with the types of `declared`. Fails with `content-does-not-fit`. */
export function castValues(values: Values, declared: readonly Variable[], wanted: readonly Variable[]): Values {
  return new Map(
    [...values].map(([name, value]) => {
      const [given, target] = [findVariable(declared, name), findVariable(wanted, name)];
      const isSame = given === undefined || target === undefined || given.type === target.type;
      return [name, isSame ? value : castValue(value, given.type, target)] as const;
    }),
  );
}

function castColumn(column: NumberColumn | TextColumn, length: number, from: DataType, target: Variable): Column {
  const known = new Map<Value, Value>();
  const cells = Array.from({ length }, (_, row) => {
    const value = valueAt(column, row, from);
    let cell = known.get(value);
    if (cell === undefined) known.set(value, (cell = castValue(value, from, target)));
    return cell;
  });
  return columnKind(target.type) === "text" ? textColumn(cells as (string | null)[]) : numberColumn(cells);
}

function castValue(value: Value, from: DataType, target: Variable): Value {
  if (value === null) return null;
  const text = formatValue(value, from);
  const cast = readVariableValue(text, target);
  if (!(cast instanceof InvalidValue)) return cast;
  throw new Failure("content-does-not-fit", {
    value: text.slice(0, 80),
    variable: target.name,
    type: target.type,
    problem: cast.problem,
  });
}
