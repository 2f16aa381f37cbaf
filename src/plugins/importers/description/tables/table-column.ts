import type { TableValue } from "../../../../formats/descriptions/index.ts";
import type { Variable } from "../../../../core/variables/index.ts";
import type { ReadValue } from "../value-reader.ts";
import { plainNumbers, type PlainNumbers } from "../values/plain-numbers.ts";

/** A cell of the row being read; its texts are decoded on demand. */
export interface Cell {
  /** 1-based number of the line. */
  readonly number: number;
  /** The entry, with doubled quotes of a quoted one decoded. */
  readonly text: string;
  /** The entry; "" if the column has none. */
  readonly entry: string;
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
  /** 0-based entry of the row; -1: has to be searched in every row; -2: the table lacks the column. */
  entry: number;

  constructor(location: TableValue, variable: Variable, target: number, reader: CellReader) {
    this.location = location;
    this.variable = variable;
    this.target = target;
    this.reader = reader;
    this.#described = reader;
    const { position, typed } = location;
    this.entry = position.kind === "number" && !typed ? position.number - 1 : -1;
    this.fast = this.#plain;
  }

  /** Entries that stand for missing values may be numbers. */
  get #plain(): PlainNumbers | undefined {
    return this.reader.isPlainNumber && !this.location.missing ? plainNumbers(this.variable) : undefined;
  }

  /** Selects an entry. The heading above it may have the unit of the column. */
  select(entry: number, heading = ""): void {
    this.entry = entry;
    this.reader = this.#described.below?.(heading) ?? this.#described;
    this.fast = this.#plain;
  }
}
