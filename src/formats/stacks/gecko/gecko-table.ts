import { NumberList } from "../../bytes/number-list.ts";
import type { JsonStream } from "../../json/json-stream.ts";
import type { ProfileDocument } from "../profiler-document.ts";

/** What stands for a cell that is there and no number; NaN stands for one that is not there, or null. */
const strange = Number.NEGATIVE_INFINITY;

/** Rows of a schema that is not known yet may have so many cells. */
const mostCells = 64;

/** Takes the cells of rows in the order of the columns that were asked for. */
export type TakeRow = (cells: readonly number[]) => void;

/**
 * A table of a Firefox profile: of rows, whose `schema` tells the places of columns, or of columns. Of the columns that
 * are asked for the numbers are kept, four or eight bytes each; of others nothing is.
 */
export class GeckoTable {
  readonly #document: ProfileDocument;
  readonly #names: readonly string[];
  readonly #take: TakeRow | null;
  /** By name, of a table of columns. */
  readonly #columns = new Map<string, NumberList>();
  /** By place in a row; without a schema all of them are kept. */
  readonly #places = new Map<number, NumberList>();
  readonly #told = new Map<string, unknown>();
  /** Of the columns that were asked for; null: the schema has not come. */
  #schema: readonly (number | undefined)[] | null = null;
  #longest = 0;
  /** −1: there is no list of rows. */
  #rows = -1;
  #isTaken = false;

  private constructor(document: ProfileDocument, names: readonly string[], take: TakeRow | null) {
    this.#document = document;
    this.#names = names;
    this.#take = take;
  }

  /**
   * Reads the table that comes next. `take` gets its rows instead of the table, as soon as all their cells are known.
   */
  static async read(
    json: JsonStream,
    document: ProfileDocument,
    names: readonly string[],
    take: TakeRow | null = null,
  ): Promise<GeckoTable> {
    const table = new GeckoTable(document, names, take);
    await json.members("a table", async (key) => {
      if (key === "schema" || !(await json.isList())) return table.#tell(key, await json.value());
      if (key === "data") await table.#readRows(json);
      else await table.#readColumn(json, key);
    });
    table.#finish();
    return table;
  }

  get length(): number {
    if (this.#schema !== null) return this.#rows;
    const told = this.#told.get("length") ?? this.#longest;
    return Math.min(this.#document.place(told, 2 ** 31, "the length of a table"), this.#longest);
  }

  /** What the table says besides its cells. */
  told(name: string): unknown {
    return this.#told.get(name);
  }

  /** Whether it has cells of that name. */
  has(column: string): boolean {
    return this.#listOf(column) !== undefined;
  }

  /** NaN: there is none; −∞: it is no number. */
  at(row: number, column: string): number {
    const list = this.#listOf(column);
    return list !== undefined && row < list.length ? list.at(row) : Number.NaN;
  }

  #listOf(column: string): NumberList | undefined {
    if (this.#schema === null) return this.#columns.get(column);
    const place = this.#schema[this.#names.indexOf(column)];
    return place === undefined ? undefined : this.#places.get(place);
  }

  #tell(key: string, value: unknown): void {
    this.#told.set(key, value);
    if (key !== "schema") return;
    const schema = this.#document.object(value, "a schema");
    this.#schema = this.#names.map((name) => placeOf(schema[name]));
  }

  /** Lists of columns that nobody asked for tell how long the table is. */
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
      this.#take(this.#schema.map((place) => cellOf(place === undefined ? undefined : row[place])));
    else if (this.#schema !== null)
      for (const place of this.#schema) {
        if (place !== undefined) this.#placed(place).push(cellOf(row[place]));
      }
    else if (row.length > mostCells) throw this.#document.bad(`a row of a table has more than ${mostCells} cells`);
    else for (const [place, value] of row.entries()) this.#padded(place).push(cellOf(value));
    this.#rows++;
  }

  #placed(place: number): NumberList {
    let list = this.#places.get(place);
    if (list === undefined) this.#places.set(place, (list = new NumberList()));
    return list;
  }

  /** Rows may be of different lengths. */
  #padded(place: number): NumberList {
    const list = this.#placed(place);
    while (list.length < this.#rows) list.push(Number.NaN);
    return list;
  }

  #finish(): void {
    if (this.#schema !== null && this.#rows < 0) throw this.#document.bad("the rows of a table is no list");
    if (this.#take === null || this.#isTaken) return;
    for (let row = 0; row < this.length; row++) this.#take(this.#names.map((name) => this.at(row, name)));
  }
}

function placeOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
}

function cellOf(value: unknown): number {
  if (typeof value === "number") return value;
  return value === null || value === undefined ? Number.NaN : strange;
}
