import type { Table } from "../../core/tables/index.ts";

/** Target size of the rows read at once. */
const targetBytes = 16 << 20;
/** Enough to make the overhead per statement small. */
const maxRows = 100_000;
/** Rows in the first read, before their size is known, and the maximum growth factor per read. */
const [firstRows, growth] = [256, 8];

/**
 * The number of rows to read at once so that they fit in memory, estimated from the rows read before. It depends only
 * on the values, so that the same rows are always divided alike.
 */
export class RowBudget {
  readonly #limit: number;
  #rows: number;

  constructor(limit: number = maxRows) {
    this.#limit = limit;
    this.#rows = Math.min(limit, firstRows);
  }

  get rows(): number {
    return this.#rows;
  }

  /** Records the size of `rows` rows. */
  record(rows: number, bytes: number): void {
    if (rows === 0) return;
    const fitting = Math.floor((targetBytes * rows) / Math.max(1, bytes));
    this.#rows = Math.max(1, Math.min(this.#limit, this.#rows * growth, fitting));
  }
}

/** Approximate size of a table in bytes. */
export function tableBytes({ columns, length }: Table): number {
  let total = 8 * columns.length * length;
  for (const column of columns)
    if (column.kind === "text")
      for (let row = 0; row < length; row++) total += column.dictionary[column.codes[row] ?? -1]?.length ?? 0;
  return total;
}
