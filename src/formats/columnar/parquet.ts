import { Failure } from "../../core/failures/failure.ts";
import { mostVariables } from "../../core/measurements/benchmark-report.ts";
import type { SourceRow } from "../text/csv-rows.ts";
import { unpackedPage } from "./page-packing.ts";
import { parquetColumns, type ParquetCell, type ParquetColumn } from "./parquet-columns.ts";
import { deltaNumbers, deltaPrefixed, deltaTexts } from "./parquet-deltas.ts";
import {
  damaged,
  hybridValues,
  mostPageBytes,
  ParquetDamage,
  part,
  plainValues,
  splitValues,
  viewOf,
  type StoredValue,
} from "./parquet-encodings.ts";
import {
  bytesIn,
  structIn,
  structsIn,
  ThriftDamage,
  ThriftReader,
  wholeIn,
  type ThriftStruct,
} from "./thrift-struct.ts";

const magic = "PAR1";
const mostPageValues = 1 << 24;

/** Rows that are read for each byte of a file; a file of few bytes may tell any number of equal ones. */
const mostRowsPerByte = 1000;

/**
 * The table in a Parquet file (format version 1 and 2 of parquet.thrift). Read here and not by a package, since counts
 * in hostile files are not to be believed.
 */
export interface ParquetTable {
  readonly columns: readonly ParquetColumn[];
  /** Texts that its writer added, by their keys. */
  readonly notes: ReadonlyMap<string, string>;
  /** A page of each column is held at a time. Fails with `damaged-report`. `line` counts rows. */
  rows(): Iterable<SourceRow>;
}

/** Whether bytes may begin a Parquet file. */
export function beginsParquet(head: Uint8Array): boolean {
  return new TextDecoder("latin1").decode(head.subarray(0, 4)) === magic;
}

/** Reads what the end of the file tells of it. Columns are flat. Fails with `damaged-report`. */
export function parquetTable(bytes: Uint8Array, file: string): ParquetTable {
  return guarded(file, () => {
    const footer = footerOf(bytes);
    const columns = parquetColumns(footer);
    if (columns.length > mostVariables)
      throw damaged(`it has ${columns.length} columns, at most ${mostVariables} are read`);
    const groups = structsIn(footer, 4).map((group) => ({
      rows: wholeIn(group, 3) ?? -1,
      chunks: structsIn(group, 1),
    }));
    const rows = groups.reduce((sum, group) => sum + group.rows, 0);
    if (groups.some((group) => group.rows < 0 || group.chunks.length !== columns.length))
      throw damaged("a group of rows lacks columns");
    if (rows > Math.max(mostPageValues, bytes.length * mostRowsPerByte))
      throw damaged(`it tells ${rows} rows, which so few bytes cannot hold`);
    return { columns, notes: notesOf(footer), rows: () => rowsOf(bytes, file, columns, groups) };
  });
}

interface RowGroup {
  readonly rows: number;
  readonly chunks: readonly ThriftStruct[];
}

function* rowsOf(
  bytes: Uint8Array,
  file: string,
  columns: readonly ParquetColumn[],
  groups: readonly RowGroup[],
): Generator<SourceRow> {
  let line = 0;
  for (const { rows, chunks } of groups) {
    const cursors = columns.map((column, at) => new Cursor(pagesOf(bytes, column, chunks[at]!, rows), column));
    for (let row = 0; row < rows; row++) {
      line += 1;
      yield { line, cells: guarded(file, () => cursors.map((cursor) => cursor.next())) };
    }
  }
}

/** The cells of one column in a group of rows, one after the other. */
class Cursor {
  readonly #pages: Iterator<readonly ParquetCell[]>;
  readonly #column: ParquetColumn;
  #cells: readonly ParquetCell[] = [];
  #at = 0;

  constructor(pages: Iterator<readonly ParquetCell[]>, column: ParquetColumn) {
    this.#pages = pages;
    this.#column = column;
  }

