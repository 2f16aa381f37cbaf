import { LineRanges } from "../line-ranges.ts";

/** Maximum number of lines with another number of entries that are compared with the rows of a table. */
const mostTries = 200;

/** The lines after the end of a table that look like its rows. */
export class LostRows {
  #end: number;
  /** The line that ended the table last. */
  #latestEnd: number;
  readonly #lines = new LineRanges();
  /** Entries of a row; 0: any number. */
  #entries: number;
  /** Entries of the last line that looked like a row and had another number of them. */
  #other = 0;
  /** Lines with another number of entries that are still compared with the rows. */
  #tries = mostTries;

  /** `end`: the line that ended the table; 0: it has not started yet. */
  constructor(end: number, entries: number) {
    this.#end = end;
    this.#latestEnd = end;
    this.#entries = entries;
  }

  /** The table has ended again. */
  after(end: number, entries: number): this {
    if (this.#lines.count === 0) this.#end = end;
    this.#latestEnd = end;
    this.#entries = entries;
    return this;
  }

  /** True when a line with this number of entries may be a row. */
  fits(entries: number): boolean {
    return entries > 0 && (this.#entries === 0 || this.#entries === entries || this.#other === entries);
  }

  /**
   * True when a line with another number of entries may be a row with units after its numbers, or, if rows have units
   * as entries, without them.
   */
  mayDifferInUnits(entries: number, rowsHaveUnits: boolean): boolean {
    const isLonger = entries > this.#entries && (this.#entries === 0 || entries <= 4 * this.#entries);
    const isShorter = rowsHaveUnits && entries <= this.#entries && 2 * entries >= this.#entries;
    if (!isLonger && !isShorter) return false;
    this.#tries -= 1;
    return this.#tries >= 0;
  }

  /** Entries of a row; 0: unknown. */
  get entries(): number {
    return this.#entries;
  }

  /** Rows may have this number of entries, too. */
  alsoFits(entries: number): void {
    this.#other = entries;
  }

  add(line: number): void {
    this.#lines.add(line);
  }

  /** The last line that looks like a row, or that ended the table. */
  get latest(): number {
    return Math.max(this.#latestEnd, this.#lines.last);
  }

  get line(): number {
    return this.#lines.last;
  }

  /** undefined: there are none. */
  get text(): string | undefined {
    const { count } = this.#lines;
    if (count === 0) return undefined;
    const location = this.#end > 0 ? `after the end of the table at line ${this.#end}` : "above the table";
    const [lines, look, rows] = count === 1 ? ["line", "looks", "one of its rows"] : ["lines", "look", "its rows"];
    return `${count} ${lines} ${location} ${look} like ${rows}: ${this.#lines}`;
  }
}
