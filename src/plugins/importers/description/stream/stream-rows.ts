import { selectColumns } from "../../../../core/tables/index.ts";
import { Failure } from "../../../../core/failures/index.ts";
import type { Value, Values } from "../../../../core/values/index.ts";
import type { Variable } from "../../../../core/variables/index.ts";
import type { RowUpdate } from "../../../../formats/descriptions/index.ts";
import type { ImportEvent, RowsUpdate } from "../../importer.ts";
import { Batch } from "../batch.ts";
import type { PresentValue } from "../value-reader.ts";
import type { Notices } from "../notices.ts";
import type { Slot } from "../slot.ts";
import type { RowTable } from "../tables/row-table.ts";
import type { StreamPlan } from "./stream-plan.ts";

/** Updates of rows, all with the same variables and keys. */
interface Updates {
  readonly names: readonly string[];
  readonly kind: string;
  readonly update: RowsUpdate;
  readonly batch: Batch;
}

/** Groups values into rows and runs, and emits them as events. */
export class StreamRows {
  /** True when anything of the run was found in the input. */
  foundInRun = false;
  /** The values of rows at the end of the last run. */
  current: Values = new Map();
  readonly #plan: StreamPlan;
  readonly #notices: Notices;
  readonly #batch: Batch;
  /** Indices of the slots of each column, in order. */
  readonly #givers: readonly (readonly number[])[];
  #updates: Updates | undefined;
  #once = new Map<string, Value>();
  /** Values of the run known before its first line, until they are emitted. */
  #known: Values = new Map();
  #waiting: ImportEvent[] = [];
  /** Rows from here on have only values of `table`; the others are the current ones. */
  #unsettled = 0;
  #table: RowTable | undefined;
  /** True when rows of `table` can be written without other values; undefined: unknown. */
  #plain: boolean | undefined;
  #ended = false;
  #sets = 0;

