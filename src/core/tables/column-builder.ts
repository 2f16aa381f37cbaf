import type { NumberColumn, TextColumn } from "./table.ts";
import type { Value } from "../values/index.ts";

/**
 * Builds a number column, row by row in any order; it grows by doubling. `values` is public for loops that avoid calls.
 */
export class NumberColumnBuilder {
  values: Float64Array;
  missing: Uint8Array | null = null;
  exact: Map<number, string> | null = null;

  constructor(capacity = 64) {
    this.values = new Float64Array(capacity);
  }

  ensure(length: number): void {
    if (length <= this.values.length) return;
    const capacity = Math.max(length, this.values.length * 2);
    this.values = grown(this.values, new Float64Array(capacity));
    if (this.missing) this.missing = grown(this.missing, new Uint8Array(capacity));
  }

  /** null is a missing value; integers beyond 2^53 keep their digits. */
  set(row: number, value: Value): void {
    this.ensure(row + 1);
    this.values[row] = Number(value ?? 0);
    if (value === null) this.#setMissing(row, row + 1);
    else if (typeof value === "bigint") (this.exact ??= new Map()).set(row, value.toString());
  }

  /** Like `set`, also for a row that was missing. */
  put(row: number, value: number): void {
    this.ensure(row + 1);
    this.values[row] = value;
    if (this.missing) this.missing[row] = 0;
  }

  get(row: number): Value {
    if (this.missing?.[row] === 1) return null;
    const digits = this.exact?.get(row);
    return digits === undefined ? (this.values[row] ?? null) : BigInt(digits);
  }

  fill(value: Value, from: number, to: number): void {
    this.ensure(to);
    if (typeof value === "bigint") for (let row = from; row < to; row++) this.set(row, value);
    else if (value === null) this.#setMissing(from, to);
    else {
      this.values.fill(Number(value), from, to);
      this.missing?.fill(0, from, to);
    }
  }

  #setMissing(from: number, to: number): void {
    this.missing ??= new Uint8Array(this.values.length);
    this.missing.fill(1, from, to);
  }

  /** Returns the column and resets the builder. */
  take(length: number): NumberColumn {
    const { values, missing, exact } = this;
    const capacity = values.length;
    this.values = new Float64Array(capacity);
    this.missing = null;
    this.exact = null;
    return { kind: "number", values: cut(values, length), missing: missing ? cut(missing, length) : null, exact };
  }
}

/** Builds a text column; each distinct text is stored once. */
export class TextColumnBuilder {
  codes: Int32Array;
  #dictionary: string[] = [];
  #known = new Map<string, number>();

  constructor(capacity = 64) {
    this.codes = new Int32Array(capacity).fill(-1);
  }

  ensure(length: number): void {
    if (length <= this.codes.length) return;
    const filled = this.codes.length;
    this.codes = grown(this.codes, new Int32Array(Math.max(length, filled * 2))).fill(-1, filled);
  }

  set(row: number, value: Value): void {
    this.ensure(row + 1);
    this.codes[row] = this.#codeOf(value);
  }

  get(row: number): string | null {
    return this.#dictionary[this.codes[row] ?? -1] ?? null;
  }

  fill(value: Value, from: number, to: number): void {
    this.ensure(to);
    this.codes.fill(this.#codeOf(value), from, to);
  }

  #codeOf(value: Value): number {
    if (value === null) return -1;
    const text = String(value);
    const found = this.#known.get(text);
    if (found !== undefined) return found;
    this.#known.set(text, this.#dictionary.length);
    return this.#dictionary.push(text) - 1;
  }

  take(length: number): TextColumn {
    const { codes } = this;
    const dictionary = this.#dictionary;
    this.codes = new Int32Array(codes.length).fill(-1);
    this.#dictionary = [];
    this.#known = new Map();
    return { kind: "text", dictionary, codes: cut(codes, length) };
  }
}

export type ColumnBuilder = NumberColumnBuilder | TextColumnBuilder;

/** The filled part; copied if more than an eighth is unused. */
function cut<T extends Float64Array | Uint8Array | Int32Array>(values: T, length: number): T {
  return (length * 8 >= values.length * 7 ? values.subarray(0, length) : values.slice(0, length)) as T;
}

/** `to`, which is longer, with the values of `from` at its start. */
export function grown<T extends Float64Array | Uint8Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
