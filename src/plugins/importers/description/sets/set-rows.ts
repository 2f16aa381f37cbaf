import { Failure } from "../../../../core/failures/index.ts";
import type { Value } from "../../../../core/values/index.ts";
import type { Variable } from "../../../../core/variables/index.ts";
import type { ImportEvent } from "../../importer.ts";
import { Batch, mostRows } from "../batch.ts";
import type { PresentValue } from "../value-reader.ts";
import type { Derived } from "../derived.ts";
import type { Notices } from "../notices.ts";
import type { Plan } from "../plan.ts";
import type { Slot } from "../slot.ts";
import type { RowTable } from "../tables/row-table.ts";
import { FallbackValues } from "./fallback-values.ts";

/** Groups values into input sets and runs, and emits them as events. */
export class SetRows {
  /** True when anything was found in the input. */
  foundAny = false;
  /** True when other slots are sought than before. */
  reopened = false;
  readonly #batch: Batch;
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
  /** The table of the rows from `#unsettled` on: the columns of other tables are still to fill. */
  #table: RowTable | undefined;
  #unsettled = 0;
  /** Slots whose second value in one set was reported already. */
  readonly #reportedSecond = new Set<Slot>();
  /** Rows of the set were emitted: its single values must not change any more. */
  #handedOn = false;
  readonly #fallbacks: FallbackValues;

  constructor(plan: Plan, notices: Notices) {
    this.#plan = plan;
    this.#notices = notices;
    this.#batch = new Batch(plan.variables);
    this.#fallbacks = new FallbackValues(plan);
    this.#ofRows = plan.derived.filter(({ target }) => target >= 0);
    this.#ofRuns = plan.derived.filter(({ target }) => target < 0);
    this.#needsResult = plan.variables.some((variable) => variable.role === "result");
  }

  /** Takes a value of a slot: the first of the set or run counts. */
  take(slot: Slot, value: PresentValue, line: number): void {
    if (!slot.found) return this.set(slot, value, line);
    if (this.#reportedSecond.has(slot) || value === slot.value) return;
    this.#reportedSecond.add(slot);
    this.#close(slot);
    this.#notices.report(
      `second '${slot.variable.name}'`,
      line,
      `'${slot.variable.name}' again in the same ${slot.target < 0 ? "run" : "input set"}: the first value counts`,
    );
  }

  /** Replaces the value of a slot. */
  set(slot: Slot, value: PresentValue, line: number): void {
    if (this.#handedOn && slot.target >= 0 && value !== slot.value)
      throw new Failure("late-content", { variable: slot.variable.name, line, rows: mostRows });
    slot.value = value;
    slot.found = true;
    this.#fallbacks.note(slot, line);
    const { mode } = slot.rules;
    if (mode === "boolean" || (mode === undefined && this.#reportedSecond.has(slot))) this.#close(slot);
    this.#found();
    if (slot.variable.role === "result") this.#resultInRun = true;
    if (slot.target >= 0 && (slot.variable.role === "result" || !this.#needsResult)) this.#hasRow = true;
  }

  #close(slot: Slot): void {
    slot.isOpen = false;
    this.reopened = true;
  }

  /** Adds the row that a table has read. */
  addRow(table: RowTable): void {
    if (table !== this.#table) {
      this.#settle();
      this.#table = table;
      this.#found();
      this.#resultInRun = true;
    }
    table.row.writeTo(this.#batch);
    this.#rowsOfSet += 1;
    if (this.#batch.isFull) this.#handOn();
  }

  /** The columns of other tables are empty in the rows of a table. */
  #settle(): void {
    const to = this.#batch.length;
    const own = new Set(this.#table?.columns.map(({ target }) => target));
    for (const other of this.#table ? this.#plan.tables : []) {
      for (const { target } of other.columns) if (!own.has(target)) this.#batch.fill(target, null, this.#unsettled, to);
    }
    if (this.#table) this.#fallbacks.addRows(own, this.#unsettled, to);
    this.#unsettled = to;
    this.#table = undefined;
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
    this.#settle();
    this.#fillSingles();
    this.#handedOn = true;
    this.#emitRows();
  }

  #emitRows(): void {
    if (this.#batch.length > 0) this.#waiting.push({ kind: "rows", table: this.#batch.take() });
    this.#setStart = 0;
    this.#unsettled = 0;
    this.#fallbacks.forgetRows();
  }

  #fillSingles(): void {
    for (const slot of this.#plan.slots) {
      for (const { from, to } of this.#fallbacks.rowsOf(slot, this.#setStart, this.#batch.length))
        this.#batch.fill(slot.target, slot.value, from, to);
    }
    for (const derived of this.#ofRows) this.#fillDerived(derived);
  }

  /** Operands are cells of the batch or single values of the run. */
  #fillDerived(derived: Derived): void {
    let row = 0;
    const sources = new Map<Variable, () => Value>();
    const lookup = (variable: Variable): Value => {
      let source = sources.get(variable);
      if (!source) sources.set(variable, (source = this.#sourceOf(variable, () => row)));
      return source();
    };
    for (row = this.#setStart; row < this.#batch.length; row++)
      this.#batch.columns[derived.target]?.set(row, derived.compute(lookup, 0));
  }

  #sourceOf(variable: Variable, row: () => number): () => Value {
    const column = this.#plan.variables.indexOf(variable);
    return column < 0 ? () => this.#valueOfRun(variable) : () => this.#batch.columns[column]?.get(row()) ?? null;
  }

  /** A single value, read or derived. */
  #valueOfRun(variable: Variable): Value {
    const slot = this.#plan.slots.find((each) => each.variable === variable);
    if (slot) return slot.value;
    const derived = this.#plan.derived.find((each) => each.variable === variable);
    return derived?.compute((operand) => this.#valueOfRun(operand), 0) ?? null;
  }

  /** True when a row of single values alone would have a derived result. */
  #derivesResult(): boolean {
    return this.#ofRows.some(
      (derived) => derived.variable.role === "result" && derived.compute((name) => this.#valueOfRun(name), 0) !== null,
    );
  }

  #endSet(): void {
    this.#settle();
    if (this.#rowsOfSet === 0 && (this.#hasRow || (this.#foundInSet && this.#derivesResult()))) this.#addSingleRow();
    this.#fillSingles();
    this.#fallbacks.endSet(this.#notices);
    this.#setStart = this.#batch.length;
    this.reopened ||= this.#plan.slots.some((slot) => !slot.isOpen);
    for (const slot of this.#plan.slots) endSet(slot);
    this.#rowsOfSet = 0;
    this.#foundInSet = false;
    this.#hasRow = false;
    this.#handedOn = false;
    if (this.#batch.isFull) this.#emitRows();
  }

  /** Adds the single values of a set without table as one row. */
  #addSingleRow(): void {
    if (this.#ofRows.some(({ variable }) => variable.role === "result")) this.#resultInRun = true;
    const row = this.#batch.length;
    this.#batch.addRow();
    for (const table of this.#plan.tables)
      for (const column of table.columns) this.#batch.fill(column.target, null, row, row + 1);
    this.#unsettled = this.#batch.length;
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
      const value = this.#valueOfRun(variable);
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

/** Parameters keep their value until they get another, results lose it. */
function endSet(slot: Slot): void {
  if (slot.target < 0 || slot.sources.length === 0) return;
  slot.found = false;
  slot.isOpen = true;
  if (slot.variable.role === "result" || slot.rules.mode !== undefined) slot.clear();
}
