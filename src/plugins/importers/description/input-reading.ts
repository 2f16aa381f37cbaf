import { type Failure, isFailure } from "../../../core/failures/index.ts";
import type { Values } from "../../../core/values/index.ts";
import type { Variable } from "../../../core/variables/index.ts";
import { withSingleGroups } from "../../../formats/descriptions/index.ts";
import { ByteText, type LineBlock, shownText } from "../../../formats/text/index.ts";
import type { ImportEvent } from "../importer.ts";
import type { Look } from "./finders/finder.ts";
import { AbsentKeywords, type Literal } from "./finders/keyword-search.ts";
import { type Line, lineAt, RecentLines } from "./line.ts";
import { Notices } from "./notices.ts";
import { RespacedMarks } from "./respaced-marks.ts";
import { nextSelectedRow, type Seeker } from "./row-mark.ts";
import type { PlanSink } from "./plan.ts";
import type { DescribedInput, RowAssembly, RowRules } from "./rules.ts";
import type { Slot } from "./slot.ts";
import { reportEnds } from "./tables/offer-line.ts";
import type { RowTable } from "./tables/row-table.ts";

const newline = 10;
/** Maximum number of marks with other blanks that are reported one by one. */
const mostMarks = 20;

/** What is searched at the moment. */
interface Open {
  /** Of all seekers that need nothing but literals. */
  readonly literals: readonly Literal[];
  readonly others: readonly Seeker[];
}

/**
 * Reads an input in one pass. Keywords are searched in complete blocks: only lines with a match are examined, and
 * table rows between them are read in bulk.
 */
export class InputReading implements PlanSink {
  readonly #rows: RowAssembly;
  readonly #notices = new Notices();
  readonly #recent: RecentLines;
  readonly #keywords: AbsentKeywords;
  readonly #respaced: RespacedMarks;
  /** 1-based number of the next line. */
  #number = 1;
  /** undefined: to be determined. */
  #open: Open | undefined;

  constructor(rules: RowRules, input: DescribedInput) {
    this.#rows = rules.assemble({ ...input, description: withSingleGroups(input.description) }, this, this.#notices);
    this.#respaced = new RespacedMarks(input.description.locations);
    this.#recent = new RecentLines(this.#rows.plan.precedingLines, () => this.foreign());
    this.#keywords = new AbsentKeywords(this.#seekers(this.#rows.plan.slots).flatMap(({ literals }) => literals));
  }

  foreign(): void {
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

  report(kind: string, line: number, text: string, most?: number): void {
    this.#notices.report(kind, line, text, most);
  }

  reportCut(): void {
    this.#notices.report(
      "text too long",
      this.#number,
      "this multi-line text is longer than 1 MiB; only its beginning is stored",
    );
  }

  addRow(table: RowTable, line: number): void {
    this.#rows.addRow(table, line);
  }

  get variables(): readonly Variable[] {
    return this.#rows.plan.variables;
  }

  /** The values of rows at the end of the last run. */
  get current(): Values {
    return this.#rows.current;
  }

  events(): ImportEvent[] {
    return this.#rows.events();
  }

  /** Returns the failure that ended the reading; complete rows found before it are emitted. */
  readBlock(lines: LineBlock): Failure | undefined {
    try {
      this.#readLines(lines);
    } catch (error) {
      if (!isFailure(error)) throw error;
      this.#rows.abandon();
      return error;
    }
    return undefined;
  }

