import { Failure } from "../../../../core/failures/index.ts";
import { InvalidValue, type Values } from "../../../../core/values/index.ts";
import type { ImportEvent } from "../../importer.ts";
import { valueAtEnd, type FinderResult, type Look } from "../finders/finder.ts";
import type { Notices } from "../notices.ts";
import type { PlanSink } from "../plan.ts";
import type { DescribedInput, RowAssembly, RowRules } from "../rules.ts";
import type { Slot } from "../slot.ts";
import type { RowTable } from "../tables/row-table.ts";
import { UnfitNumber } from "../value-reader.ts";
import { offerLine } from "../tables/offer-line.ts";
import { setPlanOf, type SetPlan } from "./set-plan.ts";
import { SetRows } from "./set-rows.ts";

/** The rules of the original design: a value applies to its whole input set, wherever in the set it appears. */
export const setRules: RowRules = {
  assemble: (input, sink, notices) => new SetAssembly(input, sink, notices),
};

class SetAssembly implements RowAssembly {
  readonly plan: SetPlan;
  readonly current: Values = new Map();
  readonly #rows: SetRows;
  readonly #notices: Notices;

  constructor(input: DescribedInput, sink: PlanSink, notices: Notices) {
    this.plan = setPlanOf(input, sink);
    this.#rows = new SetRows(this.plan, notices);
    this.#notices = notices;
    for (const notice of this.plan.notices) notices.report(notice, 1, notice);
  }

  /** Separators first, since a line that starts a set belongs to it; then single values, then tables. */
  examine(look: Look): boolean {
    const { line } = look;
    this.#rows.reopened = false;
    this.plan.separators.examine(look, (run) => this.#separate(run, line.number));
    let taken = false;
    for (const slot of this.plan.slots)
      if (slot.isOpen && slot.isSought && this.#takeResult(slot, slot.valueIn(look), line.number)) taken = true;
    offerLine(this.plan.tables, look, taken, this.#notices);
    return this.#rows.reopened;
  }

  addRow(table: RowTable): void {
    this.#rows.addRow(table);
  }

  /** Returns true when the line has a value for the slot. */
  #takeResult(slot: Slot, value: FinderResult, line: number): boolean {
    if (value === undefined) return false;
    if (!(value instanceof InvalidValue)) {
      this.#notices.reportDoubts(slot, line);
      if (slot.rules.mode === undefined) this.#rows.take(slot, value, line);
      else this.#rows.set(slot, slot.total(value, line), line);
      return true;
    }
    if (slot.found && !slot.separates) return false;
    if (value instanceof UnfitNumber) throw value.at(line);
    this.#notices.report(`no value for '${slot.variable.name}'`, line, value.problem);
    return false;
  }

  /** Ends values of several lines at the end of a set or of the input. */
  #endLines(line: number): void {
    for (const slot of this.plan.slots) this.#takeResult(slot, valueAtEnd(slot.sources, line), line);
  }

  #separate(run: boolean, line: number): void {
    this.#endLines(line);
    if (!this.#rows.separate(run, line)) return;
    for (const table of this.plan.tables) table.reset(line);
  }

  /** The values of the last set are not known yet. */
  abandon(): void {}

  finish(line: number): Failure | undefined {
    this.#endLines(line);
    const { searched } = this.plan;
    if (!this.#rows.foundAny && searched.length > 0)
      return new Failure("nothing-found", { lines: line, looked: searched.slice(0, 10).join(", ") });
    if (!this.#rows.separate(true, line) && !this.#rows.foundAny) this.#rows.endRun(line);
    return undefined;
  }

  events(): ImportEvent[] {
    return this.#rows.events();
  }
}
