import type { TableLocation } from "../../../../formats/descriptions/index.ts";
import { type ByteText, compilePattern, type Pattern } from "../../../../formats/text/index.ts";
import { LineRanges } from "../line-ranges.ts";
import { LostRows } from "./lost-rows.ts";
import type { TableEnd } from "./row-table.ts";
import type { Misfit, TableRow } from "./table-row.ts";

/** Maximum number of ends of tables for which the lines after them are reported one by one. */
const mostLostRows = 20;

/** Maximum number of lines between the last row and the one within which the input ends. */
const mostAfterRow = 3;

/** How a table ended. */
interface EndedTable {
  readonly hasRows: boolean;
  /** True when a mark started the table. */
  readonly isMarked: boolean;
  /** The cell of the last line that is no value; undefined: the line has another number of entries. */
  readonly misfit: Misfit | undefined;
  /** The line has another number of entries, but values of their types in all columns that it has. */
  readonly isPartial: boolean;
  /** Entries of the last line, and those of a row. */
  readonly entries: number;
  readonly expected: number;
}

/** Notes where a table ended, and the lines after it that look like its rows. */
export class TableEnds {
  #ends: TableEnd[] = [];
  /** undefined: the table has not ended, or as requested. */
  lost: LostRows | undefined;
  /** Entries of the last row, and its line; 0: the table had none yet. */
  entriesOfRows = 0;
  lineOfRows = 0;
  /** The line that started the table first. */
  #firstMark: string | undefined;
  /** Lines that are parts of rows. */
  #parts = new LineRanges();
  #cutOff: number | undefined;

  /** Notes an end at a line that resembles a row, and one before the first row. */
  note(line: number, { hasRows, isMarked, misfit, isPartial, entries, expected }: EndedTable): void {
    if (hasRows && misfit) {
      const text = `the table ends here: ${misfit.typeProblem}`;
      this.#ends.push({ kind: "table ends at a line that resembles a row", line, text });
    }
    const resembles = "the table ends here, at a line that looks like a row but has";
    if (hasRows && isPartial) {
      const text = `${resembles} ${entries} entries instead of ${expected}`;
      this.#ends.push({ kind: "table ends at a row with another number of entries", line, text });
    }
    if (hasRows || !isMarked) return;
    const count = entries === 0 ? " is empty" : ` has ${entries} entries instead of ${expected}`;
    const problem = misfit ? `${misfit.where}: ${misfit.typeProblem}` : count;
    this.#ends.push({ kind: "table without rows", line, text: `the table has no rows: line ${line}${problem}` });
  }

  /** Notes a line that is no row because of the units after its numbers. */
  noteUnits(line: number): void {
    const text = "this line looks like a row of the table with other units after its numbers: it is not read";
    this.#ends.push({ kind: "row with units", line, text });
  }

  /** The ends since the last call. */
  take(): readonly TableEnd[] {
    const ends = this.#ends;
    if (ends.length > 0) this.#ends = [];
    return ends;
  }

  /**
   * Lines from here on may be lost rows; `entries`: those of a row, 0: any number; `also`: those of the line that ended
   * the table although it looks like a row.
   */
  watchAfter(line: number, entries: number, also = 0): void {
    this.lost = this.lost?.after(line, entries) ?? new LostRows(line, entries);
    if (also > 0) this.lost.alsoFits(also);
  }

  /**
   * The table starts below a marked line. Returns true when the lines that it skips may be rows: a text such as
   * `warning: t[usec] is high` may have the mark as well.
   */
  startAgain(line: number, mark: string): boolean {
    const text = normalized(mark);
    this.#firstMark ??= text;
    if (this.entriesOfRows === 0 || text === this.#firstMark) return false;
    this.watchAfter(line, this.entriesOfRows);
    return true;
  }

  /** Notes a line after the end of the table that looks like one of its rows, or like a part of one. */
  examine(row: TableRow, block: ByteText, start: number, line: number): void {
    if (!this.lost) return;
    const isRow = row.isLost(this.lost, block, start, line);
    if (isRow) this.lost.add(line);
    if (!isRow || block.isUnfinished || row.isSplitBefore(line)) this.examineParts(row, block, start, line);
  }

  /** Notes a line that is no row if it is a part of one: other text splits it, or the input ends within it. */
  examineParts(row: TableRow, block: ByteText, start: number, line: number): false {
    const entries = this.lost?.entries || this.entriesOfRows;
    for (const each of row.splitLines(block, start, line, entries)) this.#parts.add(each);
    const last = Math.max(this.lineOfRows, this.lost?.latest ?? 0, this.#parts.last);
    if (line - last <= mostAfterRow && row.isCutOff(block, start, line, entries)) this.#cutOff = line;
    return false;
  }

  /** Reports the lost rows, and forgets them. `most`: how often the kind is reported in full. */
  reportLost(report: (kind: string, line: number, text: string, most: number) => void): void {
    const { lost } = this;
    if (lost?.text !== undefined) report("rows after the end of a table", lost.line, lost.text, mostLostRows);
    this.lost = undefined;
    const [parts, end] = [this.#parts, this.#cutOff];
    const split = `other text splits rows of the table: ${parts.count === 1 ? "line" : "lines"} ${parts}`;
    if (parts.count > 0) report("rows split by other text", parts.last, split, mostLostRows);
    const cut = "the input ends within this line, which looks like the beginning of a row";
    if (end !== undefined) report("row cut off", end, cut, mostLostRows);
    [this.#parts, this.#cutOff] = [new LineRanges(), undefined];
  }
}

/** Maximum number of lines above the rows that are recognised when they are repeated. */
const mostHeads = 32;

/** The lines inside a table that its description skips: they are no rows and do not end it. */
export class SkippedLines {
  readonly #patterns: readonly Pattern[];
  readonly #skipsHeads: boolean;
  readonly #heads = new Set<string>();

  constructor({ skipPatterns = [], skipsHeads }: TableLocation) {
    this.#patterns = skipPatterns.map((source) => compilePattern(source));
    this.#skipsHeads = skipsHeads === true;
  }

  /** True when the texts of lines matter. */
  get needsText(): boolean {
    return this.#skipsHeads || this.#patterns.length > 0;
  }

  /** The table starts. */
  reset(): void {
    this.#heads.clear();
  }

  /** A line above the first row. */
  addHead(text: string): void {
    if (this.#skipsHeads && this.#heads.size < mostHeads) this.#heads.add(normalized(text));
  }

  has(text: string): boolean {
    return this.#patterns.some((pattern) => pattern.test(text)) || this.#heads.has(normalized(text));
  }
}

function normalized(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}
