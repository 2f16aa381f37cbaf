import { Failure } from "../../core/failures/index.ts";
import {
  NumberColumnBuilder,
  TextColumnBuilder,
  type Column,
  type InternedColumn,
  type NumberColumn,
  type TextColumn,
} from "../../core/tables/index.ts";
import type { DataType } from "../../core/values/index.ts";
import { epochDays, epochMicroseconds, typeNumber } from "./postgres-types.ts";

/** Builds a Column from the cells of one result column in PostgreSQL's text format. */
export interface Reader {
  take(cell: Uint8Array | null, row: number): void;
  /** The column of the rows so far and its type. */
  finish(length: number): { readonly type: DataType; readonly column: Column };
}

/** Reader for a type OID; undefined if the type is unsupported. */
export function readerFor(type: number): Reader | undefined {
  switch (type) {
    case typeNumber.bool:
      return numbers("boolean", (cell) => (cell[0] === letterT ? 1 : 0));
    case typeNumber.int2:
    case typeNumber.int4:
    case typeNumber.int8:
    case typeNumber.oid:
      return numbers("integer", integer);
    case typeNumber.float4:
    case typeNumber.float8:
      return numbers("float", (cell) => Number(ascii(cell)));
    case typeNumber.numeric:
      return new DecimalReader();
    case typeNumber.date:
      return numbers("date", (cell) => days(ascii(cell)));
    case typeNumber.timestamp:
    case typeNumber.timestamptz:
      return numbers("timestamp", (cell) => microseconds(ascii(cell)));
    case typeNumber.bytea:
      return texts("binary", (cell) => Buffer.from(ascii(cell).slice(2), "hex").toString("base64"));
    case typeNumber.text:
    case typeNumber.varchar:
    case typeNumber.bpchar:
    case typeNumber.name:
      return texts("string", (cell) => utf8.decode(cell));
    default:
      return undefined;
  }
}

const letterT = 0x74;
const minus = 0x2d;
const zero = 0x30;
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

function ascii(cell: Uint8Array): string {
  return Buffer.from(cell.buffer, cell.byteOffset, cell.length).toString("latin1");
}

function numbers(type: DataType, parse: (cell: Uint8Array) => number | bigint): Reader {
  const builder = new NumberColumnBuilder();
  return {
    take: (cell, row) => builder.set(row, cell === null ? null : parse(cell)),
    finish: (length) => ({ type, column: builder.take(length) }),
  };
}

function texts(type: DataType, parse: (cell: Uint8Array) => string): Reader {
  const builder = new TextColumnBuilder();
  return {
    take: (cell, row) => builder.set(row, cell === null ? null : parse(cell)),
    finish: (length) => ({ type, column: builder.take(length) }),
  };
}

/** Parses up to 15 digits without BigInt: they are exact in a double. */
function integer(cell: Uint8Array): number | bigint {
  if (cell.length > 15) return narrow(BigInt(ascii(cell)));
  const negative = cell[0] === minus;
  let value = 0;
  for (let at = negative ? 1 : 0; at < cell.length; at++) value = value * 10 + (cell[at] as number) - zero;
  return negative && value !== 0 ? -value : value;
}

function narrow(value: bigint): number | bigint {
  return value >= -9007199254740992n && value < 9007199254740992n ? Number(value) : value;
}

/** NUMERIC without a scale: a column of integers only, such as a sum of integers, has type integer. */
class DecimalReader implements Reader {
  readonly #builder = new NumberColumnBuilder();
  #isInteger = true;

  take(cell: Uint8Array | null, row: number): void {
    const text = cell === null ? null : ascii(cell);
    const isInteger = text === null || /^-?\d+$/.test(text);
    this.#isInteger &&= isInteger;
    this.#builder.set(row, text === null ? null : isInteger ? narrow(BigInt(text)) : Number(text));
  }

  finish(length: number): { type: DataType; column: Column } {
    const column = this.#builder.take(length);
    return this.#isInteger ? { type: "integer", column } : { type: "float", column: { ...column, exact: null } };
  }
}

