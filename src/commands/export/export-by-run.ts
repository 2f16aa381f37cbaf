import type { Table } from "../../core/tables/table.ts";
import type { ExportPiece } from "../../store/export/export-runs.ts";

/** Takes runs one after the other. The first column of every table is the number of the run. */
export interface RunSink {
  /** `row` of the table has the run's own contents. */
  open(once: Table, row: number): void;
  /** Rows from `from` up to `to` are data sets of the open run; may be called several times, or not at all. */
  rows(table: Table, from: number, to: number): void;
  close(): void;
  /** After the last run. */
  end(): void;
}

/**
 * Puts pieces of an export together to runs. A run opens with its first row, or when the next comes and it need not
 * have any.
 */
export class RunsInOrder {
  readonly #sink: RunSink;
  readonly #needsRows: boolean;
  #pending: { readonly once: Table; readonly row: number } | undefined;
  #isOpen = false;
  #count = 0;

  constructor(sink: RunSink, needsRows: boolean) {
    this.#sink = sink;
    this.#needsRows = needsRows;
  }

  take({ once, rows }: ExportPiece): void {
    let at = 0;
    for (let row = 0; row < (once?.length ?? 0); row++) {
      this.#finish();
      this.#pending = { once: once as Table, row };
      const end = rows === undefined ? 0 : endOf(rows, at, numberAt(once as Table, row));
      if (rows !== undefined) this.#rows(rows, at, end);
      at = end;
    }
    if (once === undefined && rows !== undefined) this.#rows(rows, 0, rows.length);
  }

  /** Answers how many runs there were. */
  end(): number {
    this.#finish();
    this.#sink.end();
    return this.#count;
  }

  #rows(table: Table, from: number, to: number): void {
    if (from === to) return;
    this.#open();
    this.#sink.rows(table, from, to);
  }

  #open(): void {
    if (this.#pending === undefined) return;
    this.#sink.open(this.#pending.once, this.#pending.row);
    this.#count += 1;
    this.#isOpen = true;
    this.#pending = undefined;
  }

  #finish(): void {
    if (!this.#needsRows) this.#open();
    this.#pending = undefined;
    if (this.#isOpen) this.#sink.close();
    this.#isOpen = false;
  }
}

function endOf(rows: Table, from: number, run: number): number {
  let end = from;
  while (end < rows.length && numberAt(rows, end) === run) end += 1;
  return end;
}

function numberAt({ columns: [first] }: Table, row: number): number {
  return first?.kind === "number" ? (first.values[row] ?? Number.NaN) : Number.NaN;
}
