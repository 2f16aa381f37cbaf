import { Failure } from "../../core/failures/index.ts";
import type { Column, Table } from "../../core/tables/index.ts";
import type { DataType } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Bindings, LogicalType, Result, Vector } from "./duckdb-bindings.ts";

/** Reads a complete result. Fails with `column-not-readable`. */
export async function readTable(duckdb: Bindings, result: Result): Promise<Table> {
  const length = duckdb.row_count(result);
  const names = Array.from({ length: duckdb.column_count(result) }, (_, index) => duckdb.column_name(result, index));
  const readers = names.map((name, index) =>
    readerFor(duckdb, name, duckdb.column_logical_type(result, index), length),
  );
  for (let row = 0; row < length;) row += await readChunk(duckdb, result, readers, row);
  const variables = names.map((name, index): Variable => ({
    name,
    role: "result",
    occurrence: "multiple",
    type: (readers[index] as Reader).type,
  }));
  return { variables, columns: readers.map((reader) => reader.column()), length };
}

async function readChunk(duckdb: Bindings, result: Result, readers: readonly Reader[], from: number): Promise<number> {
  const chunk = await duckdb.fetch_chunk(result);
  const rows = chunk === null ? 0 : duckdb.data_chunk_get_size(chunk);
  if (chunk === null || rows === 0) throw new Failure("database-refused", { reason: "the result ended early" });
  readers.forEach((reader, index) => reader.take(duckdb.data_chunk_get_vector(chunk, index), from, rows));
  return rows;
}

/**
 * Builds a Column from the vectors of one result column: call `take` with the vectors in row order, then `column` once.
 */
interface Reader {
  readonly type: DataType;
  take(vector: Vector, from: number, rows: number): void;
  column(): Column;
}

/** `rows`: total rows of the result. Fails with `column-not-readable`. */
function readerFor(duckdb: Bindings, name: string, logical: LogicalType, rows: number): Reader {
  const { Type } = duckdb;
  const id = duckdb.get_type_id(logical);
  const plain = integerLayout(duckdb, id) ?? otherLayout(duckdb, id);
  if (plain !== undefined) return new NumberReader(duckdb, rows, plain.width, plain.take).as(plain.type);
  switch (id) {
    case Type.DECIMAL:
      return decimalReader(duckdb, logical, (width, take) => new NumberReader(duckdb, rows, width, take)).as("float");
    case Type.VARCHAR:
      return new TextReader(duckdb, rows, "string", (bytes) => decoder.decode(bytes));
    case Type.BLOB:
      return new TextReader(duckdb, rows, "binary", (bytes) => Buffer.from(bytes).toString("base64"));
    default:
      throw new Failure("column-not-readable", { column: name });
  }
}

/** Memory layout of one number of a vector. */
interface Layout {
  readonly type: DataType;
  readonly width: number;
  readonly take: Take;
}

function integer(width: number, take: Take): Layout {
  return { type: "integer", width, take };
}

function integerLayout({ Type }: Bindings, id: number): Layout | undefined {
  switch (id) {
    case Type.TINYINT:
      return integer(1, (view, at) => view.getInt8(at));
    case Type.SMALLINT:
      return integer(2, (view, at) => view.getInt16(at, true));
    case Type.INTEGER:
    case Type.SQLNULL:
      return integer(4, (view, at) => view.getInt32(at, true));
    case Type.BIGINT:
      return integer(8, int64);
    case Type.UTINYINT:
      return integer(1, (view, at) => view.getUint8(at));
    case Type.USMALLINT:
      return integer(2, (view, at) => view.getUint16(at, true));
    case Type.UINTEGER:
      return integer(4, (view, at) => view.getUint32(at, true));
    case Type.UBIGINT:
      return integer(8, (view, at) => narrow(view.getBigUint64(at, true)));
    case Type.HUGEINT:
      return integer(16, int128);
    default:
      return undefined;
  }
}

function otherLayout({ Type, sizeof_bool }: Bindings, id: number): Layout | undefined {
  switch (id) {
    case Type.BOOLEAN:
      return { type: "boolean", width: sizeof_bool, take: (view, at) => view.getUint8(at) };
    case Type.FLOAT:
      return { type: "float", width: 4, take: (view, at) => view.getFloat32(at, true) };
    case Type.DOUBLE:
      return { type: "float", width: 8, take: (view, at) => view.getFloat64(at, true) };
    case Type.DATE:
      return { type: "date", width: 4, take: (view, at) => view.getInt32(at, true) };
    case Type.TIMESTAMP:
    case Type.TIMESTAMP_TZ:
      return { type: "timestamp", width: 8, take: int64 };
    default:
      return undefined;
  }
}

/** The value at a byte offset; a bigint when a double would lose digits. */
type Take = (view: DataView, at: number) => number | bigint;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function narrow(value: bigint): number | bigint {
  return value >= -9007199254740992n && value < 9007199254740992n ? Number(value) : value;
}

