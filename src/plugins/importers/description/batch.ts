import { type ColumnBuilder, TableBuilder, type Table } from "../../../core/tables/index.ts";
import type { Value } from "../../../core/values/index.ts";
import type { Variable } from "../../../core/variables/index.ts";

/** Rows per emitted table; bounds the memory of an import. */
export const mostRows = 65_536;
const fewRows = 1024;

/** Rows being collected, as columns with room for `capacity` rows. */
export class Batch {
  readonly columns: readonly ColumnBuilder[];
  readonly #builder: TableBuilder;
  capacity = fewRows;

  constructor(variables: readonly Variable[]) {
    this.#builder = new TableBuilder(variables, fewRows);
    this.columns = this.#builder.columns;
  }

  get length(): number {
    return this.#builder.length;
  }

  set length(length: number) {
    this.#builder.length = length;
  }

  /** True when no row can be added before `take`. */
  get isFull(): boolean {
    return this.length >= mostRows;
  }

  /** Makes room for at least one more row of a batch that is not full. */
  grow(): void {
    if (this.length < this.capacity) return;
    this.capacity = Math.min(mostRows, this.capacity * 2);
    for (const column of this.columns) column.ensure(this.capacity);
  }

  /** Adds one row of missing cells, to be filled; returns its index. */
  addRow(): number {
    const row = this.#builder.length;
    if (row >= this.capacity) this.grow();
    this.#builder.length = row + 1;
    return row;
  }

  append(values: readonly Value[]): void {
    this.grow();
    values.forEach((value, at) => this.columns[at]?.set(this.length, value));
    this.length += 1;
  }

  fill(column: number, value: Value, from: number, to: number): void {
    if (to > from) this.columns[column]?.fill(value, from, to);
  }

  take(): Table {
    return this.#builder.take();
  }
}
