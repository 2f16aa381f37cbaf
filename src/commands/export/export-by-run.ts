import type { Table } from "../../core/tables/index.ts";
import type { ExportPiece } from "../../store/export/index.ts";

/** Receives runs one after the other. The first column of every table is the run number. */
export interface RunSink {
  /** `row` of the table has the run's `once` values. */
  open(once: Table, row: number): void;
  /** Rows `from` (inclusive) to `to` (exclusive) belong to the open run; called any number of times. */
  rows(table: Table, from: number, to: number): void;
  close(): void;
  /** Called after the last run. */
  end(): void;
}

/** Groups export pieces by run. A run opens with its first row, or, if it needs none, when the next run starts. */
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

  /** Returns the number of runs. */
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