function int64(view: DataView, at: number): number | bigint {
  const high = view.getInt32(at + 4, true);
  if (high >= -0x200000 && high < 0x200000) return high * 0x100000000 + view.getUint32(at, true);
  return view.getBigInt64(at, true);
}

function int128(view: DataView, at: number): number | bigint {
  return narrow((view.getBigInt64(at + 8, true) << 64n) + view.getBigUint64(at, true));
}

function decimalReader(
  duckdb: Bindings,
  logical: LogicalType,
  read: (width: number, take: Take) => NumberReader,
): NumberReader {
  const divisor = 10 ** duckdb.decimal_scale(logical);
  const { Type } = duckdb;
  switch (duckdb.decimal_internal_type(logical)) {
    case Type.SMALLINT:
      return read(2, (view, at) => view.getInt16(at, true) / divisor);
    case Type.INTEGER:
      return read(4, (view, at) => view.getInt32(at, true) / divisor);
    case Type.BIGINT:
      return read(8, (view, at) => Number(view.getBigInt64(at, true)) / divisor);
    default:
      return read(16, (view, at) => Number(int128(view, at)) / divisor);
  }
}

/** One bit per row, 1 for a value; null when no row is missing. */
function validity(duckdb: Bindings, vector: Vector, rows: number): Uint8Array | null {
  return duckdb.vector_get_validity(vector, Math.ceil(rows / 64) * 8) ?? null;
}

function isMissing(valid: Uint8Array | null, row: number): boolean {
  return valid !== null && ((valid[row >> 3] as number) & (1 << (row & 7))) === 0;
}

class NumberReader {
  readonly #duckdb: Bindings;
  readonly #values: Float64Array;
  #missing: Uint8Array | null = null;
  #exact: Map<number, string> | null = null;
  readonly #width: number;
  readonly #take: Take;

  constructor(duckdb: Bindings, rows: number, width: number, take: Take) {
    this.#duckdb = duckdb;
    this.#values = new Float64Array(rows);
    this.#width = width;
    this.#take = take;
  }

  as(type: DataType): Reader {
    return { type, take: (vector, from, rows) => this.#read(vector, from, rows), column: () => this.#column() };
  }

  #read(vector: Vector, from: number, rows: number): void {
    const bytes = this.#duckdb.vector_get_data(vector, rows * this.#width);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const valid = validity(this.#duckdb, vector, rows);
    for (let row = 0; row < rows; row++) {
      if (isMissing(valid, row)) this.#setMissing(from + row);
      else this.#set(from + row, this.#take(view, row * this.#width));
    }
  }

  #set(row: number, value: number | bigint): void {
    this.#values[row] = Number(value);
    if (typeof value === "bigint") (this.#exact ??= new Map()).set(row, value.toString());
  }

  #setMissing(row: number): void {
    this.#values[row] = Number.NaN;
    (this.#missing ??= new Uint8Array(this.#values.length))[row] = 1;
  }

  #column(): Column {
    return { kind: "number", values: this.#values, missing: this.#missing, exact: this.#exact };
  }
}

/**
 * Reads `duckdb_string_t`, 16 bytes: length, then the text if it has up to 12 bytes, else its first 4 bytes and a
 * pointer.
 */
class TextReader implements Reader {
  readonly type: DataType;
  readonly #duckdb: Bindings;
  readonly #codes: Int32Array;
  readonly #dictionary: string[] = [];
  readonly #known = new Map<string, number>();
  /** The code that last followed each code: repeated lists of names mostly keep their order. */
  readonly #successor: number[] = [];
  #last = -1;
  readonly #decode: (bytes: Uint8Array) => string;

  constructor(duckdb: Bindings, rows: number, type: DataType, decode: (bytes: Uint8Array) => string) {
    this.#duckdb = duckdb;
    this.#codes = new Int32Array(rows);
    this.type = type;
    this.#decode = decode;
  }

  take(vector: Vector, from: number, rows: number): void {
    const bytes = this.#duckdb.vector_get_data(vector, rows * 16);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const valid = validity(this.#duckdb, vector, rows);
    for (let row = 0; row < rows; row++) {
      this.#codes[from + row] = isMissing(valid, row) ? -1 : this.#code(this.#decode(this.#bytesAt(view, row * 16)));
    }
  }

  column(): Column {
    return { kind: "text", dictionary: this.#dictionary, codes: this.#codes };
  }

  #bytesAt(view: DataView, at: number): Uint8Array {
    const length = view.getUint32(at, true);
    if (length <= 12) return new Uint8Array(view.buffer, view.byteOffset + at + 4, length);
    return this.#duckdb.get_data_from_pointer(view.buffer as ArrayBuffer, view.byteOffset + at + 8, length);
  }

  #code(text: string): number {
    const predicted = this.#successor[this.#last] ?? -1;
    const code = this.#dictionary[predicted] === text ? predicted : (this.#known.get(text) ?? this.#add(text));
    if (this.#last >= 0) this.#successor[this.#last] = code;
    this.#last = code;
    return code;
  }

  #add(text: string): number {
    const code = this.#dictionary.push(text) - 1;
    this.#known.set(text, code);
    return code;
  }
}
