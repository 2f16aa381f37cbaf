import { Failure } from "../../core/failures/failure.ts";
import { nearest } from "../../core/text/name-suggestions.ts";
import type { Column, NumberColumn, TextColumn } from "../../core/tables/table.ts";
import { valueAt } from "../../core/tables/table.ts";
import { compareValues, type Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";

/**
 * What one element of a query yields: rows of parameters and results, and what they are called where they are shown.
 */
export interface Vector {
  /** The element it comes from. */
  readonly origin: string;
  /** Data of a source are grouped by operators, data of other elements reduced. */
  readonly from: "source" | "operator" | "combiner";
  readonly columns: readonly VectorColumn[];
  /** The number of the run that each row comes from; -1: of none, or of several. */
  readonly runs: Int32Array;
  /** Run numbers in their chronological order. */
  readonly chronology: readonly number[];
  readonly length: number;
  readonly labels: readonly FilterLabel[];
}

export interface VectorColumn {
  /** Name, type, unit and synopsis. Names are unique within the vector, but for those of a combiner's columns. */
  readonly variable: Variable;
  /** The name it is shown with: an alias, or what operators made of the name. */
  readonly display: string;
  readonly column: NumberColumn | TextColumn;
  /**
   * Contents that are in an order of their own, as versions are in that of history: the place of each. Others come
   * behind.
   */
  readonly positions?: ReadonlyMap<string, number>;
}

/** What is said of all rows: a filter, or the one content of a parameter. */
export interface FilterLabel {
  readonly text: string;
  /** Said in titles only. */
  readonly titleOnly: boolean;
  /** The content that all rows happened to share, not a condition of the query. */
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

/**
 * Order of two contents of a column. Those without a place, where contents have places, come behind whatever the
 * direction.
 */
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

/** A column with these rows of another one, in this order. */
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

/** The vector with these of its rows. */
export function pick(vector: Vector, rows: ArrayLike<number>): Vector {
  return {
    ...vector,
    columns: vector.columns.map((column) => ({ ...column, column: pickRows(column.column, rows) })),
    runs: Int32Array.from(rows, (row) => vector.runs[row] ?? -1),
    length: rows.length,
  };
}

export function isPlain(column: Column): column is NumberColumn | TextColumn {
  return column.kind !== "interned";
}

/** A column by the name of its variable, or as it is shown; fails with `query-not-possible` and near names. */
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
