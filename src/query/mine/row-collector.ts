import { type Column, grown, type NumberColumn, type Table } from "../../core/tables/index.ts";
import { ColumnCoder, type CodedColumn } from "./coded-column.ts";
import type { OrderedRun } from "./finding.ts";
import type { MinePlan } from "./plan.ts";
import type { Rows } from "./sample.ts";

/** The rows of a plan: about 16 bytes each, and 8 more for each result. */
export interface CollectedRows extends Rows {
  /** Parameters of rows, in plan order. */
  readonly parameters: readonly CodedColumn[];
  /** The columns of results in plan order, each of which is released when it is taken; undefined: no numbers. */
  takeResult(at: number): Column | undefined;
}

/**
 * Collects the rows of a plan from tables with consecutive runs, so that the database need not return all at once.
 */
export class RowCollector {
  readonly #plan: MinePlan;
  readonly #order: readonly OrderedRun[];
  readonly #positions: ReadonlyMap<number, number>;
  readonly #parameters: readonly ColumnCoder[];
  readonly #results: NumberCollector[];
  readonly #hasRowNumbers: boolean;
  #runs: Int32Array;
  #rowNumbers: Int32Array;
  #length = 0;

  /** `rows`: their expected number; more need more memory. */
  constructor(plan: MinePlan, order: readonly OrderedRun[], rows: number) {
    [this.#plan, this.#order] = [plan, order];
    this.#positions = new Map(order.map(({ number }, position) => [number, position]));
    this.#hasRowNumbers = plan.query.outputs[1]?.variable.name === "row in run";
    [this.#runs, this.#rowNumbers] = [new Int32Array(rows), new Int32Array(this.#hasRowNumbers ? rows : 0)];
    const ofRows = plan.parameters.filter(({ occurrence }) => occurrence === "multiple");
    this.#parameters = ofRows.map((variable) => new ColumnCoder(variable, rows));
    this.#results = plan.results.map(() => new NumberCollector(rows));
  }

  get length(): number {
    return this.#length;
  }

  /** Appends the rows of a table with the columns of the plan. */
  add({ variables, columns, length }: Table): void {
    this.#makeRoom(this.#length + length);
    this.#addRuns(columns[0], length);
    if (this.#hasRowNumbers && columns[1]?.kind === "number") this.#rowNumbers.set(columns[1].values, this.#length);
    for (const coder of this.#parameters) coder.add(columns[variables.indexOf(coder.variable)], length);
    const first = variables.length - this.#plan.results.length;
    for (const [at, result] of this.#results.entries()) result.add(columns[first + at], length);
    this.#length += length;
  }

  /** No more rows can be added. */
  collected(): CollectedRows {
    const length = this.#length;
    const results: (NumberCollector | undefined)[] = this.#results.splice(0);
    return {
      runs: this.#runs.subarray(0, length),
      rowNumbers: this.#hasRowNumbers ? this.#rowNumbers.subarray(0, length) : null,
      order: this.#order,
      parameters: this.#parameters.map((coder) => coder.coded()),
      takeResult: (at) => {
        const result = results[at];
        results[at] = undefined;
        return result?.column();
      },
    };
  }

  #makeRoom(rows: number): void {
    if (rows <= this.#runs.length) return;
    const size = Math.max(rows, 2 * this.#runs.length);
    this.#runs = grown(this.#runs, new Int32Array(size));
    if (this.#hasRowNumbers) this.#rowNumbers = grown(this.#rowNumbers, new Int32Array(size));
  }

  /** The position of the run of each row in the order; -1 for others. */
  #addRuns(column: Column | undefined, length: number): void {
    const [runs, start] = [this.#runs, this.#length];
    if (column?.kind !== "number") {
      runs.fill(-1, start, start + length);
      return;
    }
    const { values } = column;
    for (let row = 0, [last, position] = [Number.NaN, -1]; row < length; row++) {
      const run = values[row] as number;
      if (run !== last) [last, position] = [run, this.#positions.get(run) ?? -1];
      runs[start + row] = position;
    }
  }
}

/** Collects a column of numbers. */
class NumberCollector {
  #values: Float64Array;
  #missing: Uint8Array | null = null;
  #length = 0;
  #isNumber = true;

  constructor(rows: number) {
    this.#values = new Float64Array(rows);
  }

  add(column: Column | undefined, length: number): void {
    const [start, end] = [this.#length, this.#length + length];
    this.#length = end;
    if (column?.kind !== "number") this.#isNumber = false;
    if (column?.kind !== "number" || !this.#isNumber) return;
    if (end > this.#values.length)
      this.#values = grown(this.#values, new Float64Array(Math.max(end, 2 * this.#values.length)));
    this.#values.set(column.values, start);
    this.#addMissing(column, start, end);
  }

  #addMissing({ missing }: NumberColumn, start: number, end: number): void {
    if (missing === null && this.#missing === null) return;
    const size = Math.max(end, this.#values.length);
    if (this.#missing === null || this.#missing.length < size)
      this.#missing = grown(this.#missing ?? new Uint8Array(0), new Uint8Array(size));
    if (missing !== null) this.#missing.set(missing, start);
  }

  column(): Column | undefined {
    if (!this.#isNumber) return undefined;
    const length = this.#length;
    const missing = this.#missing?.subarray(0, length) ?? null;
    return { kind: "number", values: this.#values.subarray(0, length), missing, exact: null };
  }
}

/** The rows of a single table. */
export function rowsOfTable(plan: MinePlan, order: readonly OrderedRun[], table: Table): CollectedRows {
  const collector = new RowCollector(plan, order, table.length);
  collector.add(table);
  return collector.collected();
}