const datePattern = /^(\d{4,})-(\d\d)-(\d\d)( BC)?$/;
const timestampPattern = /^(\d{4,}-\d\d-\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?(?:\+00)?( BC)?$/;

/** Days since 1970-01-01 of an ISO date; 1 BC is the year 0. */
function days(text: string): number {
  const match = datePattern.exec(text);
  if (!match) throw new Failure("database-refused", { reason: `the date ${text} is not representable` });
  const year = match[4] === undefined ? Number(match[1]) : 1 - Number(match[1]);
  return civilDays(year, Number(match[2]), Number(match[3]));
}

/**
 * Days since 1970-01-01 from 400-year eras whose years start in March, so that the leap day comes last (H. Hinnant,
 * "chrono-compatible date algorithms").
 */
function civilDays(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const ofEra = shifted - era * 400;
  const ofYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return era * 146_097 + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - 719_468;
}

function microseconds(text: string): number | bigint {
  const match = timestampPattern.exec(text);
  if (!match) throw new Failure("database-refused", { reason: `the time ${text} is not representable` });
  const date = days(`${match[1]}${match[6] ?? ""}`);
  const clock =
    ((Number(match[2]) * 60 + Number(match[3])) * 60 + Number(match[4])) * 1e6 +
    Number((match[5] ?? "").padEnd(6, "0"));
  return Math.abs(date) < 100_000 ? date * 86_400e6 + clock : narrow(BigInt(date) * 86_400_000_000n + BigInt(clock));
}

/** A column to copy into a SQL column of type `type` (OID in pg_type); `name` is used in messages. */
export interface Target {
  readonly name: string;
  readonly type: number;
  readonly column: Column;
}

/** Writes cells, each after its 4-byte length; at most `maxLength` bytes including it. */
interface CellWriter {
  readonly maxLength: number;
  /** Returns the offset after the cell. */
  write(to: Buffer, at: number, row: number): number;
}

const chunkSize = 1 << 18;
/**
 * PostgreSQL's documentation, COPY, "Binary Format": signature, flags, length of the header extension; the trailer is
 * a field count of -1.
 */
const header = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1");

/**
 * The first `length` rows in COPY's binary format, or those with the indexes `chosen`, in chunks of about 256 kB. Fails
 * with `text-not-storable`, `database-refused`.
 */
export function binaryRows(targets: readonly Target[], length: number, chosen?: Uint32Array): Iterable<Uint8Array> {
  return chunks(targets.map(writerFor), chosen?.length ?? length, chosen);
}

function* chunks(writers: readonly CellWriter[], length: number, chosen?: Uint32Array): Iterable<Uint8Array> {
  const maxRow = writers.reduce((sum, writer) => sum + writer.maxLength, 2);
  let chunk = Buffer.allocUnsafe(Math.max(chunkSize, maxRow + header.length + 2));
  let at = header.copy(chunk);
  for (let index = 0; index < length; index++) {
    const row = chosen?.[index] ?? index;
    if (at + maxRow + 2 > chunk.length) {
      yield chunk.subarray(0, at);
      chunk = Buffer.allocUnsafe(chunk.length);
      at = 0;
    }
    at = chunk.writeInt16BE(writers.length, at);
    for (const writer of writers) at = writer.write(chunk, at, row);
  }
  yield chunk.subarray(0, chunk.writeInt16BE(-1, at));
}

function writerFor({ name, type, column }: Target): CellWriter {
  switch (column.kind) {
    case "number":
      return numberWriter(type, column);
    case "text":
      return textWriter(name, type, column);
    case "interned":
      return textWriter(name, type, asText(column));
  }
}

/** Experiments contain only text here; other values become missing. */
function asText(column: InternedColumn): TextColumn {
  const codes = column.codes.map((code) => (typeof column.dictionary[code] === "string" ? code : -1));
  return { kind: "text", dictionary: column.dictionary.map((cell) => (typeof cell === "string" ? cell : "")), codes };
}

type Put = (to: Buffer, at: number, row: number) => void;

function numberWriter(type: number, column: NumberColumn): CellWriter {
  const { width, put } = encoding(type, column);
  const { missing } = column;
  return {
    maxLength: width + 4,
    write(to, at, row) {
      if (missing !== null && missing[row] === 1) return to.writeInt32BE(-1, at);
      to.writeInt32BE(width, at);
      put(to, at + 4, row);
      return at + 4 + width;
    },
  };
}

function encoding(type: number, column: NumberColumn): { width: number; put: Put } {
  const { values } = column;
  switch (type) {
    case typeNumber.float8:
      return { width: 8, put: (to, at, row) => to.writeDoubleBE(values[row] as number, at) };
    case typeNumber.int8:
      return { width: 8, put: int64(column, 0) };
    case typeNumber.timestamp:
      return { width: 8, put: int64(column, epochMicroseconds) };
    case typeNumber.int4:
      return { width: 4, put: (to, at, row) => to.writeInt32BE(checkedInteger(values[row] as number, 32), at) };
    case typeNumber.date:
      return {
        width: 4,
        put: (to, at, row) => to.writeInt32BE(checkedInteger((values[row] as number) - epochDays, 32), at),
      };
    case typeNumber.int2:
      return { width: 2, put: (to, at, row) => to.writeInt16BE(checkedInteger(values[row] as number, 16), at) };
    case typeNumber.bool:
      return { width: 1, put: (to, at, row) => to.writeUInt8(values[row] === 0 ? 0 : 1, at) };
    default:
      throw refusal("numbers cannot be appended to a column of this type");
  }
}

/** Writes two 32-bit halves: several times faster than a BigInt per cell, exact for every integer in a double. */
function int64(column: NumberColumn, epoch: number): Put {
  return (to, at, row) => {
    const digits = column.exact?.get(row);
    const value = (column.values[row] as number) - epoch;
    if (digits !== undefined || !Number.isSafeInteger(value)) {
      to.writeBigInt64BE(inRange(toBigInt(digits ?? column.values[row]) - BigInt(epoch)), at);
      return;
    }
    const high = Math.floor(value / 0x100000000);
    to.writeInt32BE(high, at);
    to.writeUInt32BE(value - high * 0x100000000, at + 4);
  };
}

function toBigInt(value: string | number | undefined): bigint {
  if (typeof value === "number" && !Number.isInteger(value)) throw refusal(`${value} is not an integer`);
  return BigInt(value as string | number);
}

function inRange(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) throw refusal(`${value} does not fit into 64 bits`);
  return value;
}

