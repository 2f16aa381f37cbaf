import type { Table } from "../../core/tables/table.ts";

/** Rows that are asked for at once hold about so many bytes. */
const bytesAtOnce = 16 << 20;
/** Enough to make the statements' own cost small. */
const rowsAtOnce = 50_000;
/** Rows that are asked for before anything is known of their size, and how fast their number may grow. */
const [firstRows, growth] = [256, 8];

/**
 * How many rows to ask for at once so that they fit in memory whatever they hold, going by those before. It depends on
 * the contents alone: the same rows are divided alike everywhere.
 */
export class RowBudget {
  readonly #most: number;
  #rows: number;

  constructor(most: number = rowsAtOnce) {
    this.#most = most;
    this.#rows = Math.min(most, firstRows);
  }

  get rows(): number {
    return this.#rows;
  }

  /** So many rows took so many bytes. */
  took(rows: number, bytes: number): void {
    if (rows === 0) return;
    const fitting = Math.floor((bytesAtOnce * rows) / Math.max(1, bytes));
    this.#rows = Math.max(1, Math.min(this.#most, this.#rows * growth, fitting));
  }
}

/** About how many bytes a table takes. */
export function weightOf({ columns, length }: Table): number {
  let weight = 8 * columns.length * length;
  for (const column of columns)
    if (column.kind === "text")
      for (let row = 0; row < length; row++) weight += column.dictionary[column.codes[row] ?? -1]?.length ?? 0;
  return weight;
}
