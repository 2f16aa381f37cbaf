import { type Column, grown, type NumberColumn, type TextColumn, valueAt } from "../../core/tables/index.ts";
import { compareValues, type Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";

/** The distinct values of a parameter in ascending order (missing first), and the index of each row's value. */
export interface CodedColumn {
  readonly variable: Variable;
  readonly values: readonly Value[];
  readonly codes: Int32Array;
}

/** Encodes a column with `length` rows; an absent one has no values. */
export function codedColumn(column: Column | undefined, length: number, variable: Variable): CodedColumn {
  const coder = new ColumnCoder(variable, length);
  coder.add(column, length);
  return coder.coded();
}

/** Encodes a column that is read in parts. */
export class ColumnCoder {
  readonly variable: Variable;
  readonly #found: Value[] = [];
  readonly #positions = new Map<number | string | null, number>();
  #codes: Int32Array;
  #length = 0;

  /** `rows`: their expected number. */
  constructor(variable: Variable, rows: number) {
    [this.variable, this.#codes] = [variable, new Int32Array(rows)];
  }

  /** Appends the values of `length` rows; an absent column has none. */
  add(column: Column | undefined, length: number): void {
    const start = this.#length;
    this.#length += length;
    if (this.#length > this.#codes.length)
      this.#codes = grown(this.#codes, new Int32Array(Math.max(this.#length, 2 * this.#codes.length)));
    if (column === undefined || column.kind === "interned") {
      this.#codes.fill(this.#positionOf(null, null), start, this.#length);
      return;
    }
    if (column.kind === "text") this.#addTexts(column, start, length);
    else this.#addNumbers(column, start, length);
  }

  /** No more values can be added. */
  coded(): CodedColumn {
    const [found, codes] = [this.#found, this.#codes.subarray(0, this.#length)];
    const { variable } = this;
    const order = [...found.keys()].sort((a, b) => compareValues(found[a] ?? null, found[b] ?? null, variable.type));
    const positions = new Int32Array(found.length);
    order.forEach((from, position) => (positions[from] = position));
    for (let row = 0; row < codes.length; row++) codes[row] = positions[codes[row] as number] as number;
    return { variable, values: order.map((from) => found[from] ?? null), codes };
  }

  #positionOf(key: number | string | null, value: Value): number {
    let position = this.#positions.get(key);
    if (position === undefined) this.#positions.set(key, (position = this.#found.push(value) - 1));
    return position;
  }

  #addTexts({ dictionary, codes }: TextColumn, start: number, length: number): void {
    const byCode = new Int32Array(dictionary.length + 1).fill(-1);
    for (let row = 0; row < length; row++) {
      const code = codes[row] as number;
      if (byCode[code + 1] === -1) {
        const text = dictionary[code] ?? null;
        byCode[code + 1] = this.#positionOf(text, text);
      }
      this.#codes[start + row] = byCode[code + 1] as number;
    }
  }

  #addNumbers(column: NumberColumn, start: number, length: number): void {
    const { values, missing, exact } = column;
    const [codes, positions, { type }] = [this.#codes, this.#positions, this.variable];
    for (let row = 0; row < length; row++) {
      const key = missing?.[row] === 1 ? null : (exact?.get(row) ?? (values[row] as number));
      codes[start + row] = positions.get(key) ?? this.#positionOf(key, valueAt(column, row, type));
    }
  }
}

/** The column for other rows, such as a run's value for each of its rows. */
export function forRows(coded: CodedColumn, positions: Int32Array): CodedColumn {
  return { ...coded, codes: positions.map((position) => coded.codes[position] ?? 0) };
}

/** Number of distinct values, missing excluded. */
export function distinctCount({ values }: CodedColumn): number {
  return values.length - (values[0] === null ? 1 : 0);
}