function checkedInteger(value: number, bits: number): number {
  if (!Number.isInteger(value)) throw refusal(`${value} is not an integer`);
  if (value < -(2 ** (bits - 1)) || value >= 2 ** (bits - 1)) throw refusal(`${value} does not fit into ${bits} bits`);
  return value;
}

function refusal(reason: string): Failure {
  return new Failure("database-refused", { reason });
}

function textWriter(name: string, type: number, column: TextColumn): CellWriter {
  if (type === typeNumber.bytea) return bytesWriter(column, "base64");
  if (type !== typeNumber.text && type !== typeNumber.varchar)
    throw refusal(`texts cannot be appended to column ${name}`);
  if (column.dictionary.some((text) => text.includes("\0"))) throw new Failure("text-not-storable", { column: name });
  return bytesWriter(column, "utf8");
}

function bytesWriter({ dictionary, codes }: TextColumn, encodingName: "base64" | "utf8"): CellWriter {
  const encoded = dictionary.map((text) => Buffer.from(text, encodingName));
  return {
    maxLength: 4 + encoded.reduce((longest, bytes) => Math.max(longest, bytes.length), 0),
    write(to, at, row) {
      const bytes = encoded[codes[row] as number];
      if (bytes === undefined) return to.writeInt32BE(-1, at);
      to.writeInt32BE(bytes.length, at);
      return at + 4 + bytes.copy(to, at + 4);
    },
  };
}