  constructor(plan: StreamPlan, notices: Notices) {
    this.#plan = plan;
    this.#notices = notices;
    this.#batch = new Batch(plan.variables);
    this.#givers = plan.variables.map((_, target) =>
      plan.slots.flatMap((slot, at) => (slot.target === target ? [at] : [])),
    );
    this.#beginRun();
  }

  /** Sets the current value of a slot. */
  take(slot: Slot, value: PresentValue): void {
    this.foundInRun = true;
    this.#settle();
    slot.value = value;
    if (slot.target < 0) this.#once.set(slot.variable.name, value);
  }

  takeOnce(variable: Variable, value: Value): void {
    if (value !== null) this.#once.set(variable.name, value);
  }

  /** Adds a row of a table. */
  addRow(table: RowTable, line: number): void {
    this.foundInRun = true;
    if (table !== this.#table) {
      this.#settle();
      this.#table = table;
    }
    this.#plain ??= this.#isPlain(table);
    if (this.#plain) this.#writeRow(table);
    else this.store(line, table);
  }

  #isPlain(table: RowTable): boolean {
    const { derived, slots } = this.#plan;
    if (
      derived.length > 0 ||
      table.columns.some(({ location }) => location.update) ||
      table.columns.some((column) => column.target < 0)
    )
      return false;
    return !slots.some(
      ({ value, target, rules }) => target >= 0 && value !== null && (rules.update || rules.sticky === false),
    );
  }

  #writeRow(table: RowTable): void {
    if (this.#updates) this.#flushUpdates();
    table.row.writeTo(this.#batch);
    this.#sets += 1;
    if (this.#batch.isFull) this.flush();
  }

  /** Fills in the values from outside of the table, which are constant since the last change. */
  #settle(): void {
    const batch = this.#batch;
    const table = this.#table;
    const unsettled = this.#unsettled;
    this.#plain = undefined;
    if (table && batch.length > unsettled) {
      for (let target = 0; target < this.#plan.variables.length; target++) {
        const slot = this.#slotFor(target, table);
        const own = table.columns.some((column) => column.target === target);
        if (slot) batch.fill(target, slot.value, unsettled, batch.length);
        else if (!own) batch.fill(target, null, unsettled, batch.length);
      }
    }
    this.#unsettled = batch.length;
    this.#table = undefined;
  }

  /** The slot for a column: the first location with a value; undefined: the table, or none. */
  #slotFor(target: number, table: RowTable | undefined): Slot | undefined {
    const { slots, afterTables } = this.#plan;
    for (const at of this.#givers[target] ?? []) {
      const slot = slots[at];
      if (!slot || slot.value === null) continue;
      const own = table?.columns.some((column) => column.target === target) ?? false;
      return own && at >= afterTables ? undefined : slot;
    }
    return undefined;
  }

  /** Writes a row of the current values and of the row of `table`. */
  store(line: number, table?: RowTable): void {
    this.#settle();
    const values: Value[] = this.#plan.variables.map(
      (_, target) => this.#slotFor(target, table)?.value ?? this.#ofTable(table, target),
    );
    if (table) this.#takeOnceColumns(table);
    this.#derive(values, line);
    for (const slot of this.#plan.slots) if (slot.target >= 0 && slot.rules.sticky === false) slot.clear();
    if (values.every((value) => value === null)) return;
    this.#sets += 1;
    const update = this.#updateOf(values, table, line);
    if (update) this.#addUpdate(values, update);
    else this.#add(values);
  }

  #ofTable(table: RowTable | undefined, target: number): Value {
    const at = table ? table.columns.findIndex((column) => column.target === target) : -1;
    return at < 0 || !table ? null : table.row.value(at);
  }

  #takeOnceColumns(table: RowTable): void {
    table.columns.forEach((column, at) => {
      if (column.target < 0) this.takeOnce(column.variable, table.row.value(at));
    });
  }

  #derive(values: Value[], line: number): void {
    const lookup = (variable: Variable): Value => {
      const at = this.#plan.variables.indexOf(variable);
      return at >= 0 ? (values[at] ?? null) : (this.#once.get(variable.name) ?? null);
    };
    for (const derived of this.#plan.derived) {
      const value = derived.next(lookup, line);
      if (derived.target < 0) this.takeOnce(derived.variable, value);
      else if (value !== null) values[derived.target] = value;
    }
  }

  #updateOf(values: readonly Value[], table: RowTable | undefined, line: number): RowsUpdate | undefined {
    const keys = new Map<number, RowUpdate>();
    for (const { target, rules } of this.#plan.slots)
      if (rules.update && (values[target] ?? null) !== null) keys.set(target, rules.update);
    for (const { target, location } of table?.columns ?? [])
      if (location.update && target >= 0) keys.set(target, location.update);
    for (const { target, location } of this.#plan.derived)
      if (location.update && (values[target] ?? null) !== null) keys.set(target, location.update);
    const kinds = new Set(keys.values());
    if (kinds.size === 0) return undefined;
    if (kinds.size > 1) throw new Failure("update-conflict", { line });
    return { keys: [...keys.keys()].sort((a, b) => a - b).map((at) => this.#nameOf(at)), add: kinds.has("auto") };
  }

  #nameOf(target: number): string {
    return this.#plan.variables[target]?.name ?? "";
  }

  #add(values: readonly Value[]): void {
    if (this.#updates) this.#flushUpdates();
    this.#batch.append(values);
    this.#unsettled = this.#batch.length;
    if (this.#batch.isFull) this.flush();
  }

  #addUpdate(values: readonly Value[], update: RowsUpdate): void {
    const names = values.flatMap((value, at) => (value === null ? [] : [this.#nameOf(at)]));
    const kind = JSON.stringify([names, update]);
    if (this.#updates?.kind !== kind || this.#updates.batch.isFull) {
      this.flush();
      this.#updates = { names, kind, update, batch: new Batch(this.#plan.variables) };
    }
    this.#updates.batch.append(values);
  }

  /** Emits the rows so far. */
  flush(): void {
    this.#settle();
    if (this.#batch.length > 0) {
      if (this.#known.size > 0) this.#waiting.push({ kind: "once", values: this.#known });
      this.#known = new Map();
      this.#waiting.push({ kind: "rows", table: this.#batch.take() });
    }
    this.#unsettled = 0;
    this.#flushUpdates();
  }

  #flushUpdates(): void {
    if (!this.#updates) return;
    const { batch, names, update } = this.#updates;
    this.#updates = undefined;
    this.#waiting.push({ kind: "rows", table: selectColumns(batch.take(), names), update });
  }

  #beginRun(): void {
    this.#sets = 0;
    this.foundInRun = false;
    this.#once = new Map();
    for (const slot of this.#plan.slots)
      if (slot.target < 0 && slot.value !== null) this.takeOnce(slot.variable, slot.value);
    this.#known = new Map(this.#once);
  }

  /** Ends the run, if anything of it was found. */
  separate(line: number): boolean {
    if (!this.foundInRun) return false;
    this.#endRun(line);
    return true;
  }

  #endRun(line: number): void {
    this.flush();
    this.#derive(
      this.#plan.variables.map((_, target) => this.#slotFor(target, undefined)?.value ?? null),
      line,
    );
    this.#reportLost(line);
    if (this.#once.size > 0) this.#waiting.push({ kind: "once", values: this.#once });
    this.#waiting.push({ kind: "end" });
    this.#ended = true;
    this.current = this.#currentValues();
    for (const slot of this.#plan.slots) {
      slot.endRun();
      for (const { finder } of slot.sources) finder.reset();
    }
    for (const table of this.#plan.tables) table.reset(line);
    for (const derived of this.#plan.derived) derived.endRun();
    for (const split of this.#plan.splits) split.endRun();
    this.#beginRun();
  }

  #currentValues(): Values {
    const values = new Map<string, Value>();
    for (const { target, variable, value } of this.#plan.slots)
      if (target >= 0 && value !== null && !values.has(variable.name)) values.set(variable.name, value);
    return values;
  }

  #reportLost(line: number): void {
    const lost = this.#plan.slots.find((slot) => slot.target >= 0 && slot.sources.length > 0 && slot.value !== null);
    if (this.#sets > 0 || !lost) return;
    this.#notices.report(
      "no row",
      line,
      `'${lost.variable.name}' was found, but no row was stored: nothing has store_set`,
    );
  }

  /**
   * Ends the input; returns false when it was empty. A run in which nothing was found may consist of defaults, if any
   * of its values are once per run.
   */
  finish(line: number): boolean {
    if (this.foundInRun) this.#endRun(line);
    if (this.#ended) return true;
    const { slots, derived } = this.#plan;
    if (!slots.some(({ target }) => target < 0) && !derived.some(({ target }) => target < 0)) return false;
    if (slots.some(({ sources }) => sources.length > 0))
      this.#notices.report("nothing found", line, "no value of the description was found");
    this.#endRun(line);
    return true;
  }

  events(): ImportEvent[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return [...this.#notices.take(), ...waiting];
  }
}
