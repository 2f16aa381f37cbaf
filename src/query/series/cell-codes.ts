import { type Column, valueAt } from "../../core/tables/table.ts";
import { formatValue } from "../../core/values/value.ts";
import type { DataType } from "../../core/values/value.ts";

/** A code for each row, from 0 in order of first appearance or of a dictionary. */
export interface Numbered {
  readonly numbers: Int32Array;
  readonly count: number;
}

/** Codes of cells by text; a missing cell is the empty text. */
export interface CellNumbers extends Numbered {
  /** By code, distinct. */
  readonly texts: readonly string[];
}

/** Encodes the cells of a column by text; formats each distinct cell once. */
export function cellNumbers(column: Column, type: DataType): CellNumbers {
  const texts = new DifferentTexts();
  if (column.kind === "interned") return { numbers: new Int32Array(column.codes.length), count: 1, texts: [""] };
  const numbers = new Int32Array(column.kind === "text" ? column.codes.length : column.values.length);
  const known = new Map<unknown, number>();
  for (let row = 0; row < numbers.length; row++) {
    const value = column.kind === "text" ? (column.codes[row] as number) : valueAt(column, row, type);
    // A map does not distinguish 0 and -0.
    const cell = Object.is(value, -0) ? "-0" : value;
    let number = known.get(cell);
    if (number === undefined) {
      number = texts.number(formatValue(valueAt(column, row, type), type));
      known.set(cell, number);
    }
    numbers[row] = number;
  }
  return { numbers, count: texts.all.length, texts: texts.all };
}

/** Combines two codings: rows equal in both have the same code, in order of first rows. */
export function pairedNumbers(a: Numbered, b: Numbered): Numbered {
  const numbers = new Int32Array(a.numbers.length);
  const known = new PairNumbers(a.count * b.count, numbers.length);
  for (let row = 0; row < numbers.length; row++)
    numbers[row] = known.of((a.numbers[row] as number) * b.count + (b.numbers[row] as number));
  return { numbers, count: known.count };
}

/** The first row of each code. */
export function firstRows({ numbers, count }: Numbered): Int32Array {
  const rows = new Int32Array(count);
  for (let row = numbers.length - 1; row >= 0; row--) rows[numbers[row] as number] = row;
  return rows;
}

class DifferentTexts {
  readonly all: string[] = [];
  readonly #numbers = new Map<string, number>();

  number(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.all.length);
    return this.all.push(text) - 1;
  }
}

/** Codes of pairs in order of first appearance: an array if few pairs are possible, else a map. */
class PairNumbers {
  count = 0;
  readonly #few: Int32Array | undefined;
  readonly #many = new Map<number, number>();

  constructor(possible: number, rows: number) {
    if (possible <= 4 * rows) this.#few = new Int32Array(possible).fill(-1);
  }

  of(pair: number): number {
    const known = this.#few === undefined ? (this.#many.get(pair) ?? -1) : (this.#few[pair] as number);
    if (known >= 0) return known;
    if (this.#few === undefined) this.#many.set(pair, this.count);
    else this.#few[pair] = this.count;
    return this.count++;
  }
}
