import type { Variable } from "../../../../core/variables/index.ts";
import { floatOf, integerOf } from "../../../../formats/bytes/index.ts";
import type { TableValue } from "../../../../formats/descriptions/index.ts";
import type { ReadValue } from "../value-reader.ts";
import { UnitDoubts } from "../values/unit-doubts.ts";

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
  /** Why the number that was read last may be another one. */
  readonly doubt?: string | undefined;
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
  readonly unitDoubts: UnitDoubts;
  /** The reader by the description, without the unit of a heading. */
  readonly #described: CellReader;
  /** 0-based entry of the row; -1: has to be searched in every row; -2: the table lacks the column. */
  entry: number;

  constructor(location: TableValue, variable: Variable, target: number, reader: CellReader) {
    this.location = location;
    this.variable = variable;
    this.target = target;
    this.unitDoubts = new UnitDoubts(variable, location);
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

/** Reads a plain number from bytes; NaN: the text has to be read. */
type PlainNumbers = (bytes: Uint8Array, start: number, end: number) => number;

/** Reads entries of tables without decoding them. An entry that a word follows is not plain if it may have a unit. */
function plainNumbers({ type, size = 8, unit }: Variable): PlainNumbers {
  const read = type === "float" ? floatOf : size === 8 ? integerOf : smallIntegers(size);
  if (unit === undefined) return read;
  return (bytes, start, end) => (isWordAfter(bytes, end) ? Number.NaN : read(bytes, start, end));
}

function smallIntegers(size: 2 | 4): PlainNumbers {
  const most = size === 4 ? 2_147_483_647 : 32_767;
  return (bytes, start, end) => {
    const value = integerOf(bytes, start, end);
    return value <= most && value >= -most - 1 ? value : Number.NaN;
  };
}

/** True when the next entry begins like a unit or a tolerance: `ms`, `%`, `$`, `(`, `[`, a micro sign, `1/`, `+-`. */
function isWordAfter(bytes: Uint8Array, end: number): boolean {
  let at = end;
  while (bytes[at] === 32 || bytes[at] === 9) at += 1;
  const byte = bytes[at] ?? 10;
  if (byte === 43) return bytes[at + 1] === 45 || bytes[at + 1] === 47;
  if (byte < 48) return byte === 36 || byte === 37 || byte === 40;
  if (byte < 64) return byte === 49 && bytes[at + 1] === 47;
  return byte < 128 ? byte <= 91 || (byte >= 97 && byte <= 122) : true;
}
