import { Failure } from "../../core/failures/failure.ts";
import type { Column, InternedColumn, NumberColumn, TextColumn } from "../../core/tables/table.ts";
import { epochDays, epochMicroseconds, typeNumber } from "./postgres-types.ts";

/** A column to copy into a SQL column of type `type` (a number in pg_type); `name` is for messages. */
export interface Target {
  readonly name: string;
  readonly type: number;
  readonly column: Column;
}

/** Writes cells behind their four bytes of length; none takes more than `most` bytes with it. */
interface CellWriter {
  readonly most: number;
  /** Answers the place behind the cell. */
  write(to: Buffer, at: number, row: number): number;
}

const pieceSize = 1 << 18;
/**
 * PostgreSQL's documentation, COPY, "Binary Format": signature, flags, length of the header's extension; at the end -1
 * fields.
 */
const header = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1");

/**
 * The rows in the binary form of COPY, in pieces of some 256 kB. Fails with `text-not-storable`, `database-refused`.
 */
export function binaryRows(targets: readonly Target[], length: number): Iterable<Uint8Array> {
  return pieces(targets.map(writerFor), length);
}

function* pieces(writers: readonly CellWriter[], length: number): Iterable<Uint8Array> {
  const most = writers.reduce((sum, writer) => sum + writer.most, 2);
  let piece = Buffer.allocUnsafe(Math.max(pieceSize, most + header.length + 2));
  let at = header.copy(piece);
  for (let row = 0; row < length; row++) {
    if (at + most + 2 > piece.length) {
      yield piece.subarray(0, at);
      piece = Buffer.allocUnsafe(piece.length);
      at = 0;
    }
    at = piece.writeInt16BE(writers.length, at);
    for (const writer of writers) at = writer.write(piece, at, row);
  }
  yield piece.subarray(0, piece.writeInt16BE(-1, at));
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

/** Structured values are kept as their text; only texts occur in experiments. */
function asText(column: InternedColumn): TextColumn {
  const codes = column.codes.map((code) => (typeof column.dictionary[code] === "string" ? code : -1));
  return { kind: "text", dictionary: column.dictionary.map((cell) => (typeof cell === "string" ? cell : "")), codes };
}

type Put = (to: Buffer, at: number, row: number) => void;

function numberWriter(type: number, column: NumberColumn): CellWriter {
  const { width, put } = encoding(type, column);
  const { missing } = column;
  return {
    most: width + 4,
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
      return { width: 4, put: (to, at, row) => to.writeInt32BE(whole(values[row] as number, 32), at) };
    case typeNumber.date:
      return { width: 4, put: (to, at, row) => to.writeInt32BE(whole((values[row] as number) - epochDays, 32), at) };
    case typeNumber.int2:
      return { width: 2, put: (to, at, row) => to.writeInt16BE(whole(values[row] as number, 16), at) };
    case typeNumber.bool:
      return { width: 1, put: (to, at, row) => to.writeUInt8(values[row] === 0 ? 0 : 1, at) };
    default:
      throw refused("numbers cannot be appended to a column of this type");
  }
}

/** Two halves: several times faster than a BigInt per cell, and right for all that a double can hold exactly. */
function int64(column: NumberColumn, epoch: number): Put {
  return (to, at, row) => {
    const digits = column.exact?.get(row);
    const value = (column.values[row] as number) - epoch;
    if (digits !== undefined || !Number.isSafeInteger(value)) {
      to.writeBigInt64BE(inRange(exactly(digits ?? column.values[row]) - BigInt(epoch)), at);
      return;
    }
    const high = Math.floor(value / 0x100000000);
    to.writeInt32BE(high, at);
    to.writeUInt32BE(value - high * 0x100000000, at + 4);
  };
}

function exactly(value: string | number | undefined): bigint {
  if (typeof value === "number" && !Number.isInteger(value)) throw refused(`${value} is no whole number`);
  return BigInt(value as string | number);
}

function inRange(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) throw refused(`${value} does not fit into 64 bits`);
  return value;
}

function whole(value: number, bits: number): number {
  if (!Number.isInteger(value)) throw refused(`${value} is no whole number`);
  if (value < -(2 ** (bits - 1)) || value >= 2 ** (bits - 1)) throw refused(`${value} does not fit into ${bits} bits`);
  return value;
}

function refused(reason: string): Failure {
  return new Failure("database-refused", { reason });
}

function textWriter(name: string, type: number, column: TextColumn): CellWriter {
  if (type === typeNumber.bytea) return bytesWriter(column, "base64");
  if (type !== typeNumber.text && type !== typeNumber.varchar)
    throw refused(`texts cannot be appended to column ${name}`);
  if (column.dictionary.some((text) => text.includes("\0"))) throw new Failure("text-not-storable", { column: name });
  return bytesWriter(column, "utf8");
}

function bytesWriter({ dictionary, codes }: TextColumn, encodingName: "base64" | "utf8"): CellWriter {
  const encoded = dictionary.map((text) => Buffer.from(text, encodingName));
  return {
    most: 4 + encoded.reduce((most, bytes) => Math.max(most, bytes.length), 0),
    write(to, at, row) {
      const bytes = encoded[codes[row] as number];
      if (bytes === undefined) return to.writeInt32BE(-1, at);
      to.writeInt32BE(bytes.length, at);
      return at + 4 + bytes.copy(to, at + 4);
    },
  };
}
