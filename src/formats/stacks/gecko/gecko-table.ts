import { NumberList } from "../../bytes/index.ts";
import type { JsonStream } from "../../json/index.ts";
import type { ProfileDocument } from "../profiler-document.ts";

/** Represents a cell that is not a number; NaN represents a missing or null cell. */
const notANumber = Number.NEGATIVE_INFINITY;

/** Maximum number of cells in rows that precede the schema. */
const maxCells = 64;

/** Receives the cells of a row in the order of the requested columns. */
export type TakeRow = (cells: readonly number[]) => void;

/**
 * A table of a Firefox profile, by rows with a `schema` of column indices, or by columns. Stores only the numbers of
 * the requested columns, in four or eight bytes each.
 */
export class GeckoTable {
  readonly #document: ProfileDocument;
  readonly #names: readonly string[];
  readonly #take: TakeRow | null;
  /** Columns by name, of a table by columns. */
  readonly #columns = new Map<string, NumberList>();
  /** Columns by index, of a table by rows; all columns until the schema is read. */
  readonly #indexed = new Map<number, NumberList>();
  readonly #properties = new Map<string, unknown>();
  /** Indices of the requested columns; null until the schema is read. */
  #schema: readonly (number | undefined)[] | null = null;
  #longest = 0;
  /** −1 without a list of rows. */
  #rows = -1;
  #isTaken = false;

  private constructor(document: ProfileDocument, names: readonly string[], take: TakeRow | null) {
    this.#document = document;
    this.#names = names;
    this.#take = take;
  }

  /**
   * Reads the next table. If `take` is given, it receives the rows as soon as the schema is known, and they are not
   * stored.
   */
  static async read(
    json: JsonStream,
    document: ProfileDocument,
    names: readonly string[],
    take: TakeRow | null = null,
  ): Promise<GeckoTable> {
    const table = new GeckoTable(document, names, take);
    await json.members("a table", async (key) => {
      if (key === "schema" || !(await json.isList())) return table.#setProperty(key, await json.value());
      if (key === "data") await table.#readRows(json);
      else await table.#readColumn(json, key);
    });
    table.#finish();
    return table;
  }

  get length(): number {
    if (this.#schema !== null) return this.#rows;
    const length = this.#properties.get("length") ?? this.#longest;
    return Math.min(this.#document.index(length, 2 ** 31, "the length of a table"), this.#longest);
  }

  /** Another member of the table. */
  property(name: string): unknown {
    return this.#properties.get(name);
  }

  /** Whether it has the column. */
  has(column: string): boolean {
    return this.#listOf(column) !== undefined;
  }

  /** A cell; NaN if it is missing or null, −∞ if it is not a number. */
  at(row: number, column: string): number {
    const list = this.#listOf(column);
    return list !== undefined && row < list.length ? list.at(row) : Number.NaN;
  }

  #listOf(column: string): NumberList | undefined {
    if (this.#schema === null) return this.#columns.get(column);
    const index = this.#schema[this.#names.indexOf(column)];
    return index === undefined ? undefined : this.#indexed.get(index);
  }

  #setProperty(key: string, value: unknown): void {
    this.#properties.set(key, value);
    if (key !== "schema") return;
    const schema = this.#document.object(value, "a schema");
    this.#schema = this.#names.map((name) => columnIndex(schema[name]));
  }

  /** Columns that are not requested still determine the length of the table. */
  async #readColumn(json: JsonStream, key: string): Promise<void> {
    const list = this.#names.includes(key) ? new NumberList() : null;
    let length = 0;
    await json.elements(key, (values) => {
      length += values.length;
      if (list !== null) for (const value of values) list.push(cellOf(value));
    });
    this.#longest = Math.max(this.#longest, length);
    if (list !== null) this.#columns.set(key, list);
  }

  async #readRows(json: JsonStream): Promise<void> {
    this.#rows = 0;
    this.#isTaken = this.#schema !== null && this.#take !== null;
    await json.elements("the rows of a table", (rows) => {
      for (const row of rows) this.#takeRow(Array.isArray(row) ? (row as readonly unknown[]) : []);
    });
    this.#longest = Math.max(this.#longest, this.#rows);
  }

  #takeRow(row: readonly unknown[]): void {
    if (this.#schema !== null && this.#take !== null)
      this.#take(this.#schema.map((index) => cellOf(index === undefined ? undefined : row[index])));
    else if (this.#schema !== null)
      for (const index of this.#schema) {
        if (index !== undefined) this.#columnAt(index).push(cellOf(row[index]));
      }
    else if (row.length > maxCells) throw this.#document.bad(`a row of a table has more than ${maxCells} cells`);
    else for (const [index, value] of row.entries()) this.#paddedColumnAt(index).push(cellOf(value));
    this.#rows++;
  }

  #columnAt(index: number): NumberList {
    let list = this.#indexed.get(index);
    if (list === undefined) this.#indexed.set(index, (list = new NumberList()));
    return list;
  }

  /** Pads the column with NaN, because rows may have different lengths. */
  #paddedColumnAt(index: number): NumberList {
    const list = this.#columnAt(index);
    while (list.length < this.#rows) list.push(Number.NaN);
    return list;
  }

  #finish(): void {
    if (this.#schema !== null && this.#rows < 0) throw this.#document.bad("a table has no list of rows");
    if (this.#take === null || this.#isTaken) return;
    for (let row = 0; row < this.length; row++) this.#take(this.#names.map((name) => this.at(row, name)));
  }
}

function columnIndex(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
}

function cellOf(value: unknown): number {
  if (typeof value === "number") return value;
  return value === null || value === undefined ? Number.NaN : notANumber;
}
