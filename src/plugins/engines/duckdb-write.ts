import { Failure } from "../../core/failures/index.ts";
import type { Column, InternedColumn, NumberColumn, TextColumn } from "../../core/tables/index.ts";
import type { Bindings, LogicalType, Vector } from "./duckdb-bindings.ts";

/**
 * Encodes `rows` rows of a Column, starting at row `from`; the returned function stores them in a vector.
 */
export type Writer = (from: number, rows: number) => Store;

export type Store = (vector: Vector) => void;

/** Writer of an omitted column: all rows are NULL. */
export function emptyWriter(duckdb: Bindings): Writer {
  return (_, rows) => (vector) => markMissing(duckdb, vector, rows, () => true);
}

/** Writer of `column` for SQL type `logical`; `name` is used in messages. */
export function writerFor(duckdb: Bindings, logical: LogicalType, name: string, column: Column): Writer {
  switch (column.kind) {
    case "number":
      return numberWriter(duckdb, logical, column);
    case "text":
      return textWriter(duckdb, logical, name, column);
    case "interned":
      return textWriter(duckdb, logical, name, asText(column));
  }
}

/** True when no row has a value, so that SQL can use a NULL literal. */
export function isAbsent(column: Column, length: number): boolean {
  if (column.kind === "number") return column.missing !== null && !column.missing.subarray(0, length).includes(0);
  return column.kind === "text" && column.codes.subarray(0, length).every((code) => code < 0);
}

/** Experiments contain only text here; other values become missing. */
function asText(column: InternedColumn): TextColumn {
  const texts = column.dictionary.map((cell) => (typeof cell === "string" ? cell : null));
  const codes = column.codes.map((code) => (texts[code] === null ? -1 : code));
  return { kind: "text", dictionary: texts.map((text) => text ?? ""), codes };
}

const int64Bound = 2 ** 63;

/** Returns a vector's bytes for `rows` numbers. */
type Encode = (column: NumberColumn, from: number, rows: number) => ArrayBufferView;

function numberWriter(duckdb: Bindings, logical: LogicalType, column: NumberColumn): Writer {
  const encode = encoderFor(duckdb, logical);
  const { missing } = column;
  return (from, rows) => {
    const bytes = encode(column, from, rows);
    const bits = missing === null ? null : validityOf(missing, from, rows);
    return (vector) => {
      duckdb.copy_data_to_vector(vector, 0, bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
      if (bits !== null) setValidity(duckdb, vector, bits);
    };
  };
}

function encoderFor(duckdb: Bindings, logical: LogicalType): Encode {
  const { Type } = duckdb;
  switch (duckdb.get_type_id(logical)) {
    case Type.DOUBLE:
      return (column, from, rows) => column.values.subarray(from, from + rows);
    case Type.INTEGER:
    case Type.DATE:
      return (column, from, rows) => Int32Array.from(column.values.subarray(from, from + rows));
    case Type.SMALLINT:
      return (column, from, rows) => Int16Array.from(column.values.subarray(from, from + rows));
    case Type.BOOLEAN:
      return (column, from, rows) => booleans(column.values.subarray(from, from + rows), duckdb.sizeof_bool);
    case Type.BIGINT:
    case Type.TIMESTAMP:
      return int64s;
    default:
      throw new Failure("database-refused", { reason: "numbers cannot be appended to a column of this type" });
  }
}

/** Writes two 32-bit halves: several times faster than a BigInt per cell, exact for every integer in a double. */
function int64s(column: NumberColumn, from: number, rows: number): ArrayBufferView {
  const halves = new Int32Array(rows * 2);
  for (let row = 0; row < rows; row++) {
    const value = column.values[from + row] as number;
    const low = value | 0;
    halves[2 * row] = low;
    // Most numbers fit into 32 bits: their high half is the sign.
    halves[2 * row + 1] = low === value ? low >> 31 : highHalf(column, from + row, value);
  }
  if (column.exact === null) return halves;
  const integers = new BigInt64Array(halves.buffer);
  for (let row = 0; row < rows; row++) {
    const digits = column.exact.get(from + row);
    if (digits !== undefined) integers[row] = inRange(BigInt(digits));
  }
  return integers;
}

function highHalf(column: NumberColumn, row: number, value: number): number {
  if (!isInt64(value)) checkInt64(column, row, value);
  return Math.floor(value / 0x100000000);
}

function isInt64(value: number): boolean {
  return Math.floor(value) === value && value >= -int64Bound && value < int64Bound;
}

/**
 * Missing cells may contain anything; for cells with exact digits the double is approximate and the digits are checked.
 */
function checkInt64(column: NumberColumn, row: number, value: number): void {
  if (column.missing?.[row] === 1 || column.exact?.has(row) === true) return;
  const problem = Math.floor(value) === value ? "does not fit into 64 bits" : "is not an integer";
  throw new Failure("database-refused", { reason: `${value} ${problem}` });
}

function inRange(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value)
    throw new Failure("database-refused", { reason: `${value} does not fit into 64 bits` });
  return value;
}

