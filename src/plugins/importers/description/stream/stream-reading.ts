import { Failure, isFailure } from "../../../../core/failures/index.ts";
import type { Values } from "../../../../core/values/index.ts";
import type { Variable } from "../../../../core/variables/index.ts";
import { ByteText, type LineBlock } from "../../../../formats/text/index.ts";
import type { ImportEvent } from "../../importer.ts";
import type { PresentValue } from "../value-reader.ts";
import { lineAt, RecentLines } from "../line.ts";
import type { Literal } from "../keyword-search.ts";
import { Notices } from "../notices.ts";
import { nextSelectedRow, type Seeker } from "../row-mark.ts";
import type { Look } from "./text-finder.ts";
import { LinesFinder } from "./named-finder.ts";
import { streamPlanOf, type StreamPlan, type StreamSource } from "./stream-plan.ts";
import { StreamSets } from "./stream-sets.ts";
import type { StreamSlot } from "./stream-slot.ts";
import type { RowSink, StreamTable } from "./stream-table.ts";

const newline = 10;

/** Seekers that are active. */
interface Open {
  readonly slots: readonly StreamSlot[];
  /** Of all seekers that need nothing but literals. */
  readonly literals: readonly Literal[];
  readonly others: readonly Seeker[];
}

interface Hit {
  readonly slot: StreamSlot;
  readonly value: PresentValue;
}

/**
 * Reads an input in one pass by perfbase's rules. Keywords are searched in complete blocks: only lines with a match
 * are examined, and table rows between them are read in bulk.
 */
export class StreamReading implements RowSink {
  readonly #plan: StreamPlan;
  readonly #sets: StreamSets;
  readonly #notices = new Notices();
  readonly #recent: RecentLines;
  readonly #literals: readonly Literal[];
  /** 1-based number of the next line. */
  #number = 1;
  /** The active seekers; undefined: to be determined. */
  #open: Open | undefined;
  /** Matches of run marks still to ignore. */
  readonly #toPass: number[];

  constructor(source: StreamSource) {
    this.#plan = streamPlanOf(source, this);
    this.#sets = new StreamSets(this.#plan, this.#notices);
    this.#recent = new RecentLines(this.#plan.precedingLines, () => this.foreign());
    this.#literals = this.#seekers(this.#plan.slots).flatMap(({ literals }) => literals);
    this.#toPass = this.#plan.separations.map(({ skip }) => skip);
  }

  foreign(): void {
    this.#notices.report("text that is not UTF-8", this.#number, "text that is not UTF-8 is read as latin1");
  }

