import { Failure } from "../../../../core/failures/index.ts";
import type { Value } from "../../../../core/values/index.ts";
import type { ImportEvent } from "../../importer.ts";
import { Batch, mostRows } from "../batch.ts";
import type { PresentValue } from "../value-reader.ts";
import type { Derived } from "./derived.ts";
import type { Notices } from "../notices.ts";
import type { Plan } from "./plan.ts";
import type { Slot } from "./slot.ts";
import type { TabularReader } from "../table-reader.ts";

/** Groups values into input sets and runs, and emits them as events. */
export class Sets {
  readonly batch: Batch;
  /** True when anything was found in the input. */
  foundAny = false;
  readonly #plan: Plan;
  readonly #notices: Notices;
  readonly #needsResult: boolean;
  /** Values computed per row, and per run. */
  readonly #ofRows: readonly Derived[];
  readonly #ofRuns: readonly Derived[];
  #waiting: ImportEvent[] = [];
  #rowsOfSet = 0;
  /** Index of the set's first row in the batch. */
  #setStart = 0;
  #foundInSet = false;
  #foundInRun = false;
  #resultInRun = false;
  #hasRow = false;
  /** Rows of the set were emitted: its single values must not change any more. */
  #handedOn = false;

  constructor(plan: Plan, notices: Notices) {
    this.#plan = plan;
    this.#notices = notices;
    this.batch = new Batch(plan.variables);
    this.#ofRows = plan.derived.filter(({ target }) => target >= 0);
    this.#ofRuns = plan.derived.filter(({ target }) => target < 0);
    this.#needsResult = plan.variables.some((variable) => variable.role === "result");
  }

  take(slot: Slot, value: PresentValue, line: number): void {
    if (slot.found) {
      if (slot.isSecond(value))
        this.#notices.report(
          `second '${slot.variable.name}'`,
          line,
          `'${slot.variable.name}' again in the same ${slot.target < 0 ? "run" : "input set"}: the first value counts`,
        );
      return;
    }
    this.tally(slot, value, line);
  }

  /** Replaces the value of a slot. */
  tally(slot: Slot, value: PresentValue, line: number): void {
    if (this.#handedOn && slot.target >= 0 && value !== slot.value)
      throw new Failure("late-content", { variable: slot.variable.name, line, rows: mostRows });
    slot.value = value;
    slot.found = true;
    this.#found();
    if (slot.variable.role === "result") this.#resultInRun = true;
    if (slot.target >= 0 && (slot.variable.role === "result" || !this.#needsResult)) this.#hasRow = true;
  }

  /** `table` wrote rows from `from` on; columns of other tables are empty in them. */
  addedRows(from: number, table: TabularReader): void {
    const to = this.batch.length;
    if (to > from) {
      this.#found();
      this.#rowsOfSet += to - from;
      this.#resultInRun = true;
      for (const other of this.#plan.tables) {
        if (other !== table) for (const column of other.columns) this.batch.fill(column.target, null, from, to);
      }
    }
    if (this.batch.isFull) this.#handOn();
  }

  #found(): void {
    this.#foundInSet = true;
    this.#foundInRun = true;
    this.foundAny = true;
  }

  /** Ends the set or run, if anything was found in it. Returns true when a set ended. */
  separate(run: boolean, line: number): boolean {
    if (run ? !this.#foundInRun : !this.#foundInSet) return false;
    if (run) this.endRun(line);
    else this.#endSet();
    return true;
  }

  #handOn(): void {
    this.#fillSingles();
    this.#handedOn = true;
    this.#emitRows();
  }

  #emitRows(): void {
    if (this.batch.length > 0) this.#waiting.push({ kind: "rows", table: this.batch.take() });
    this.#setStart = 0;
  }

  #fillSingles(): void {
    for (const slot of this.#plan.slots) {
      if (slot.target >= 0) this.batch.fill(slot.target, slot.value, this.#setStart, this.batch.length);
    }
    for (const derived of this.#ofRows) this.#fillDerived(derived);
  }

  /** Operands are cells of the batch or single values of the run. */
  #fillDerived({ target, compute }: Derived): void {
    let row = 0;
    const sources = new Map<string, () => Value>();
    const operand = (name: string): Value => {
      let source = sources.get(name);
      if (!source) sources.set(name, (source = this.#sourceOf(name, () => row)));
      return source();
    };
    for (row = this.#setStart; row < this.batch.length; row++) this.batch.columns[target]?.set(row, compute(operand));
  }

  #sourceOf(name: string, row: () => number): () => Value {
    const column = this.#plan.variables.findIndex((variable) => variable.name.toLowerCase() === name.toLowerCase());
    return column < 0 ? () => this.#valueOfRun(name) : () => this.batch.columns[column]?.get(row()) ?? null;
  }

  /** A single value, read or derived. */
  #valueOfRun(name: string): Value {
    const isNamed = ({ variable }: { variable: { name: string } }): boolean =>
      variable.name.toLowerCase() === name.toLowerCase();
    const slot = this.#plan.slots.find(isNamed);
    if (slot) return slot.value;
    return this.#plan.derived.find(isNamed)?.compute((operand) => this.#valueOfRun(operand)) ?? null;
  }

  /** True when a row of single values alone would have a derived result. */
  #derivesResult(): boolean {
    return this.#ofRows.some(
      ({ variable, compute }) => variable.role === "result" && compute((name) => this.#valueOfRun(name)) !== null,
    );
  }

  #endSet(): void {
    if (this.#rowsOfSet === 0 && (this.#hasRow || (this.#foundInSet && this.#derivesResult()))) this.#addSingleRow();
    this.#fillSingles();
    this.#setStart = this.batch.length;
    for (const slot of this.#plan.slots) slot.endSet();
    this.#rowsOfSet = 0;
    this.#foundInSet = false;
    this.#hasRow = false;
    this.#handedOn = false;
    if (this.batch.isFull) this.#emitRows();
  }

  /** Adds the single values of a set without table as one row. */
  #addSingleRow(): void {
    if (this.#ofRows.some(({ variable }) => variable.role === "result")) this.#resultInRun = true;
    const row = this.batch.length;
    this.batch.addRow();
    for (const table of this.#plan.tables)
      for (const column of table.columns) this.batch.fill(column.target, null, row, row + 1);
  }

  /** `line` is the last of the run. */
  endRun(line: number): void {
    this.#endSet();
    const values = this.#valuesOfRun();
    if (!this.#resultInRun)
      this.#notices.report("run without results", line, "no result was found in this run, only parameters");
    this.#resultInRun = false;
    this.#emitRows();
    if (values.size > 0) this.#waiting.push({ kind: "once", values });
    this.#waiting.push({ kind: "end" });
    for (const slot of this.#plan.slots) slot.endRun();
    this.#foundInRun = false;
  }

  #valuesOfRun(): Map<string, Value> {
    const values = new Map<string, Value>();
    for (const slot of this.#plan.slots)
      if (slot.target < 0 && slot.value !== null) values.set(slot.variable.name, slot.value);
    for (const { variable } of this.#ofRuns) {
      const value = this.#valueOfRun(variable.name);
      if (value !== null) values.set(variable.name, value);
      if (value !== null && variable.role === "result") this.#resultInRun = true;
    }
    return values;
  }

  events(): ImportEvent[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return [...this.#notices.take(), ...waiting];
  }
}
