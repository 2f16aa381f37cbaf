import { constantColumn, type NumberColumn, type Table, type TextColumn } from "../../core/tables/index.ts";
import type { Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";

/**
 * The cells of a column in the rows of one result: one value for all, or a list that may be shorter; NaN is missing.
 */
export type Cells = { readonly same: Value } | { readonly list: Float64Array };

type PlainColumn = NumberColumn | TextColumn;

/** Rows of large results, in tables of bounded length. */
export class ResultParts {
  readonly #variables: readonly Variable[];
  readonly #atOnce: number;
  /** An empty column for each of the variables. */
  readonly #absent: (PlainColumn | undefined)[] = [];

  constructor(variables: readonly Variable[], atOnce: number) {
    this.#variables = variables;
    this.#atOnce = atOnce;
  }

  /**
   * The rows `from` (0 is the first) up to `to` of one result. `cells` is parallel to the variables. Constant cells
   * are stored once, and lists are not copied: millions of samples take little more memory than in the report.
   */
  *of(cells: readonly Cells[], [from, to]: readonly [from: number, to: number]): Generator<Table> {
    const shared = cells.map((cell, at) =>
      this.#same(at, "same" in cell ? cell.same : null, Math.min(this.#atOnce, to - from)),
    );
    for (let row = from; row < to; row += this.#atOnce) {
      const length = Math.min(this.#atOnce, to - row);
      const columns = cells.map((cell, at) =>
        "same" in cell || row >= cell.list.length ? cut(shared[at]!, length) : listed(cell.list, row, length),
      );
      yield { variables: this.#variables, columns, length };
    }
  }

  #same(at: number, value: Value, length: number): PlainColumn {
    if (value !== null) return constantColumn(this.#variables[at]!, value, length);
    const known = this.#absent[at];
    if (known !== undefined && lengthOf(known) >= length) return known;
    return (this.#absent[at] = constantColumn(this.#variables[at]!, null, length));
  }
}

function lengthOf(column: PlainColumn): number {
  return column.kind === "text" ? column.codes.length : column.values.length;
}

function cut(column: PlainColumn, length: number): PlainColumn {
  if (column.kind === "text") return { ...column, codes: column.codes.subarray(0, length) };
  return { ...column, values: column.values.subarray(0, length), missing: column.missing?.subarray(0, length) ?? null };
}

function listed(list: Float64Array, from: number, length: number): NumberColumn {
  const there = list.subarray(from, from + length);
  if (there.length === length) return { kind: "number", values: there, missing: gaps(there, length), exact: null };
  const values = new Float64Array(length);
  values.set(there);
  return { kind: "number", values, missing: gaps(there, length), exact: null };
}

/** A bitmap of NaN and of rows after the end of `values`; null when there are none. */
function gaps(values: Float64Array, length: number): Uint8Array | null {
  let missing: Uint8Array | null = values.length < length ? new Uint8Array(length).fill(1, values.length) : null;
  if (hasNoGap(values)) return missing;
  for (let row = 0; row < values.length; row++)
    if (Number.isNaN(values[row])) (missing ??= new Uint8Array(length))[row] = 1;
  return missing;
}

/** True only without NaN, which would make a sum NaN. */
function hasNoGap(values: Float64Array): boolean {
  let [even, odd] = [0, 0];
  for (let row = 1; row < values.length; row += 2) {
    even += values[row - 1]!;
    odd += values[row]!;
  }
  return Number.isFinite(even + odd + (values.at(-1) ?? 0));
}
