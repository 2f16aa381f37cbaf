import type { Notices } from "../notices.ts";
import type { Plan } from "../plan.ts";
import type { Slot } from "../slot.ts";

/** Rows of the batch, from the first up to the one before `to`. */
interface RowRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Variables that have both single values and columns of tables: the single value is for the rows of the set that have
 * no such column.
 */
export class FallbackValues {
  /** Columns of the batch that have both. */
  readonly #targets: ReadonlySet<number>;
  /** The rows of the set in the batch that have own values, by column. */
  readonly #own = new Map<number, RowRange[]>();
  /** The single values of this set that no row has yet, with their lines. */
  readonly #unused = new Map<Slot, number>();

  constructor({ slots, tables }: Plan) {
    const columns = new Set(tables.flatMap((table) => table.columns.map(({ target }) => target)));
    this.#targets = new Set(slots.map(({ target }) => target).filter((target) => target >= 0 && columns.has(target)));
  }

  /** Notes a single value. */
  note(slot: Slot, line: number): void {
    if (this.#targets.has(slot.target)) this.#unused.set(slot, line);
  }

  /** Notes rows of a table that has the columns `own`. */
  addRows(own: ReadonlySet<number | undefined>, from: number, to: number): void {
    if (to === from) return;
    for (const target of this.#targets)
      if (own.has(target)) this.#own.set(target, [...(this.#own.get(target) ?? []), { from, to }]);
  }

  /** The rows between `from` and `to` that have the single value of a slot. */
  rowsOf(slot: Slot, from: number, to: number): readonly RowRange[] {
    if (slot.target < 0 || to === from) return [];
    if (!this.#targets.has(slot.target)) return [{ from, to }];
    const ranges: RowRange[] = [];
    let next = from;
    for (const own of [...(this.#own.get(slot.target) ?? []), { from: to, to }]) {
      if (own.from > next) ranges.push({ from: next, to: own.from });
      next = Math.max(next, own.to);
    }
    if (ranges.length > 0) this.#unused.delete(slot);
    return ranges;
  }

  /** The rows of the batch were emitted. */
  forgetRows(): void {
    this.#own.clear();
  }

  /** Reports single values that no row of the set has. */
  endSet(notices: Notices): void {
    for (const [{ variable }, line] of this.#unused) {
      const problem = `'${variable.name}' is not stored: all rows of its input set have values of their own`;
      notices.report(`unused '${variable.name}'`, line, problem);
    }
    this.#unused.clear();
    this.#own.clear();
  }
}