  next(): ParquetCell {
    while (this.#at >= this.#cells.length) {
      const page = this.#pages.next();
      if (page.done === true) throw damaged(`the column ${this.#column.name} has fewer values than there are rows`);
      [this.#cells, this.#at] = [page.value, 0];
    }
    return this.#cells[this.#at++]!;
  }
}

/** Whatever is wrong with hostile bytes is told with the file. */
function guarded<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    // Views refuse what lies outside of them by a RangeError.
    if (error instanceof ParquetDamage || error instanceof ThriftDamage || error instanceof RangeError) {
      const problem = error instanceof RangeError ? "it tells of bytes that it has not" : error.message;
      throw new Failure(
        "damaged-report",
        { file, problem: error instanceof ParquetDamage ? problem : `the Parquet file is damaged: ${problem}` },
        error,
      );
    }
    throw error;
  }
}

function footerOf(bytes: Uint8Array): ThriftStruct {
  const end = bytes.length - 8;
  if (end < 4 || !beginsParquet(bytes.subarray(bytes.length - 4)))
    throw damaged("the end of the Parquet file is missing");
  const length = viewOf(bytes).getUint32(end, true);
  if (length > end - 4) throw damaged("the Parquet file tells more of itself than it has bytes");
  const footer = new ThriftReader(bytes, end - length, end).struct();
  if (footer.has(8)) throw damaged("the Parquet file is encrypted");
  return footer;
}

function notesOf(footer: ThriftStruct): Map<string, string> {
  const text = (pair: ThriftStruct, field: number): string =>
    new TextDecoder().decode(bytesIn(pair, field) ?? new Uint8Array(0));
  return new Map(structsIn(footer, 5).map((pair) => [text(pair, 1), text(pair, 2)]));
}

/** The cells of each page of a column. */
function* pagesOf(
  bytes: Uint8Array,
  column: ParquetColumn,
  chunk: ThriftStruct,
  rows: number,
): Generator<readonly ParquetCell[]> {
  const told = structIn(chunk, 3);
  if (told === undefined || chunk.has(1)) throw damaged(`the values of the column ${column.name} are not in this file`);
  const codec = wholeIn(told, 4) ?? -1;
  const [data, dictionaryAt] = [wholeIn(told, 9) ?? -1, wholeIn(told, 11)];
  const from = dictionaryAt !== undefined && dictionaryAt >= 4 && dictionaryAt < data ? dictionaryAt : data;
  const all = part(bytes, from, Math.max(0, wholeIn(told, 7) ?? -1));
  let dictionary: readonly ParquetCell[] = [];
  let left = rows;
  for (const reader = new ThriftReader(all, 0, all.length); left > 0 && reader.at < all.length;) {
    const header = reader.struct();
    const packed = part(all, reader.at, wholeIn(header, 3) ?? -1);
    reader.at += packed.length;
    const length = wholeIn(header, 2) ?? -1;
    if (!(length >= 0 && length <= mostPageBytes))
      throw damaged(`a page of ${length} bytes, at most ${mostPageBytes} are read`);
    const page: Page = { column, codec, header, packed, length };
    const kind = wholeIn(header, 1);
    if (kind === 2) dictionary = dictionaryOf(page);
    else if (kind === 0 || kind === 3) {
      const cells = cellsOf(page, dictionary, left, kind === 3);
      left -= cells.length;
      yield cells;
    }
  }
}

interface Page {
  readonly column: ParquetColumn;
  readonly codec: number;
  readonly header: ThriftStruct;
  readonly packed: Uint8Array;
  /** Of what is unpacked. */
  readonly length: number;
}

function dictionaryOf({ column, codec, header, packed, length }: Page): ParquetCell[] {
  const count = countIn(structIn(header, 7), mostPageValues);
  const values = plainValues(unpackedPage(packed, codec, length), column.stored, count, column.size);
  return values.map((value) => column.cell(value));
}

