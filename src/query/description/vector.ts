import { pickRows, type NumberColumn, type TextColumn, valueAt } from "../../core/tables/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { nearest } from "../../core/text/index.ts";
import { compareValues, type Unit, type Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";

/** The result of one element of a query: rows of parameters and results, with their display names. */
export interface Vector {
  /** The element that made it. */
  readonly origin: string;
  /** Operators group the rows of sources and reduce those of other elements. */
  readonly from: "source" | "operator" | "combiner";
  readonly columns: readonly VectorColumn[];
  /** The run number of each row; -1: none, or several. */
  readonly runs: Int32Array;
  /** Run numbers in their chronological order. */
  readonly chronology: readonly number[];
  readonly length: number;
  readonly labels: readonly FilterLabel[];
}

export interface VectorColumn {
  /** Name, type, unit and synopsis. Names are unique within the vector, except in combiners. */
  readonly variable: Variable;
  /** Display name: an alias, or the name as changed by operators. */
  readonly display: string;
  /** The text of the unit `of` in tables, where perfbase's text is no unit: `/`. */
  readonly shownUnit?: { readonly of: Unit | undefined; readonly text: string };
  readonly column: NumberColumn | TextColumn;
  /** Positions of values with an order of their own, such as versions in history. Other values sort after them. */
  readonly positions?: ReadonlyMap<string, number>;
}

/** A label for all rows: a filter, or the common value of a parameter. */
export interface FilterLabel {
  readonly text: string;
  /** Shown in titles only. */
  readonly titleOnly: boolean;
  /** A common value of all rows, not a condition of the query. */
  readonly common?: true;
}

export function parametersOf(vector: Vector): VectorColumn[] {
  return vector.columns.filter((column) => column.variable.role === "parameter");
}

export function resultsOf(vector: Vector): VectorColumn[] {
  return vector.columns.filter((column) => column.variable.role === "result");
}

export function valueOf({ column, variable }: VectorColumn, row: number): Value {
  return valueAt(column, row, variable.type);
}

/** Compares two values of a column. In columns with positions, values without one sort last in either direction. */
export function compareInColumn(
  { variable, positions }: Pick<VectorColumn, "variable" | "positions">,
  a: Value,
  b: Value,
  direction: 1 | -1 = 1,
): number {
  const [left, right] = [a, b].map((value) => (typeof value === "string" ? positions?.get(value) : undefined));
  if (left !== undefined && right !== undefined) return direction * (left - right);
  const areThere = a !== null && b !== null;
  return areThere && left !== right
    ? Number(left === undefined) - Number(right === undefined)
    : direction * compareValues(a, b, variable.type);
}

/** Selects rows of a vector. */
export function pick(vector: Vector, rows: ArrayLike<number>): Vector {
  return {
    ...vector,
    columns: vector.columns.map((column) => ({ ...column, column: pickRows(column.column, rows) })),
    runs: Int32Array.from(rows, (row) => vector.runs[row] ?? -1),
    length: rows.length,
  };
}

/** Finds a column by variable name or display name; fails with `query-not-possible` and similar names. */
export function columnNamed(
  element: { readonly id: string },
  vector: Pick<Vector, "columns">,
  name: string,
): VectorColumn {
  const found = vector.columns.find(({ variable, display }) => variable.name === name || display === name);
  if (found) return found;
  const known = [...new Set(vector.columns.flatMap(({ variable, display }) => [variable.name, display]))];
  const near = nearest(name.slice(0, 64), known).join(", ");
  const problem = `there is no column '${name.slice(0, 64)}'${near ? `, did you mean ${near}?` : ""}`;
  throw new Failure("query-not-possible", { element: element.id, problem, advice: `columns are ${known.join(", ")}` });
}
