import { Failure } from "../../../../core/failures/index.ts";
import { ByteText, type LineBlock } from "../../../../formats/text/index.ts";
import type { ImportEvent } from "../../importer.ts";
import { InvalidValue } from "../../../../core/values/index.ts";
import { UnfitNumber, type PresentValue } from "../value-reader.ts";
import { lineAt, type Line } from "../line.ts";
import type { Literal } from "../keyword-search.ts";
import { Notices } from "../notices.ts";
import { hasValue, type FinderResult } from "../finder.ts";
import type { Plan, Separator } from "./plan.ts";
import { nextSelectedRow, type Seeker } from "../row-mark.ts";
import { Sets } from "./sets.ts";
import type { Slot } from "./slot.ts";
import type { TabularReader } from "../table-reader.ts";

const newline = 10;

/**
 * Reads an input in one pass. Keywords are searched in complete blocks: only lines with a match are examined, and
 * table rows between them are read in bulk.
 */
export class Reading {
  readonly #plan: Plan;
  readonly #sets: Sets;
  readonly #notices: Notices;
  readonly #literals: readonly Literal[];
  /** Always searched: marks of tables and separators. */
  readonly #markers: readonly Seeker[];
  /** Slots whose lines also separate. */
  readonly #separating: ReadonlySet<Slot>;
  /** Searched at the moment. */
  readonly #open: Seeker[] = [];
  /** Lines at which earlier marks start a set or run. */
  #due: { readonly number: number; readonly run: boolean }[] = [];
  /** 1-based number of the next line. */
  #number = 1;
  readonly #foreign: () => void;

  constructor(plan: Plan, notices: Notices) {
    this.#plan = plan;
    this.#notices = notices;
    this.#sets = new Sets(plan, notices);
    const markers = [...plan.tables.map((table) => table.marker), ...plan.separators.map((each) => each.marker)];
    this.#markers = markers.filter((marker) => marker !== undefined);
    this.#separating = new Set(plan.separators.flatMap(({ slot }) => slot ?? []));
    const finders = plan.slots.flatMap((slot) => slot.finder ?? []);
    this.#literals = [...finders, ...this.#markers].flatMap((seeker) => seeker.literals);
    this.#foreign = () => this.reportForeign();
    for (const table of plan.tables) if (table.marker?.row === 0) table.start(undefined);
    for (const notice of plan.notices) notices.report(notice, 1, notice);
  }

  reportForeign(): void {
    this.#notices.report("text that is not UTF-8", this.#number, "text that is not UTF-8 is read as latin1");
  }

