import type { TableValue } from "../../../../formats/descriptions/index.ts";
import type { Variable } from "../../../../core/variables/index.ts";
import type { ReadValue } from "../value-reader.ts";
import { entriesOf, occurrence } from "../finders/explicit-finder.ts";
import type { Line } from "../line.ts";
import { plainNumbers, type PlainNumbers } from "../values/plain-numbers.ts";

/** A cell of the row being read; its texts are decoded on demand. */
export interface Cell {
  /** 1-based number of the line. */
  readonly number: number;
  /** The entry, with doubled quotes of a quoted one decoded. */
  readonly text: string;
  /** The text from the entry to the end of the line. */
  readonly rest: string;
  /** The complete line. */
  readonly row: string;
  /** True for an empty entry between separators. */
  readonly isEmpty: boolean;
}

/** How the cells of a column are read. */
export interface CellReader {
  /** For messages: `float`, `integer of 2 bytes`. */
  readonly typeName: string;
  /** True when a plain number in the bytes is the value, unconverted. */
  readonly isPlainNumber: boolean;
  /** null: a missing value. undefined: no value of the variable's type. */
  read(cell: Cell, column: TableColumn): ReadValue | null;
  /** The reader of the cells below a heading, which may have their unit. */
  below?(heading: string): CellReader;
}

/** A column of a table: the position of its value in each row and the reader for it. */
export class TableColumn {
  readonly location: TableValue;
  readonly variable: Variable;
  reader: CellReader;
  /** Index of the column in the batch; -1: once per run. */
  readonly target: number;
  /** Reads plain numbers from bytes; NaN: the text has to be read. */
  fast: PlainNumbers | undefined;
  /** The reader by the description, without the unit of a heading. */
  readonly #described: CellReader;
  /** 0-based entry of the row; -1: has to be searched in every row. */
  entry: number;

  constructor(location: TableValue, variable: Variable, target: number, reader: CellReader) {
    this.location = location;
    this.variable = variable;
    this.target = target;
    this.reader = reader;
    this.#described = reader;
    this.entry = this.#fixedEntry;
    this.fast = reader.isPlainNumber ? plainNumbers(variable) : undefined;
  }

  get #fixedEntry(): number {
    const { position, typed } = this.location;
    return position.kind === "number" && !typed ? position.number - 1 : -1;
  }

  /**
   * Resolves the column's keyword in the headings above the table. Returns the number of headings, or undefined
   * without a match.
   */
  takeHeading(line: Line, blanks?: string, separator?: string): number | undefined {
    const { position, repetition } = this.location;
    this.entry = this.#fixedEntry;
    if (position.kind !== "keyword") return undefined;
    const row = line.rest(line.start);
    if (separator !== undefined) return this.#takeSeparated(headingsOf(row, separator), position.text);
    const at = occurrence(row, position.text, repetition);
    if (at < 0) return undefined;
    const headings = [...entriesOf(row, blanks)].filter((entry, index) => index > 0 || !isRemarkSign(entry.text));
    this.entry = headings.findIndex((entry) => at >= entry.at && at < entry.at + entry.text.length);
    this.#takeUnit(headings[this.entry]?.text);
    return this.entry < 0 ? undefined : headings.length;
  }

  /** The heading may have the unit of the column. */
  #takeUnit(heading = ""): void {
    this.reader = this.#described.below?.(heading) ?? this.#described;
    this.fast = this.reader.isPlainNumber ? plainNumbers(this.variable) : undefined;
  }

  /** Prefers a heading that equals the keyword to one that contains it. */
  #takeSeparated(headings: readonly string[], keyword: string): number | undefined {
    const indices = (fits: (heading: string) => boolean): number[] =>
      headings.flatMap((heading, index) => (fits(heading) ? [index] : []));
    const exact = indices((heading) => heading === keyword);
    const matches = exact.length > 0 ? exact : indices((heading) => heading.includes(keyword));
    this.entry = matches[this.location.repetition - 1] ?? -1;
    this.#takeUnit(headings[this.entry]);
    return this.entry < 0 ? undefined : headings.length;
  }
}

function headingsOf(row: string, separator: string): string[] {
  return row.split(separator).map((heading) => heading.trim().replace(/^"(.*)"$/, "$1"));
}

/** True for a comment sign before the headings, as in `# size latency`: it is not a heading. */
function isRemarkSign(text: string): boolean {
  return /^(?:[#%*;!]+|\/\/)$/.test(text);
}
