import type { Json } from "./json.ts";
import type { Variable } from "./variable.ts";

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
}
