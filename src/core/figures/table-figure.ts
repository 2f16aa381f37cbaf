import type { Figure } from "./figure.ts";
import { columnKind, valueAt, type Column, type Table } from "../tables/index.ts";
import { formatUnit, formatValue, type Value } from "../values/index.ts";
import type { Variable } from "../variables/index.ts";

/** people: six significant digits, and all digits before the point; exact: all digits, for programs. */
export type Precision = "people" | "exact";

/**
 * Rows `from` up to `to` of a result as a table block; the head has units as `[unit]`. A missing value is an empty
 * cell.
 */
export function answerFigure(table: Table, precision: Precision, from = 0, to = table.length): Figure {
  const head = table.variables.map((variable) => ({
    label: headOf(variable),
    align: isNumber(variable) ? ("right" as const) : ("left" as const),
  }));
  const cells = table.columns.map((column, i) => cellsOf(column, table.variables[i] as Variable, precision));
  const rows = Array.from({ length: Math.max(0, to - from) }, (_, i) => cells.map((cell) => cell(from + i)));
  return { title: "", blocks: [{ kind: "table", head, rows }] };
}

/** The values of a row for JSON: numbers (beyond 2^53: text), NaN and infinities as text. */
export function jsonRow(table: Table, row: number): (null | boolean | number | string)[] {
  return table.columns.map((column, i) =>
    jsonValue(cellValue(column, row, table.variables[i] as Variable), table.variables[i] as Variable),
  );
}

function headOf({ name, unit }: Variable): string {
  const text = formatUnit(unit);
  return text === "" ? name : `${name} [${text}]`;
}

function isNumber({ type }: Variable): boolean {
  return type === "integer" || type === "float" || type === "duration";
}

/** The text of a column's cells by row. Plain numbers, most cells of large tables, are written directly. */
function cellsOf(column: Column, variable: Variable, precision: Precision): (row: number) => string {
  const { type } = variable;
  const text = (row: number): string => {
    const value = cellValue(column, row, variable);
    if (value === null) return "";
    if (precision === "people" && type === "float" && typeof value === "number" && Number.isFinite(value))
      return shortNumber(value);
    return formatValue(value, type);
  };
  if (column.kind !== "number" || column.exact !== null || (type !== "integer" && type !== "float")) return text;
  if (type === "float" && precision === "people") return text;
  const { values, missing } = column;
  return (row) => {
    const value = values[row];
    return value === undefined || value === 0 || missing?.[row] === 1 ? text(row) : String(value);
  };
}

function cellValue(column: Column, row: number, { type }: Variable): Value {
  if (column.kind === "interned" || column.kind !== columnKind(type)) return null;
  return valueAt(column, row, type);
}

/** Six significant digits without trailing zeros; from a million on an integer with all digits. */
function shortNumber(value: number): string {
  return String(Math.abs(value) >= 1e6 ? Math.round(value) : Number(value.toPrecision(6)));
}

/** A value for JSON; see `jsonRow`. */
export function jsonValue(value: Value, { type }: Pick<Variable, "type">): null | boolean | number | string {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "bigint" || type === "date" || type === "timestamp" || type === "timeofday")
    return formatValue(value, type);
  return Number.isFinite(value) ? value : formatValue(value, type);
}
