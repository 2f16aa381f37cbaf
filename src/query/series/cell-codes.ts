import { type Column, valueAt } from "../../core/tables/table.ts";
import { formatValue } from "../../core/values/value.ts";
import type { DataType } from "../../core/values/value.ts";

/** For each row the number of what it has, from 0 on in order of first rows or of a dictionary. */
export interface Numbered {
  readonly numbers: Int32Array;
  readonly count: number;
}

/** Cells by their texts; a missing one is the empty text. */
export interface CellNumbers extends Numbered {
  /** By number, each different. */
  readonly texts: readonly string[];
}

/** The cells of a column by their texts, each of which is made once. */
export function cellNumbers(column: Column, type: DataType): CellNumbers {
  const texts = new DifferentTexts();
  if (column.kind === "interned") return { numbers: new Int32Array(column.codes.length), count: 1, texts: [""] };
  const numbers = new Int32Array(column.kind === "text" ? column.codes.length : column.values.length);
  const known = new Map<unknown, number>();
  for (let row = 0; row < numbers.length; row++) {
    const value = column.kind === "text" ? (column.codes[row] as number) : valueAt(column, row, type);
    // A map takes both zeros for one.
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

/** Rows that are the same in both have the same number, in order of their first rows. */
export function pairedNumbers(a: Numbered, b: Numbered): Numbered {
  const numbers = new Int32Array(a.numbers.length);
  const known = new PairNumbers(a.count * b.count, numbers.length);
  for (let row = 0; row < numbers.length; row++)
    numbers[row] = known.of((a.numbers[row] as number) * b.count + (b.numbers[row] as number));
  return { numbers, count: known.count };
}

/** By number its first row. */
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

/** Numbers of pairs in the order in which they are first seen: looked up in an array where few pairs are possible. */
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
