import { Failure } from "../../core/failures/index.ts";
import { nearest } from "../../core/text/index.ts";
import { indexOfVariable, valueAt, type NumberColumn, type Table, type TextColumn } from "../../core/tables/index.ts";
import { formatValue, type Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";

/** A column of a result with its variable. */
export interface NamedColumn {
  readonly variable: Variable;
  readonly column: NumberColumn | TextColumn;
}

/** Fails with `unknown-column` if no plottable column has that name. */
export function requireColumn(table: Table, name: string): NamedColumn {
  const at = indexOfVariable(table, name);
  const [variable, column] = [table.variables[at], table.columns[at]];
  if (variable !== undefined && column !== undefined && column.kind !== "interned") return { variable, column };
  const names = table.variables.map((candidate) => candidate.name);
  throw new Failure("unknown-column", { column: name, near: nearest(name, names).join(", "), known: names.join(", ") });
}

export function valueOf({ column, variable }: NamedColumn, row: number): Value {
  return valueAt(column, row, variable.type);
}

/** The value as labels show it. */
export function valueText(named: NamedColumn, row: number): string {
  const value = valueOf(named, row);
  return value === null ? "(none)" : formatValue(value, named.variable.type);
}

/**
 * The value of each row as a number; NaN where it is missing. Fails with `unusable-combination` for columns of text.
 */
export function numbersOf({ column, variable }: NamedColumn): (row: number) => number {
  if (column.kind !== "number") {
    throw new Failure("unusable-combination", {
      what: `'${variable.name}' is a ${variable.type} and cannot be plotted on a y axis`,
      instead: "choose a result that is a number, or ask for its count",
    });
  }
  return (row) => (column.missing?.[row] === 1 ? Number.NaN : (column.values[row] ?? Number.NaN));
}