function booleans(values: Float64Array, width: number): Uint8Array {
  const bytes = new Uint8Array(values.length * width);
  for (let row = 0; row < values.length; row++) bytes[row * width] = values[row] === 0 ? 0 : 1;
  return bytes;
}

function textWriter(duckdb: Bindings, logical: LogicalType, name: string, column: TextColumn): Writer {
  if (duckdb.get_type_id(logical) === duckdb.Type.BLOB)
    return bytesWriter(duckdb, column, (text) => Buffer.from(text, "base64"));
  const nul = column.dictionary.find((text) => text.includes("\0"));
  if (nul !== undefined) throw new Failure("text-not-storable", { column: name });
  const cells = bytesWriter(duckdb, column, (text) => Buffer.from(text, "utf8"));
  return (from, rows) => {
    const code = sharedCode(column.codes, from, rows);
    if (code < 0) return cells(from, rows);
    return (vector) => duckdb.vector_reference_value(vector, duckdb.create_varchar(column.dictionary[code] as string));
  };
}

/** The code that all rows share; -1 when they differ or are missing. */
function sharedCode(codes: Int32Array, from: number, rows: number): number {
  const first = codes[from] as number;
  for (let row = from + 1; row < from + rows; row++) if (codes[row] !== first) return -1;
  return first;
}

/** Bytes of a `duckdb_string_t`. */
const stringSize = 16;

/** Assigning a string is slow, so each distinct one is assigned once per vector and its entry copied. */
function bytesWriter(duckdb: Bindings, column: TextColumn, encode: (text: string) => Uint8Array): Writer {
  const encoded: Uint8Array[] = [];
  return (from, rows) => {
    const codes = column.codes.subarray(from, from + rows);
    const firsts = firstRows(codes);
    return (vector) => {
      let distinct = 0;
      for (let row = 0; row < rows; row++) {
        if (firsts[row] !== row) continue;
        const code = codes[row] as number;
        duckdb.vector_assign_string_element_len(
          vector,
          row,
          (encoded[code] ??= encode(column.dictionary[code] as string)),
        );
        distinct++;
      }
      if (distinct > 0 && distinct < rows) repeatFirsts(duckdb, vector, firsts);
      if (firsts.includes(-1)) markMissing(duckdb, vector, rows, (row) => firsts[row] === -1);
    };
  };
}

/** For each row the first row with the same code; -1 for a missing cell. */
function firstRows(codes: Int32Array): Int32Array {
  const firsts = new Int32Array(codes.length);
  const known = new Map<number, number>();
  let last = -1;
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number;
    if (code < 0) firsts[row] = -1;
    else if (row > 0 && code === codes[row - 1]) firsts[row] = last;
    else {
      last = known.get(code) ?? row;
      if (last === row) known.set(code, row);
      firsts[row] = last;
    }
  }
  return firsts;
}

/** Copies string entries: strings of a vector may share their text. */
function repeatFirsts(duckdb: Bindings, vector: Vector, firsts: Int32Array): void {
  const bytes = Uint8Array.from(duckdb.vector_get_data(vector, firsts.length * stringSize));
  const words = new Int32Array(bytes.buffer);
  for (let row = 0; row < firsts.length; row++) {
    const first = firsts[row] as number;
    if (first < 0 || first === row) continue;
    for (let word = 0; word < 4; word++) words[4 * row + word] = words[4 * first + word] as number;
  }
  duckdb.copy_data_to_vector(vector, 0, bytes.buffer, 0, bytes.byteLength);
}

function markMissing(duckdb: Bindings, vector: Vector, rows: number, isMissing: (row: number) => boolean): void {
  const bits = new Uint8Array(Math.ceil(rows / 64) * 8).fill(0xff);
  for (let row = 0; row < rows; row++) {
    if (isMissing(row)) bits[row >> 3] = (bits[row >> 3] as number) & ~(1 << (row & 7));
  }
  setValidity(duckdb, vector, bits);
}

/** `bits`: one bit per row, 1 for a value. */
function setValidity(duckdb: Bindings, vector: Vector, bits: Uint8Array): void {
  duckdb.vector_ensure_validity_writable(vector);
  duckdb.copy_data_to_vector_validity(vector, 0, bits.buffer as ArrayBuffer, bits.byteOffset, bits.byteLength);
}

/** Packs eight rows at a time. */
function validityOf(missing: Uint8Array, from: number, rows: number): Uint8Array {
  const bits = new Uint8Array(Math.ceil(rows / 64) * 8);
  const bytes = rows >> 3;
  for (let byte = 0, at = from; byte < bytes; byte++, at += 8) {
    const low = missing[at]! | (missing[at + 1]! << 1) | (missing[at + 2]! << 2) | (missing[at + 3]! << 3);
    bits[byte] = ~(
      low |
      (missing[at + 4]! << 4) |
      (missing[at + 5]! << 5) |
      (missing[at + 6]! << 6) |
      (missing[at + 7]! << 7)
    );
  }
  for (let row = bytes * 8; row < rows; row++) if (missing[from + row] === 0) bits[row >> 3]! |= 1 << (row & 7);
  return bits;
}