  reportHalfCharacter(): void {
    this.#notices.report(
      "truncated character",
      this.#number,
      "the input ends within a UTF-16 character, which is dropped",
    );
  }

  reportSkipped(line: number, problem: string): void {
    this.#notices.report("row skipped", line, problem);
  }

  reportCut(): void {
    this.#notices.report(
      "text too long",
      this.#number,
      "this multi-line text is longer than 1 MiB; only its beginning is stored",
    );
  }

  addRow(table: StreamTable, line: number): void {
    this.#sets.addRow(table, line);
  }

  get variables(): readonly Variable[] {
    return this.#plan.variables;
  }

  /** The values of rows at the end of the last run. */
  get current(): Values {
    return this.#sets.current;
  }

  events(): ImportEvent[] {
    return this.#sets.events();
  }

  /** Returns the failure that ended the reading; rows found before it are emitted. */
  readBlock(lines: LineBlock): Failure | undefined {
    try {
      this.#readLines(lines);
    } catch (error) {
      if (!isFailure(error)) throw error;
      this.#sets.flush();
      return error;
    }
    return undefined;
  }

  #readLines({ bytes, cut }: LineBlock): void {
    const block = new ByteText(bytes);
    for (const literal of this.#literals) literal.reset();
    if (cut.length > 0)
      this.#notices.report("line too long", this.#number, "this line is longer than 1 MiB; only its beginning is read");
    for (let pos = 0; pos < bytes.length;) {
      const stop = this.#nextStop(block, pos);
      pos = stop > pos ? this.#passOver(block, pos, stop) : this.#lookAt(block, pos);
    }
    this.#recent.keep(block);
  }

  /** Ends the input. Returns a failure when it was empty and cannot be a run. */
  finish(): Failure | undefined {
    const last = this.#number - 1;
    this.#endTexts(last);
    for (const split of this.#plan.splits) {
      const line = split.open;
      if (line !== undefined)
        this.#notices.report("block without end", line, "the block that starts here never ends and is not stored");
    }
    const found = this.#sets.finish(last);
    this.#notices.end();
    if (found || this.#plan.searched.length === 0) return undefined;
    return new Failure("nothing-found", { lines: last, looked: this.#plan.searched.slice(0, 10).join(", ") });
  }

  /** Ends multi-line texts at the end of the input. */
  #endTexts(line: number): void {
    const hits: Hit[] = [];
    for (const slot of this.#plan.slots) {
      const text = slot.finder instanceof LinesFinder && slot.isOpen ? slot.finder.rest() : undefined;
      const value = text === undefined ? undefined : slot.typed.read(text, line);
      if (value !== undefined) hits.push({ slot, value });
    }
    this.#takeHits(hits, line);
  }

  #seekers(slots: readonly StreamSlot[]): Seeker[] {
    const { tables, splits, separations } = this.#plan;
    return [
      ...slots.map(({ finder }) => finder).filter((finder) => finder !== undefined),
      ...tables.flatMap(({ markers }) => markers),
      ...splits.flatMap(({ finders }) => finders),
      ...separations.map(({ marker }) => marker),
    ];
  }

  /** The start of the next line to examine, or the end of the block. */
  #nextStop(block: ByteText, pos: number): number {
    this.#open ??= this.#findOpen();
    const { literals, others } = this.#open;
    let next = Number.POSITIVE_INFINITY;
    for (const seeker of others) {
      if (seeker.everyLine || this.#wanted(seeker) === this.#number) return pos;
      for (const literal of seeker.literals) next = Math.min(next, literal.next(block.text, pos));
    }
    for (let at = 0; at < literals.length; at++) {
      const found = (literals[at] as Literal).next(block.text, pos);
      if (found < next) next = found;
    }
    return next === Number.POSITIVE_INFINITY
      ? block.bytes.length
      : Math.max(pos, block.text.lastIndexOf("\n", next) + 1);
  }

  #findOpen(): Open {
    const slots = this.#plan.slots.filter((slot) => slot.isOpen && slot.finder !== undefined);
    const seekers = this.#seekers(slots);
    const literals = seekers.filter((seeker) => seeker.onlyLiterals === true).flatMap((seeker) => seeker.literals);
    return { slots, literals, others: seekers.filter((seeker) => seeker.onlyLiterals !== true) };
  }

  /** The next line that the seeker selects by its number. */
  #wanted(seeker: Seeker & { readonly due?: number }): number {
    return seeker.due ?? nextSelectedRow(seeker, this.#number);
  }

  #linesToWanted(): number {
    let lines = Number.POSITIVE_INFINITY;
    for (const seeker of this.#open?.others ?? []) {
      const wanted = this.#wanted(seeker);
      if (wanted > this.#number) lines = Math.min(lines, wanted - this.#number);
    }
    return lines;
  }

  /** Reads or skips lines without keywords: rows of the active table, or nothing. */
  #passOver(block: ByteText, pos: number, stop: number): number {
    const active = this.#plan.tables.filter((table) => table.isActive);
    const most = this.#linesToWanted();
    const [table] = active;
    if (!table) return this.#skipLines(block.bytes, pos, stop, most);
    if (active.length > 1) return this.#lookAt(block, pos);
    const progress = table.readRows(block, pos, stop, most, this.#number);
    this.#number += progress.lines;
    return progress.pos;
  }

  #skipLines(bytes: Uint8Array, pos: number, stop: number, most: number): number {
    let lines = 0;
    let at = pos;
    while (at < stop && lines < most) {
      at = bytes.indexOf(newline, at) + 1;
      lines += 1;
    }
    this.#number += lines;
    return at;
  }

  /** Examines a line: single values first, then tables, blocks, and new runs. */
  #lookAt(block: ByteText, start: number): number {
    const line = lineAt(block, start, this.#number, () => this.foreign());
    const look: Look = { line, before: (lines) => this.#recent.before(block, start, lines) };
    this.#takeHits(this.#hitsIn(look), line.number);
    for (const table of this.#plan.tables) this.#offer(table, look);
    for (const split of this.#plan.splits) {
      const values = split.look(look);
      if (!values) continue;
      for (const [slot, value] of values) this.#sets.take(slot, value);
      this.#sets.store(line.number);
    }
    this.#plan.separations.forEach(({ marker }, at) => {
      if (marker.marks(line) && !this.#passes(at)) this.#separate(line.number);
    });
    this.#number += 1;
    return line.end + 1;
  }

  #offer(table: StreamTable, { line }: Look): void {
    if (table.location.startsRun && table.startsAt(line)) this.#separate(line.number);
    table.offer(line);
  }

  #passes(at: number): boolean {
    const left = this.#toPass[at] ?? 0;
    if (left > 0) this.#toPass[at] = left - 1;
    return left > 0;
  }

  #separate(line: number): void {
    if (this.#sets.separate(line)) this.#open = undefined;
  }

  #hitsIn(look: Look): Hit[] {
    const hits: Hit[] = [];
    for (const slot of this.#open?.slots ?? []) {
      if (slot.finder?.mayFind?.(look.line) === false) continue;
      const value = slot.valueIn(look);
      if (value !== undefined) hits.push({ slot, value });
    }
    return hits;
  }

  /** A value that starts a run belongs to it, as do all values of its line. */
  #takeHits(hits: readonly Hit[], line: number): void {
    if (hits.length === 0) return;
    if (hits.some(({ slot }) => slot.rules.startsRun)) this.#separate(line);
    for (const { slot, value } of hits) {
      slot.hit();
      if (!slot.isOpen) this.#open = undefined;
      this.#sets.take(slot, slot.total(value, line));
    }
    if (hits.some(({ slot }) => slot.rules.storesRow) || this.#completesDerived(hits)) this.#sets.store(line);
  }

  /** True when a hit completes the operands of a derived value that stores the row. */
  #completesDerived(hits: readonly Hit[]): boolean {
    return this.#plan.derived.some(({ location, parameters }) => {
      const wanted = [...parameters.values()];
      return (
        location.storesRow === true &&
        hits.some(({ slot }) => wanted.includes(slot.variable)) &&
        wanted.every((variable) => this.#plan.slots.some((slot) => slot.variable === variable && slot.current !== null))
      );
    });
  }
}
