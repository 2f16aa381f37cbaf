import { Failure } from "../../core/failures/index.ts";
import { mostVariables } from "../../core/measurements/index.ts";
import type { SourceRow } from "../text/index.ts";
import { decompressPage } from "./page-compression.ts";
import { parquetColumns, type ParquetCell, type ParquetColumn } from "./parquet-columns.ts";
import {
  decodeDeltaIntegers,
  decodeDeltaBytes,
  decodeDeltaLengthBytes,
  damaged,
  decodeHybrid,
  maxPageBytes,
  ParquetError,
  slice,
  decodePlain,
  decodeByteStreamSplit,
  viewOf,
  type StoredValue,
} from "./parquet-encodings.ts";
import {
  bytesIn,
  structIn,
  structsIn,
  ThriftError,
  ThriftReader,
  integerIn,
  type ThriftStruct,
} from "./thrift-struct.ts";

const magic = "PAR1";
const maxPageValues = 1 << 24;

/** Maximum rows per byte of a file: a small file can declare any number of equal rows. */
const maxRowsPerByte = 1000;

/**
 * The table in a Parquet file (format versions 1 and 2 of parquet.thrift). The decoder is our own because it must not
 * trust the counts in hostile files.
 */
export interface ParquetTable {
  readonly columns: readonly ParquetColumn[];
  /** Key-value metadata of the writer. */
  readonly metadata: ReadonlyMap<string, string>;
  /** Holds one page of each column at a time. `line` counts rows. Fails with `damaged-report`. */
  rows(): Iterable<SourceRow>;
}

/** Whether a file starts with the magic bytes of Parquet. */
export function hasParquetMagic(head: Uint8Array): boolean {
  return new TextDecoder("latin1").decode(head.subarray(0, 4)) === magic;
}

/** Reads the footer of a file with flat columns. Fails with `damaged-report`. */
export function parquetTable(bytes: Uint8Array, file: string): ParquetTable {
  return reportDamage(file, () => {
    const footer = footerOf(bytes);
    const columns = parquetColumns(footer);
    if (columns.length > mostVariables)
      throw damaged(`it has ${columns.length} columns, at most ${mostVariables} are allowed`);
    const groups = structsIn(footer, 4).map((group) => ({
      rows: integerIn(group, 3) ?? -1,
      chunks: structsIn(group, 1),
    }));
    const rows = groups.reduce((sum, group) => sum + group.rows, 0);
    if (groups.some((group) => group.rows < 0 || group.chunks.length !== columns.length))
      throw damaged("a row group lacks columns");
    if (rows > Math.max(maxPageValues, bytes.length * maxRowsPerByte))
      throw damaged(`it declares ${rows} rows, too many for its size`);
    return { columns, metadata: metadataOf(footer), rows: () => rowsOf(bytes, file, columns, groups) };
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
      yield { line, cells: reportDamage(file, () => cursors.map((cursor) => cursor.next())) };
    }
  }
}

/** Iterates over the cells of one column in a row group. */
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
      if (page.done === true) throw damaged(`the column ${this.#column.name} has fewer values than rows`);
      [this.#cells, this.#at] = [page.value, 0];
    }
    return this.#cells[this.#at++]!;
  }
}

/** Converts errors of damaged bytes into `damaged-report`, which names the file. */
function reportDamage<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    // A DataView throws RangeError for offsets outside its bounds.
    if (error instanceof ParquetError || error instanceof ThriftError || error instanceof RangeError) {
      const problem = error instanceof RangeError ? "an offset is outside the file" : error.message;
      throw new Failure(
        "damaged-report",
        { file, problem: error instanceof ParquetError ? problem : `the Parquet file is damaged: ${problem}` },
        error,
      );
    }
    throw error;
  }
}

function footerOf(bytes: Uint8Array): ThriftStruct {
  const end = bytes.length - 8;
  if (end < 4 || !hasParquetMagic(bytes.subarray(bytes.length - 4)))
    throw damaged("the footer of the Parquet file is missing");
  const length = viewOf(bytes).getUint32(end, true);
  if (length > end - 4) throw damaged("the footer is longer than the Parquet file");
  const footer = new ThriftReader(bytes, end - length, end).struct();
  if (footer.has(8)) throw damaged("the Parquet file is encrypted");
  return footer;
}

