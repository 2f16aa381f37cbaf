import type { Cut, TableValue } from "../../../formats/descriptions/index.ts";
import { floatOf, integerOf } from "../../../formats/bytes/index.ts";
import type { PresentValue, ValueReader, UnfitNumber } from "./value-reader.ts";
import { entriesOf, occurrence, readEntry } from "./explicit-finder.ts";
import type { Line } from "./line.ts";

/** A column of a table: the position of its value in each row and the reader for it. */
export class TableColumn {
  readonly location: TableValue & Pick<Cut, "blanks">;
  readonly reader: ValueReader;
  /** Index of the column in the batch. */
  readonly target: number;
  /** Reads plain numbers from bytes; NaN: the text has to be read. */
  readonly fast: typeof floatOf | undefined;
  /** 0-based entry of the row; -1: has to be searched in every row. */
  entry: number;

  constructor(location: TableColumn["location"], reader: ValueReader, target: number) {
    this.location = location;
    this.reader = reader;
    this.target = target;
    this.entry = this.#fixedEntry;
    const { type, size = 8 } = reader.variable;
    const plain = reader.isPlainNumber && (type === "float" || size === 8);
    this.fast = plain ? (type === "float" ? floatOf : integerOf) : undefined;
  }

  get #fixedEntry(): number {
    const { position, typed } = this.location;
    return position.kind === "number" && !typed ? position.number - 1 : -1;
  }

  /**
   * Resolves the column's keyword in the headings above the table. Returns the number of headings, or undefined
   * without a match.
   */
  takeHeading(line: Line, separator?: string): number | undefined {
    const { position, repetition, blanks } = this.location;
    this.entry = this.#fixedEntry;
    if (position.kind !== "keyword") return undefined;
    const row = line.rest(line.start);
    if (separator !== undefined) return this.#takeSeparated(headingsOf(row, separator), position.text);
    const at = occurrence(row, position.text, repetition);
    if (at < 0) return undefined;
    const headings = [...entriesOf(row, blanks)].filter((entry, index) => index > 0 || !isRemarkSign(entry.text));
    this.entry = headings.findIndex((entry) => at >= entry.at && at < entry.at + entry.text.length);
    return this.entry < 0 ? undefined : headings.length;
  }

  /** Prefers a heading that equals the keyword to one that contains it. */
  #takeSeparated(headings: readonly string[], keyword: string): number | undefined {
    const indices = (fits: (heading: string) => boolean): number[] =>
      headings.flatMap((heading, index) => (fits(heading) ? [index] : []));
    const exact = indices((heading) => heading === keyword);
    const matches = exact.length > 0 ? exact : indices((heading) => heading.includes(keyword));
    this.entry = matches[this.location.repetition - 1] ?? -1;
    return this.entry < 0 ? undefined : headings.length;
  }

  /** Reads a value that is not a plain number. `from` is the offset of the entry, if it is known. */
  read(line: Line, from: number): PresentValue | UnfitNumber | undefined {
    return this.entry >= 0
      ? this.reader.read(line.rest(from))
      : readEntry(line.rest(line.start), this.location, this.reader);
  }
}

function headingsOf(row: string, separator: string): string[] {
  return row.split(separator).map((heading) => heading.trim().replace(/^"(.*)"$/, "$1"));
}

/** True for a comment sign before the headings, as in `# size latency`: it is not a heading. */
function isRemarkSign(text: string): boolean {
  return /^(?:[#%*;!]+|\/\/)$/.test(text);
}
