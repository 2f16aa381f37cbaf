import { NumberColumnBuilder } from "../../core/column-builder.ts";

/** Rows by their cases. */
export interface RowsByCase {
  /** Numbers of rows, case by case, each in the order in which they were added. */
  readonly rows: Int32Array;
  /** Those of case i are from `starts[i]` to before `starts[i + 1]`. */
  readonly starts: Int32Array;
}

/** Rows of numbers, each of a case. They lie side by side: a row takes eight bytes for each of its numbers, and eight more. */
export class CaseRows {
  readonly #width: number;
  readonly #cases = new NumberColumnBuilder();
  readonly #values = new NumberColumnBuilder();
  #length = 0;

  /** `width`: numbers of a row. */
  constructor(width: number) {
    this.#width = width;
  }

  get length(): number {
    return this.#length;
  }

  add(ofCase: number, values: readonly number[]): void {
    const row = this.#length++;
    this.#cases.put(row, ofCase);
    for (let at = 0; at < this.#width; at++) this.#values.put(row * this.#width + at, values[at] as number);
  }

  at(row: number, place: number): number {
    return this.#values.values[row * this.#width + place] as number;
  }

  /** Gives cases new numbers: case i is `numbers[i]` from now on; below 0, its rows are let go. */
  renumber(numbers: Int32Array): void {
    const [cases, values, width] = [this.#cases.values, this.#values.values, this.#width];
    let kept = 0;
    for (let row = 0; row < this.#length; row++) {
      const number = numbers[cases[row] as number] as number;
      if (number < 0) continue;
      cases[kept] = number;
      values.copyWithin(kept * width, row * width, (row + 1) * width);
      kept += 1;
    }
    this.#length = kept;
  }

  /** `count`: of cases. */
  byCase(count: number): RowsByCase {
    const cases = this.#cases.values;
    const starts = new Int32Array(count + 1);
    for (let row = 0; row < this.#length; row++) starts[(cases[row] as number) + 1]! += 1;
    for (let at = 0; at < count; at++) starts[at + 1]! += starts[at] as number;
    const [next, rows] = [starts.slice(), new Int32Array(this.#length)];
    for (let row = 0; row < this.#length; row++) rows[next[cases[row] as number]!++] = row;
    return { rows, starts };
  }
}
