import type { Json, JsonObject, DataType, Value } from "../values/index.ts";
import { Failure } from "../failures/index.ts";
import type { Variable } from "../variables/index.ts";

/**
 * Numbers (also boolean 0/1, date, timestamp, timeofday, duration: see Value) in typed arrays, one cell per row.
 * `missing[row]` is 1 for a missing value (null: none is missing).
 */
export interface NumberColumn {
  readonly kind: "number";
  readonly values: Float64Array;
  readonly missing: Uint8Array | null;
  /** Integers beyond 2^53, by row, in decimal; `values` holds the nearest double. null: none. */
  readonly exact: ReadonlyMap<number, string> | null;
  /**
   * For a float column with integers: 1 where the source spells an integer. Absent: all cells have the type of the
   * variable.
   */
  readonly integers?: Uint8Array;
}

/** Texts: `codes[row]` is an index into the dictionary; -1 is missing. */
export interface TextColumn {
  readonly kind: "text";
  readonly dictionary: readonly string[];
  readonly codes: Int32Array;
}

/**
 * Structured values shared by many rows (a call trace, a nested uid): `codes[row]` is an index into the dictionary,
 * whose undefined cells (and code -1) are missing. Several columns may share one `codes` array.
 */
export interface InternedColumn {
  readonly kind: "interned";
  readonly dictionary: readonly (Json | undefined)[];
  readonly codes: Int32Array;
}

export type Column = NumberColumn | TextColumn | InternedColumn;

/** Columnar data; cell r of each column belongs to row r. Immutable once built. */
export interface Table {
  readonly variables: readonly Variable[];
  /** Parallel to `variables`. */
  readonly columns: readonly Column[];
  readonly length: number;
  /**
   * The row groups of a profile. A table with other rows, properties or columns omits it, and the profile is grouped
   * again. Changed numbers in the same cells may keep it.
   */
  readonly groups?: RowGroups;
}

/** Rows that share all properties are one resource type of a profile. */
export interface RowGroups {
  /** In the order of the profile. `columns`: the columns that the type has there, in order. */
  readonly types: readonly { readonly id: string; readonly columns: readonly string[] }[];
  /** For each row its index in `types`. */
  readonly codes: Int32Array;
  /**
   * The shared properties by id, in the order of the profile (not always that of `types`); may have ids without rows.
   */
  readonly properties: JsonObject;
}

/** The kind of column for values of a type. */
export function columnKind(type: DataType): "number" | "text" {
  return type === "string" || type === "text" || type === "binary" || type === "version" ? "text" : "number";
}

/** The value of a cell of a number or text column; null if it is missing. */
export function valueAt(column: NumberColumn | TextColumn, row: number, type: DataType): Value {
  if (column.kind === "text") return column.dictionary[column.codes[row] ?? -1] ?? null;
  if (column.missing?.[row] === 1) return null;
  const exact = column.exact?.get(row);
  if (exact !== undefined) return BigInt(exact);
  const value = column.values[row] ?? null;
  return type === "boolean" && value !== null ? value !== 0 : value;
}

/** Rows as arrays in the order of the variables; structured cells unchanged. For small tables: it copies all cells. */
export function rowsOf(table: Table): (Value | Json)[][] {
  return Array.from({ length: table.length }, (_, row) =>
    table.columns.map((column, at) => cellOf(table, column, at, row)),
  );
}

function cellOf(table: Table, column: Column, at: number, row: number): Value | Json {
  if (column.kind === "interned") return column.dictionary[column.codes[row] ?? -1] ?? null;
  return valueAt(column, row, table.variables[at]?.type ?? "float");
}

/** The index of the variable, compared case-insensitively; -1 if there is none. */
export function indexOfVariable(table: Pick<Table, "variables">, name: string): number {
  const exact = table.variables.findIndex((variable) => variable.name === name);
  return exact >= 0
    ? exact
    : table.variables.findIndex((variable) => variable.name.toLowerCase() === name.toLowerCase());
}

/** The named columns, in this order; columns are shared, not copied. Fails with `unknown-column`. */
export function selectColumns(table: Table, names: readonly string[]): Table {
  const indexes = names.map((name) => {
    const at = indexOfVariable(table, name);
    if (at < 0)
      throw new Failure("unknown-column", {
        column: name,
        known: table.variables.map((variable) => variable.name).join(", "),
      });
    return at;
  });
  const pick = <T>(list: readonly T[]): T[] => indexes.map((at) => list[at]).filter((each) => each !== undefined);
  return { variables: pick(table.variables), columns: pick(table.columns), length: table.length };
}