function metadataOf(footer: ThriftStruct): Map<string, string> {
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
  const metadata = structIn(chunk, 3);
  if (metadata === undefined || chunk.has(1))
    throw damaged(`the values of the column ${column.name} are not in this file`);
  const codec = integerIn(metadata, 4) ?? -1;
  const [data, dictionaryAt] = [integerIn(metadata, 9) ?? -1, integerIn(metadata, 11)];
  const from = dictionaryAt !== undefined && dictionaryAt >= 4 && dictionaryAt < data ? dictionaryAt : data;
  const all = slice(bytes, from, Math.max(0, integerIn(metadata, 7) ?? -1));
  let dictionary: readonly ParquetCell[] = [];
  let left = rows;
  for (const reader = new ThriftReader(all, 0, all.length); left > 0 && reader.at < all.length;) {
    const header = reader.struct();
    const packed = slice(all, reader.at, integerIn(header, 3) ?? -1);
    reader.at += packed.length;
    const length = integerIn(header, 2) ?? -1;
    if (!(length >= 0 && length <= maxPageBytes))
      throw damaged(`a page of ${length} bytes, at most ${maxPageBytes} are allowed`);
    const page: Page = { column, codec, header, packed, length };
    const kind = integerIn(header, 1);
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
  /** Decompressed length in bytes. */
  readonly length: number;
}

function dictionaryOf({ column, codec, header, packed, length }: Page): ParquetCell[] {
  const count = countIn(structIn(header, 7), maxPageValues);
  const values = decodePlain(decompressPage(packed, codec, length), column.stored, count, column.size);
  return values.map((value) => column.cell(value));
}

function countIn(head: ThriftStruct | undefined, most: number): number {
  const count = integerIn(head, 1) ?? -1;
  if (!(count >= 0 && count <= Math.min(most, maxPageValues))) throw damaged(`a page of ${count} values`);
  return count;
}

/**
 * The cells of a data page; missing ones are null. Definition levels precede the values; version 2 pages do not
 * compress them.
 */
function cellsOf(page: Page, dictionary: readonly ParquetCell[], most: number, isSecond: boolean): ParquetCell[] {
  const { column, header } = page;
  const head = structIn(header, isSecond ? 8 : 5);
  const count = countIn(head, most);
  const { levels, values } = isSecond ? splitPageV2(page, head) : splitPageV1(page, head);
  const present = column.isOptional ? decodeHybrid(levels, 1, count) : undefined;
  const presentCount = present === undefined ? count : present.reduce((sum, level) => sum + level, 0);
  const encoding = integerIn(head, isSecond ? 4 : 2) ?? -1;
  const cells = presentCount === 0 ? [] : decodeCells(values, encoding, presentCount, column, dictionary);
  if (present === undefined) return cells;
  let at = 0;
  return Array.from(present, (level) => (level === 1 ? cells[at++]! : null));
}

interface PageParts {
  readonly levels: Uint8Array;
  readonly values: Uint8Array;
}

function splitPageV1({ column, codec, packed, length }: Page, head: ThriftStruct | undefined): PageParts {
  const plain = decompressPage(packed, codec, length);
  if (!column.isOptional) return { levels: plain.subarray(0, 0), values: plain };
  if (integerIn(head, 3) !== 3)
    throw damaged(`the column ${column.name} has definition levels in the unsupported encoding BIT_PACKED`);
  const levels = slice(plain, 4, viewOf(plain).getUint32(0, true));
  return { levels, values: plain.subarray(4 + levels.length) };
}

function splitPageV2({ codec, packed, length }: Page, head: ThriftStruct | undefined): PageParts {
  const [levelBytes, repeated] = [integerIn(head, 5) ?? 0, integerIn(head, 6) ?? 0];
  const levels = slice(packed, repeated, levelBytes);
  const rest = packed.subarray(repeated + levelBytes);
  const isPacked = head?.get(7) !== false;
  const plain = Math.max(0, length - repeated - levelBytes);
  return { levels, values: isPacked && plain > 0 ? decompressPage(rest, codec, plain) : rest };
}

function decodeCells(
  bytes: Uint8Array,
  encoding: number,
  count: number,
  column: ParquetColumn,
  dictionary: readonly ParquetCell[],
): ParquetCell[] {
  if (encoding === 2 || encoding === 8)
    return Array.from(decodeHybrid(bytes.subarray(1), bytes[0] ?? 0, count), (at) => {
      if (at >= dictionary.length) throw damaged(`the column ${column.name} has indices outside of its dictionary`);
      return dictionary[at]!;
    });
  return decodeValues(bytes, encoding, count, column).map((value) => column.cell(value));
}

function decodeValues(
  bytes: Uint8Array,
  encoding: number,
  count: number,
  { name, stored, size }: ParquetColumn,
): StoredValue[] {
  const isText = stored === "bytes" || stored === "fixed";
  if (encoding === 0) return decodePlain(bytes, stored, count, size);
  if (encoding === 9) return decodeByteStreamSplit(bytes, stored, count, size);
  if (encoding === 3 && stored === "boolean")
    return Array.from(decodeHybrid(bytes.subarray(4), 1, count), (bit) => bit === 1);
  if (encoding === 5 && (stored === "int32" || stored === "int64"))
    return [...decodeDeltaIntegers(bytes, count).values];
  if (encoding === 6 && stored === "bytes") return decodeDeltaLengthBytes(bytes, count);
  if (encoding === 7 && isText) return decodeDeltaBytes(bytes, count);
  throw damaged(`the column ${name} has the unsupported encoding ${encoding}`);
}