  /** Reports that the input ends within a character. */
  reportHalfCharacter(): void {
    this.#notices.report(
      "truncated character",
      this.#number,
      "the input ends within a UTF-16 character, which is dropped",
    );
  }

  events(): ImportEvent[] {
    return this.#sets.events();
  }

  readBlock({ bytes, cut }: LineBlock): void {
    const block = new ByteText(bytes);
    for (const literal of this.#literals) literal.reset();
    if (cut.length > 0)
      this.#notices.report("line too long", this.#number, "this line is longer than 1 MiB; only its beginning is read");
    for (let pos = 0; pos < bytes.length;) {
      const stop = this.#nextStop(block, pos);
      pos =
        stop > pos ? this.#passOver(block, pos, stop) : this.#lookAt(lineAt(block, pos, this.#number, this.#foreign));
    }
  }

  /** Ends the input. Fails with `nothing-found` when the description does not match it. */
  finish(): void {
    const last = this.#number - 1;
    this.#finishSingles(last);
    if (!this.#sets.foundAny && this.#plan.searched.length > 0) {
      throw new Failure("nothing-found", { lines: last, looked: this.#plan.searched.slice(0, 10).join(", ") });
    }
    if (!this.#sets.separate(true, last) && !this.#sets.foundAny) this.#sets.endRun(last);
    this.#notices.end();
  }

  /** The start of the next line to examine, or the end of the block. */
  #nextStop(block: ByteText, pos: number): number {
    this.#gatherOpen();
    if (this.#isDue()) return pos;
    let next = Number.POSITIVE_INFINITY;
    for (const seeker of this.#open) {
      if (seeker.everyLine || nextSelectedRow(seeker, this.#number) === this.#number) return pos;
      for (const literal of seeker.literals) next = Math.min(next, literal.next(block.text, pos));
    }
    return next === Number.POSITIVE_INFINITY
      ? block.bytes.length
      : Math.max(pos, block.text.lastIndexOf("\n", next) + 1);
  }

  #gatherOpen(): void {
    const open = this.#open;
    open.length = 0;
    for (const slot of this.#plan.slots)
      if (slot.finder && (slot.isOpen || this.#separating.has(slot))) open.push(slot.finder);
    open.push(...this.#markers);
  }

  /** Reads or skips lines without keywords: rows of the active table, or nothing. */
  #passOver(block: ByteText, pos: number, stop: number): number {
    const active = this.#plan.tables.filter((table) => table.isActive);
    const most = this.#linesToNextRow();
    const [table] = active;
    if (!table) return this.#skipLines(block.bytes, pos, stop, most);
    if (active.length > 1) return this.#lookAt(lineAt(block, pos, this.#number, this.#foreign));
    const from = this.#sets.batch.length;
    const progress = table.readRows(block, pos, stop, most, this.#sets.batch, this.#number);
    this.#sets.addedRows(from, table);
    this.#reportEnds(table);
    this.#number += progress.lines;
    return progress.pos;
  }

  #linesToNextRow(): number {
    let row = Number.POSITIVE_INFINITY;
    for (const seeker of this.#open) row = Math.min(row, nextSelectedRow(seeker, this.#number + 1));
    for (const { number } of this.#due) row = Math.min(row, number);
    return row - this.#number;
  }

  #isDue(): boolean {
    return this.#due.length > 0 && this.#due.some(({ number }) => number === this.#number);
  }

  #skipLines(bytes: Uint8Array, pos: number, stop: number, most: number): number {
    let lines = 0;
    let at = pos;
    while (at < stop && lines < most) {
      if (bytes[at] === newline) lines += 1;
      at += 1;
    }
    this.#number += lines;
    return at;
  }

  /**
   * Examines a line: separators first, since a line that starts a set belongs to it; then single values, then tables.
   */
  #lookAt(line: Line): number {
    if (this.#isDue()) this.#separateDue(line);
    for (const separator of this.#plan.separators) this.#trySeparator(separator, line);
    let taken = false;
    for (const slot of this.#plan.slots) if (slot.isOpen && this.#takeSingle(slot, line)) taken = true;
    for (const table of this.#plan.tables) {
      const isRow = table.isActive && this.#readRow(table, line);
      const begins = !isRow && table.marker?.marks(line) === true;
      // A line with single values, or one that restarts the table, is an expected end.
      if (begins || taken) table.takeEnds();
      else this.#reportEnds(table);
      if (begins) table.start(line);
      if (begins && table.startsAtOnce) this.#readRow(table, line);
    }
    this.#number += 1;
    return line.end + 1;
  }

  /** True when the line has a value for the slot. */
  #takeSingle(slot: Slot, line: Line): boolean {
    if (slot.mode !== undefined && slot.mode !== "accumulate")
      return this.#countSingle(slot, slot.finder?.count?.(line) ?? 0, line.number);
    return this.#takeResult(slot, slot.finder?.find(line), line.number);
  }

  #takeResult(slot: Slot, value: FinderResult, line: number): boolean {
    if (value === undefined) return false;
    if (!(value instanceof InvalidValue)) {
      if (slot.mode === "accumulate") this.#sets.tally(slot, sumOf(slot, value, line), line);
      else this.#sets.take(slot, value, line);
      return true;
    }
    if (slot.found && !this.#separating.has(slot)) return false;
    if (value instanceof UnfitNumber) throw value.at(line);
    this.#notices.report(`no value for '${slot.variable.name}'`, line, value.problem);
    return false;
  }

  #countSingle(slot: Slot, times: number, line: number): boolean {
    if (times === 0) return false;
    if (slot.mode === "abort") throw new Failure("import-aborted", { line, variable: slot.variable.name });
    this.#sets.tally(slot, slot.mode === "boolean" ? true : sumOf(slot, times, line), line);
    return true;
  }

  /** Ends multi-line values at the end of a set or of the input. */
  #finishSingles(line: number): void {
    for (const slot of this.#plan.slots) if (slot.finder?.finish) this.#takeResult(slot, slot.finder.finish(), line);
  }

  #reportEnds(table: TabularReader): void {
    for (const { line, text } of table.takeEnds())
      this.#notices.report("table ends at a line that resembles a row", line, text);
  }

  #readRow(table: Plan["tables"][number], line: Line): boolean {
    const from = this.#sets.batch.length;
    table.readRows(line.block, line.start, line.end + 1, 1, this.#sets.batch, line.number);
    const isRow = this.#sets.batch.length > from;
    this.#sets.addedRows(from, table);
    return isRow;
  }

  #trySeparator({ run, marker, slot, skip }: Separator, line: Line): void {
    const marks = marker ? marker.marks(line) : slot?.finder !== undefined && hasValue(slot.finder, line);
    if (marks && skip > 0) this.#due.push({ number: line.number + skip, run });
    else if (marks) this.#separate(run, line.number);
  }

  #separateDue(line: Line): void {
    for (const { number, run } of this.#due) if (number === line.number) this.#separate(run, number);
    this.#due = this.#due.filter(({ number }) => number > line.number);
  }

  #separate(run: boolean, line: number): void {
    this.#finishSingles(line);
    if (!this.#sets.separate(run, line)) return;
    for (const table of this.#plan.tables) table.reset();
  }
}

/** Fails with `bad-content` when an integer sum exceeds 2^53. */
function sumOf({ value, variable }: Slot, more: PresentValue, line: number): number {
  const sum = Number(value ?? 0) + Number(more);
  if (variable.type !== "integer" || Number.isSafeInteger(sum)) return sum;
  const data = { value: String(sum), variable: variable.name, type: variable.type };
  throw new Failure("bad-content", { ...data, problem: "a sum beyond 2^53 is not exact", location: `line ${line}` });
}