function countIn(head: ThriftStruct | undefined, most: number): number {
  const count = wholeIn(head, 1) ?? -1;
  if (!(count >= 0 && count <= Math.min(most, mostPageValues))) throw damaged(`a page of ${count} values`);
  return count;
}

/**
 * Cells of a page of data, with those that are missing. Levels lie before the values; in pages of version 2 they are
 * not packed.
 */
function cellsOf(page: Page, dictionary: readonly ParquetCell[], most: number, isSecond: boolean): ParquetCell[] {
  const { column, header } = page;
  const head = structIn(header, isSecond ? 8 : 5);
  const count = countIn(head, most);
  const { levels, values } = isSecond ? secondParts(page, head) : firstParts(page, head);
  const present = column.isOptional ? hybridValues(levels, 1, count) : undefined;
  const there = present === undefined ? count : present.reduce((sum, level) => sum + level, 0);
  const encoding = wholeIn(head, isSecond ? 4 : 2) ?? -1;
  const cells = there === 0 ? [] : valuesOf(values, encoding, there, column, dictionary);
  if (present === undefined) return cells;
  let at = 0;
  return Array.from(present, (level) => (level === 1 ? cells[at++]! : null));
}

interface PageParts {
  readonly levels: Uint8Array;
  readonly values: Uint8Array;
}

function firstParts({ column, codec, packed, length }: Page, head: ThriftStruct | undefined): PageParts {
  const plain = unpackedPage(packed, codec, length);
  if (!column.isOptional) return { levels: plain.subarray(0, 0), values: plain };
  if (wholeIn(head, 3) !== 3)
    throw damaged(`the column ${column.name} tells in a way of old what is missing, which is not read`);
  const levels = part(plain, 4, viewOf(plain).getUint32(0, true));
  return { levels, values: plain.subarray(4 + levels.length) };
}

function secondParts({ codec, packed, length }: Page, head: ThriftStruct | undefined): PageParts {
  const [levelBytes, repeated] = [wholeIn(head, 5) ?? 0, wholeIn(head, 6) ?? 0];
  const levels = part(packed, repeated, levelBytes);
  const rest = packed.subarray(repeated + levelBytes);
  const isPacked = head?.get(7) !== false;
  const plain = Math.max(0, length - repeated - levelBytes);
  return { levels, values: isPacked && plain > 0 ? unpackedPage(rest, codec, plain) : rest };
}

function valuesOf(
  bytes: Uint8Array,
  encoding: number,
  count: number,
  column: ParquetColumn,
  dictionary: readonly ParquetCell[],
): ParquetCell[] {
  if (encoding === 2 || encoding === 8)
    return Array.from(hybridValues(bytes.subarray(1), bytes[0] ?? 0, count), (at) => {
      if (at >= dictionary.length) throw damaged(`the column ${column.name} has values that are not in its dictionary`);
      return dictionary[at]!;
    });
  return storedValues(bytes, encoding, count, column).map((value) => column.cell(value));
}

function storedValues(
  bytes: Uint8Array,
  encoding: number,
  count: number,
  { name, stored, size }: ParquetColumn,
): StoredValue[] {
  const isText = stored === "bytes" || stored === "fixed";
  if (encoding === 0) return plainValues(bytes, stored, count, size);
  if (encoding === 9) return splitValues(bytes, stored, count, size);
  if (encoding === 3 && stored === "boolean")
    return Array.from(hybridValues(bytes.subarray(4), 1, count), (bit) => bit === 1);
  if (encoding === 5 && (stored === "int32" || stored === "int64")) return [...deltaNumbers(bytes, count).values];
  if (encoding === 6 && stored === "bytes") return deltaTexts(bytes, count);
  if (encoding === 7 && isText) return deltaPrefixed(bytes, count);
  throw damaged(`the column ${name} is encoded in a way (${encoding}) that is not read`);
}
