import type { Value } from "../../../../core/values/index.ts";
import type { Batch } from "../batch.ts";
import type { Look } from "../finders/finder.ts";
import type { RowColumn, RowTable, RowValues, TableSink } from "./row-table.ts";
import type { LineTable } from "./line-table.ts";

const noEnds: ReturnType<RowTable["takeEnds"]> = [];

class LineRow implements RowValues {
  values: readonly Value[] = [];
  readonly #columns: readonly RowColumn[];

  constructor(columns: readonly RowColumn[]) {
    this.#columns = columns;
  }

  value(at: number): Value {
    return this.values[at] ?? null;
  }

  writeTo(batch: Batch): void {
    batch.grow();
    const row = batch.length;
    this.#columns.forEach(({ target }, at) => batch.columns[target]?.set(row, this.values[at] ?? null));
    batch.length = row + 1;
  }
}

/** Passes on the rows of a table that is examined line by line. */
export class LineReader implements RowTable {
  readonly columns: readonly RowColumn[];
  readonly startsRun = false;
  readonly isActive = false;
  readonly isWatching = false;
  readonly marker: LineTable;
  readonly row: LineRow;
  readonly #sink: TableSink;

  /** `targetOf`: the index of a variable's column in the batch. */
  constructor(table: LineTable, targetOf: (variable: RowColumn["variable"]) => number, sink: TableSink) {
    this.marker = table;
    this.#sink = sink;
    this.columns = table.variables.map((variable) => ({ variable, target: targetOf(variable), location: {} }));
    this.row = new LineRow(this.columns);
  }

  takeEnds(): typeof noEnds {
    return noEnds;
  }

  reportLost(line: number): void {
    this.marker.reset(line);
  }

  reset(line: number): void {
    this.marker.reset(line);
  }

  watch(_block: unknown, start: number): number {
    return start;
  }

  startsAt(): boolean {
    return false;
  }

  offer({ line }: Look): "row" | undefined {
    const rows = this.marker.take(line);
    for (const row of rows) {
      this.row.values = row;
      this.#sink.addRow(this, line.number);
    }
    return rows.length > 0 ? "row" : undefined;
  }

  readRows(_block: unknown, from: number): { pos: number; lines: number } {
    return { pos: from, lines: 0 };
  }
}
