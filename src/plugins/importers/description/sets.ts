import { Failure } from "../../../core/errors.ts";
import type { Value } from "../../../core/value.ts";
import type { ImportEvent } from "../importer.ts";
import { Batch, mostRows } from "./batch.ts";
import type { Content } from "./content.ts";
import type { Notices } from "./notices.ts";
import type { Plan } from "./plan.ts";
import type { Slot } from "./slot.ts";
import type { TabularReader } from "./tabular.ts";

/** Gathers what is found into input sets and runs, and hands them on as events. */
export class Sets {
  readonly batch: Batch;
  /** Something has been found in the input. */
  foundAny = false;
  private readonly plan: Plan;
  private readonly notices: Notices;
  private readonly needsResult: boolean;
  private waiting: ImportEvent[] = [];
  private rowsOfSet = 0;
  /** Where the rows of the set begin in the batch. */
  private setStart = 0;
  private foundInSet = false;
  private foundInRun = false;
  private resultInRun = false;
  private hasRow = false;
  /** Rows of the set have been handed on: its single contents cannot change any more. */
  private handedOn = false;

  constructor(plan: Plan, notices: Notices) {
    this.plan = plan;
    this.notices = notices;
    this.batch = new Batch(plan.variables);
    this.needsResult = plan.variables.some((variable) => variable.role === "result");
  }

  take(slot: Slot, value: Content, line: number): void {
    if (slot.found) {
      if (slot.isSecond(value))
        this.notices.tell(
          `second '${slot.variable.name}'`,
          line,
          `'${slot.variable.name}' again in the same ${slot.target < 0 ? "run" : "input set"}: the first content counts`,
        );
      return;
    }
    if (this.handedOn && slot.target >= 0 && value !== slot.value)
      throw new Failure("late-content", { variable: slot.variable.name, line, rows: mostRows });
    slot.value = value;
    slot.found = true;
    this.found();
    if (slot.variable.role === "result") this.resultInRun = true;
    if (slot.target >= 0 && (slot.variable.role === "result" || !this.needsResult)) this.hasRow = true;
  }

  /** Rows from `from` on were written by `table`: they have nothing of the other tables. */
  addedRows(from: number, table: TabularReader): void {
    const to = this.batch.length;
    if (to > from) {
      this.found();
      this.rowsOfSet += to - from;
      this.resultInRun = true;
      for (const other of this.plan.tables) {
        if (other !== table) for (const column of other.columns) this.batch.fill(column.target, null, from, to);
      }
    }
    if (this.batch.isFull) this.handOn();
  }

  private found(): void {
    this.foundInSet = true;
    this.foundInRun = true;
    this.foundAny = true;
  }

  /** A separator: nothing happens before the first find. True when a set ended. */
  separate(run: boolean, line: number): boolean {
    if (run ? !this.foundInRun : !this.foundInSet) return false;
    if (run) this.endRun(line);
    else this.endSet();
    return true;
  }

  private handOn(): void {
    this.fillSingles();
    this.handedOn = true;
    this.emitRows();
  }

  private emitRows(): void {
    if (this.batch.length > 0) this.waiting.push({ kind: "rows", table: this.batch.take() });
    this.setStart = 0;
  }

  private fillSingles(): void {
    for (const slot of this.plan.slots) {
      if (slot.target >= 0) this.batch.fill(slot.target, slot.value, this.setStart, this.batch.length);
    }
  }

  private endSet(): void {
    if (this.rowsOfSet === 0 && this.hasRow) this.addSingleRow();
    this.fillSingles();
    this.setStart = this.batch.length;
    for (const slot of this.plan.slots) slot.endSet();
    this.rowsOfSet = 0;
    this.foundInSet = false;
    this.hasRow = false;
    this.handedOn = false;
    if (this.batch.isFull) this.emitRows();
  }

  /** A set without table is one row of its single contents. */
  private addSingleRow(): void {
    const row = this.batch.length;
    this.batch.addRow();
    for (const table of this.plan.tables) for (const column of table.columns) this.batch.fill(column.target, null, row, row + 1);
  }

  /** `line` is the last of the run. */
  endRun(line: number): void {
    this.endSet();
    if (!this.resultInRun) this.notices.tell("run without results", line, "no result was found in this run, only parameters");
    this.resultInRun = false;
    this.emitRows();
    const values = new Map<string, Value>();
    for (const slot of this.plan.slots) if (slot.target < 0 && slot.value !== null) values.set(slot.variable.name, slot.value);
    if (values.size > 0) this.waiting.push({ kind: "once", values });
    this.waiting.push({ kind: "end" });
    for (const slot of this.plan.slots) slot.endRun();
    this.foundInRun = false;
  }

  events(): ImportEvent[] {
    const { waiting } = this;
    this.waiting = [];
    return [...this.notices.take(), ...waiting];
  }
}
