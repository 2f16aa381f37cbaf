import type { Json, JsonObject } from "../values/json.ts";
import { Failure } from "../failures/failure.ts";
import type { DataType, Value } from "../values/value.ts";
import type { Variable } from "../variables/variable.ts";

/**
 * Numbers (also boolean 0/1, date, timestamp, timeofday, duration: see Value). Typed arrays, one cell per row.
 * `missing[row]` is 1 where there is no value (null: none is missing).
 */
export interface NumberColumn {
  readonly kind: "number";
  readonly values: Float64Array;
  readonly missing: Uint8Array | null;
  /** Integers beyond 2^53, by row, in decimal; `values` holds the nearest double. null: there are none. */
  readonly exact: ReadonlyMap<number, string> | null;
  /**
   * Of a float column that holds integers too: 1 where the source spelt one. Absent: the type of the variable tells of
   * all cells.
   */
  readonly integers?: Uint8Array;
}

/** Texts: `codes[row]` points into the dictionary; -1 is missing. */
export interface TextColumn {
  readonly kind: "text";
  readonly dictionary: readonly string[];
  readonly codes: Int32Array;
}

/**
 * Structured values shared by many rows (a call trace, a nested uid): `codes[row]` points into the dictionary, whose
 * undefined cells (and code -1) are missing. Several columns may share one `codes` array.
 */
export interface InternedColumn {
  readonly kind: "interned";
  readonly dictionary: readonly (Json | undefined)[];
  readonly codes: Int32Array;
}

export type Column = NumberColumn | TextColumn | InternedColumn;

/** Columnar data; row r of every column belongs together. Never mutated once built. */
export interface Table {
  readonly variables: readonly Variable[];
  /** Parallel to `variables`. */
  readonly columns: readonly Column[];
  readonly length: number;
  /**
   * How the rows stood in a profile. Who makes a table with other rows, other properties or other columns leaves it
   * out: the profile is then grouped anew. Changed numbers in the same cells may keep it.
   */
  readonly groups?: RowGroups;
}

/** Rows that share all properties are one resource type of a profile. */
export interface RowGroups {
  /** In the order of the profile. `columns` names the columns the type has there, in order. */
  readonly types: readonly { readonly id: string; readonly columns: readonly string[] }[];
  /** For each row its place in `types`. */
  readonly codes: Int32Array;
  /**
   * The shared properties by id, in the order of the profile (not always that of `types`); may have ids without rows.
   */
  readonly properties: JsonObject;
}

/** The kind of column that holds contents of a type. */
export function columnKind(type: DataType): "number" | "text" {
  return type === "string" || type === "text" || type === "binary" || type === "version" ? "text" : "number";
}

/** The content of one cell of a number or text column; null where it is missing. */
export function valueAt(column: NumberColumn | TextColumn, row: number, type: DataType): Value {
  if (column.kind === "text") return column.dictionary[column.codes[row] ?? -1] ?? null;
  if (column.missing?.[row] === 1) return null;
  const exact = column.exact?.get(row);
  if (exact !== undefined) return BigInt(exact);
  const value = column.values[row] ?? null;
  return type === "boolean" && value !== null ? value !== 0 : value;
}

/**
 * Rows as arrays in the order of the variables; structured cells as they are. For small tables: it undoes the columns.
 */
export function rowsOf(table: Table): (Value | Json)[][] {
  return Array.from({ length: table.length }, (_, row) =>
    table.columns.map((column, at) => cellOf(table, column, at, row)),
  );
}

function cellOf(table: Table, column: Column, at: number, row: number): Value | Json {
  if (column.kind === "interned") return column.dictionary[column.codes[row] ?? -1] ?? null;
  return valueAt(column, row, table.variables[at]?.type ?? "float");
}

/** The variable's place in the table; names are compared without regard to case. -1: there is none. */
export function indexOfVariable(table: Pick<Table, "variables">, name: string): number {
  const exact = table.variables.findIndex((variable) => variable.name === name);
  return exact >= 0
    ? exact
    : table.variables.findIndex((variable) => variable.name.toLowerCase() === name.toLowerCase());
}

/** The named columns in the order asked for; fails with `unknown-column`. Columns are shared, not copied. */
export function selectColumns(table: Table, names: readonly string[]): Table {
  const places = names.map((name) => {
    const at = indexOfVariable(table, name);
    if (at < 0)
      throw new Failure("unknown-column", {
        column: name,
        known: table.variables.map((variable) => variable.name).join(", "),
      });
    return at;
  });
  const pick = <T>(list: readonly T[]): T[] => places.map((at) => list[at]).filter((each) => each !== undefined);
  return { variables: pick(table.variables), columns: pick(table.columns), length: table.length };
}
