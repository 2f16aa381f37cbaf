import type { NumberColumnBuilder } from "../../../../core/tables/index.ts";
import type { Value } from "../../../../core/values/index.ts";
import type { ByteText } from "../../../../formats/text/index.ts";
import type { Batch } from "../batch.ts";
import { UnfitNumber, type PresentValue } from "../value-reader.ts";
import type { RowCell } from "./row-cell.ts";
import type { Scanner } from "./row-scanner.ts";
import type { TableColumn } from "./table-column.ts";

/** A cell that has no value of its column's type. */
export interface Misfit {
  readonly column: TableColumn;
  /** The entry; undefined: the row does not have it. */
  readonly text: string | undefined;
  readonly problem: string;
}

/** Reads the cells of rows that a scanner has split; holds those of the last one. */
export class TableRow {
  readonly columns: readonly TableColumn[];
  /** NaN where the value is in `#values`. */
  readonly #numbers: Float64Array;
  readonly #values: (PresentValue | null)[];
  readonly #scanner: Scanner;
  readonly #cell: RowCell;
  /** The column that did not fit the last line. */
  #misfit: TableColumn | undefined;
  /** A number of the last line that its variable cannot hold. */
  #unfit: UnfitNumber | undefined;

  constructor(columns: readonly TableColumn[], scanner: Scanner, cell: RowCell) {
    this.columns = columns;
    this.#numbers = new Float64Array(columns.length).fill(Number.NaN);
    this.#values = columns.map(() => null);
    this.#scanner = scanner;
    this.#cell = cell;
  }

  /** The value of a column. */
  value(at: number): Value {
    const value = this.#numbers[at] ?? Number.NaN;
    return Number.isNaN(value) ? (this.#values[at] ?? null) : value;
  }

  /** Appends the row to a batch; columns of values that are once per run have no target. */
  writeTo(batch: Batch): void {
    batch.grow();
    const { columns } = this;
    const numbers = this.#numbers;
    const row = batch.length;
    for (let at = 0; at < columns.length; at++) {
      const { target } = columns[at] as TableColumn;
      const value = numbers[at] as number;
      if (value === value) (batch.columns[target] as NumberColumnBuilder).values[row] = value;
      else batch.columns[target]?.set(row, this.#values[at] ?? null);
    }
    batch.length = row + 1;
  }

  /** The cell of the last line that does not fit. */
  get misfit(): Misfit | undefined {
    const column = this.#misfit;
    if (!column) return undefined;
    const { count, starts } = this.#scanner;
    const { entry } = column;
    if (entry < 0) return { column, text: undefined, problem: "there is no value at its keyword" };
    if (entry >= count || entry >= starts.length)
      return { column, text: undefined, problem: `it has only ${count} entries` };
    const { text } = this.#cell.at(entry);
    return { column, text, problem: `'${text.slice(0, 40)}' is not a valid value` };
  }

  /** Returns true when every column has a value of its type. */
  read(block: ByteText, start: number, number: number): boolean {
    const { columns } = this;
    const numbers = this.#numbers;
    const scanner = this.#scanner;
    const { starts, ends, count } = scanner;
    let slow = false;
    for (let at = 0; at < columns.length; at++) {
      const column = columns[at] as TableColumn;
      const { entry, fast } = column;
      if (entry >= count || entry >= starts.length) {
        this.#cell.setRow(block, start, number);
        this.#misfit = column;
        return false;
      }
      const value = fast && entry >= 0 ? fast(block.bytes, starts[entry] as number, ends[entry] as number) : Number.NaN;
      numbers[at] = value;
      if (value === value) continue;
      if (!slow) this.#unfit = undefined;
      if (!slow) this.#cell.setRow(block, start, number);
      slow = true;
      if (!this.#readCell(column, at)) return false;
    }
    if (slow && this.#unfit) throw this.#unfit.at(number);
    return true;
  }
  #readCell(column: TableColumn, at: number): boolean {
    const value = column.reader.read(this.#cell.at(column.entry), column);
    if (value === undefined) this.#misfit = column;
    else if (value instanceof UnfitNumber) this.#unfit ??= value;
    else this.#values[at] = value;
    return value !== undefined;
  }
}