  #readLines({ bytes: written, cut, isUnfinished }: LineBlock): void {
    const { bytes, overwritten } = shownText(written);
    for (const line of overwritten)
      this.#notices.report(
        "line that overwrites itself",
        this.#number + line,
        "this line overwrites itself with carriage returns: what a terminal shows in the end is read",
      );
    const block = new ByteText(bytes, isUnfinished);
    this.#keywords.begin(block.text);
    if (cut.length > 0)
      this.#notices.report("line too long", this.#number, "this line is longer than 1 MiB; only its beginning is read");
    this.#respaced.search(block, this.#number);
    for (let pos = 0; pos < bytes.length;) {
      const stop = this.#nextStop(block, pos);
      pos = stop > pos ? this.#passOver(block, pos, stop) : this.#lookAt(block, pos);
    }
    this.#recent.keep(block);
  }

  /** Ends the input. Returns a failure when nothing was found. */
  finish(): Failure | undefined {
    for (const table of this.#rows.plan.tables) table.reportLost(this.#number - 1);
    for (const { line, text } of this.#respaced.found())
      this.#notices.report("mark with other blanks", line, text, mostMarks);
    const failure = this.#rows.finish(this.#number - 1);
    this.#notices.end();
    return failure;
  }

  #seekers(slots: readonly Slot[]): Seeker[] {
    const { tables, marks } = this.#rows.plan;
    return [
      ...slots.flatMap(({ sources }) => sources.map(({ finder }) => finder)),
      ...tables.flatMap(({ marker }) => marker ?? []),
      ...marks,
    ];
  }

  #findOpen(): Open {
    const slots = this.#rows.plan.slots.filter((slot) => slot.isSought);
    const seekers = this.#seekers(slots);
    const literals = seekers.filter((seeker) => seeker.onlyLiterals === true).flatMap((seeker) => seeker.literals);
    return { literals, others: seekers.filter((seeker) => seeker.onlyLiterals !== true) };
  }

  /** The start of the next line to examine, or the end of the block. */
  #nextStop(block: ByteText, pos: number): number {
    this.#open ??= this.#findOpen();
    const { literals, others } = this.#open;
    let next = Number.POSITIVE_INFINITY;
    for (const seeker of others) {
      if (seeker.everyLine || nextSelectedRow(seeker, this.#number) === this.#number) return pos;
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

  /** Lines before the next one that is selected by its number. */
  #linesToSelected(): number {
    let row = Number.POSITIVE_INFINITY;
    for (const seeker of this.#open?.others ?? []) row = Math.min(row, nextSelectedRow(seeker, this.#number + 1));
    return row - this.#number;
  }

  /** Reads or skips lines without keywords: rows of the active table, or nothing. */
  #passOver(block: ByteText, pos: number, stop: number): number {
    const most = this.#linesToSelected();
    const { tables } = this.#rows.plan;
    const [table, other] = among(tables, (each) => each.isActive);
    const watching = among(tables, (each) => each.isWatching);
    if (!table && watching.length > 0) return this.#watchLines(block, pos, stop, most, watching);
    if (!table) return this.#skipLines(block.bytes, pos, stop, most);
    if (other) return this.#lookAt(block, pos);
    const progress = table.readRows(block, pos, stop, most, this.#number, watching);
    reportEnds(table, this.#notices);
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

  /** Skips lines of which tables that have ended take note. */
  #watchLines(block: ByteText, pos: number, stop: number, most: number, watching: readonly RowTable[]): number {
    let lines = 0;
    let at = pos;
    while (at < stop && lines < most) {
      let next = at;
      for (const table of watching) next = table.watch(block, at, this.#number + lines);
      at = next;
      lines += 1;
    }
    this.#number += lines;
    return at;
  }

  #lookAt(block: ByteText, start: number): number {
    const line = lineAt(block, start, this.#number, () => this.foreign());
    if (this.#rows.examine(new LineLook(line, this.#recent))) this.#open = undefined;
    this.#number += 1;
    return line.end + 1;
  }
}

/** The tables for which a condition holds; mostly the same list, since this is asked for every piece of the input. */
function among(tables: readonly RowTable[], holds: (table: RowTable) => boolean): readonly RowTable[] {
  return tables.every(holds) ? tables : tables.some(holds) ? tables.filter(holds) : none;
}

const none: readonly RowTable[] = [];

class LineLook implements Look {
  readonly line: Line;
  readonly #recent: RecentLines;

  constructor(line: Line, recent: RecentLines) {
    this.line = line;
    this.#recent = recent;
  }

  before(lines: number): string | undefined {
    return this.#recent.before(this.line.block, this.line.start, lines);
  }
}
