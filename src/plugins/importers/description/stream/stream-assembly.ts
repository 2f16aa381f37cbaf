import { Failure } from "../../../../core/failures/index.ts";
import { InvalidValue, type Values } from "../../../../core/values/index.ts";
import type { ImportEvent } from "../../importer.ts";
import { valueAtEnd, type FinderResult, type Look } from "../finders/finder.ts";
import type { Notices } from "../notices.ts";
import type { PlanSink } from "../plan.ts";
import type { DescribedInput, RowAssembly, RowRules } from "../rules.ts";
import type { Slot } from "../slot.ts";
import type { RowTable } from "../tables/row-table.ts";
import type { PresentValue } from "../value-reader.ts";
import { offerLine } from "../tables/offer-line.ts";
import { streamPlanOf, type StreamPlan } from "./stream-plan.ts";
import { StreamRows } from "./stream-rows.ts";

/** perfbase's rules: a value applies from its line on, and rows are stored where the description requests it. */
export const streamRules: RowRules = {
  assemble: (input, sink, notices) => new StreamAssembly(input, sink, notices),
};

interface Hit {
  readonly slot: Slot;
  readonly value: PresentValue;
}

class StreamAssembly implements RowAssembly {
  readonly plan: StreamPlan;
  readonly #rows: StreamRows;
  readonly #notices: Notices;
  /** Matches of run marks still to ignore. */
  readonly #toPass: number[];
  /** The slots that are sought; undefined: to be determined. */
  #sought: readonly Slot[] | undefined;

  constructor(input: DescribedInput, sink: PlanSink, notices: Notices) {
    this.plan = streamPlanOf(input, sink);
    this.#rows = new StreamRows(this.plan, notices);
    this.#notices = notices;
    this.#toPass = this.plan.separations.map(({ skip }) => skip);
  }

  get current(): Values {
    return this.#rows.current;
  }

  /** Single values first, then tables, blocks, and new runs. */
  examine(look: Look): boolean {
    const { line } = look;
    const before = (this.#sought ??= this.plan.slots.filter((slot) => slot.isSought));
    const hits = this.#hitsIn(look, before);
    this.#takeHits(hits, line.number);
    for (const table of this.plan.tables) if (table.startsRun && table.startsAt(line)) this.#separate(line.number);
    offerLine(this.plan.tables, look, hits.length > 0, this.#notices);
    for (const split of this.plan.splits) {
      const values = split.look(look);
      if (!values) continue;
      for (const [slot, value] of values) this.#rows.take(slot, value);
      this.#rows.store(line.number);
    }
    this.plan.separations.forEach(({ marker }, at) => {
      if (marker.marks(line) && !this.#passes(at)) this.#separate(line.number);
    });
    return this.#sought === undefined;
  }

  addRow(table: RowTable, line: number): void {
    this.#rows.addRow(table, line);
  }

  #passes(at: number): boolean {
    const left = this.#toPass[at] ?? 0;
    if (left > 0) this.#toPass[at] = left - 1;
    return left > 0;
  }

  #separate(line: number): void {
    if (this.#rows.separate(line)) this.#sought = undefined;
  }

  /** A value that starts a run belongs to it, as do all values of its line. */
  #takeHits(hits: readonly Hit[], line: number): void {
    if (hits.length === 0) return;
    if (hits.some(({ slot }) => slot.rules.startsRun)) this.#separate(line);
    for (const { slot, value } of hits) {
      if (countsOnce(slot)) {
        slot.isOpen = false;
        this.#sought = undefined;
      }
      this.#rows.take(slot, slot.total(value, line));
    }
    if (hits.some(({ slot }) => slot.rules.storesRow) || this.#completesDerived(hits)) this.#rows.store(line);
  }

  /** True when a hit completes the operands of a derived value that stores the row. */
  #completesDerived(hits: readonly Hit[]): boolean {
    return this.plan.derived.some(({ location, operands }) => {
      const wanted = [...operands.values()];
      return (
        location.storesRow === true &&
        hits.some(({ slot }) => wanted.includes(slot.variable)) &&
        wanted.every((variable) => this.plan.slots.some((slot) => slot.variable === variable && slot.value !== null))
      );
    });
  }

  abandon(): void {
    this.#rows.flush();
  }

  finish(line: number): Failure | undefined {
    this.#takeHits(this.#hitsAtEnd(line), line);
    for (const split of this.plan.splits) {
      const open = split.open;
      if (open !== undefined)
        this.#notices.report("block without end", open, "the block that starts here never ends and is not stored");
    }
    const found = this.#rows.finish(line);
    const { searched } = this.plan;
    if (found || searched.length === 0) return undefined;
    return new Failure("nothing-found", { lines: line, looked: searched.slice(0, 10).join(", ") });
  }

  /** Values of several lines that end with the input. */
  #hitsAtEnd(line: number): Hit[] {
    return this.plan.slots
      .filter((slot) => slot.isOpen)
      .flatMap((slot) => this.#hitOf(slot, valueAtEnd(slot.sources, line), line) ?? []);
  }

  #hitsIn(look: Look, slots: readonly Slot[]): Hit[] {
    const hits: Hit[] = [];
    for (const slot of slots) {
      const hit = this.#hitOf(slot, slot.valueIn(look), look.line.number);
      if (hit) hits.push(hit);
    }
    return hits;
  }

  #hitOf(slot: Slot, value: FinderResult, line: number): Hit | undefined {
    if (value === undefined) return undefined;
    if (value instanceof InvalidValue) {
      this.#notices.report(`no value for '${slot.variable.name}'`, line, value.problem);
      return undefined;
    }
    this.#notices.reportDoubts(slot, line);
    return { slot, value };
  }

  events(): ImportEvent[] {
    return this.#rows.events();
  }
}

/** True when only the first hit of a slot counts; slots that start runs stay open. */
function countsOnce({ rules: { mode, retrigger, startsRun }, target }: Slot): boolean {
  const addsUp = mode === "count" || mode === "accumulate" || startsRun === true;
  return retrigger === undefined ? target < 0 && !addsUp : !retrigger;
}
