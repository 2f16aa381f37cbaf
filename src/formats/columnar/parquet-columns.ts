import type { DataType } from "../../core/values/index.ts";
import { damaged, storedTypes, viewOf, type StoredType, type StoredValue } from "./parquet-encodings.ts";
import { bytesIn, structIn, structsIn, integerIn, type ThriftStruct } from "./thrift-struct.ts";

/** The value of a cell; dates, times of day and timestamps as in `Value`. */
export type ParquetCell = string | number | bigint | boolean | null;

/** A flat column. */
export interface ParquetColumn {
  readonly name: string;
  readonly type: DataType;
  readonly stored: StoredType;
  /** Bytes per value of the type `fixed`; otherwise 0. */
  readonly size: number;
  readonly isOptional: boolean;
  cell(value: StoredValue): ParquetCell;
}

type CellType = Pick<ParquetColumn, "type" | "cell">;

const julianDayOf1970 = 2_440_588n;
const dayInMicroseconds = 86_400_000_000n;

/**
 * The columns of a file's schema. Throws `ParquetError`, which names the column, for nested columns and unsupported
 * types.
 */
export function parquetColumns(footer: ThriftStruct): ParquetColumn[] {
  const [root, ...elements] = structsIn(footer, 2);
  const nested = elements.find(
    (element) => !element.has(1) || integerIn(element, 3) === 2 || (integerIn(element, 5) ?? 0) > 0,
  );
  if (nested)
    throw damaged(
      `the column ${nameOf(nested)} is nested, which is not supported: flatten it into columns before writing the file`,
    );
  if (root === undefined || integerIn(root, 5) !== elements.length)
    throw damaged("the schema does not have the declared number of columns");
  return elements.map(columnOf);
}

function nameOf(element: ThriftStruct): string {
  return new TextDecoder().decode(bytesIn(element, 4) ?? new Uint8Array(0));
}

function columnOf(element: ThriftStruct): ParquetColumn {
  const name = nameOf(element);
  const stored = storedTypes[integerIn(element, 1) ?? -1];
  const cellType = stored && cellTypeOf(stored, element, name);
  if (!stored || !cellType)
    throw damaged(`the column ${name} has an unsupported type; convert it to texts or numbers before writing the file`);
  const size = stored === "fixed" ? (integerIn(element, 2) ?? 0) : 0;
  if (stored === "fixed" && !(size > 0 && size <= 1024))
    throw damaged(`the column ${name} has values of ${size} bytes`);
  return { name, ...cellType, stored, size, isOptional: integerIn(element, 3) === 1 };
}

/** undefined for types that tables do not support. */
function cellTypeOf(stored: StoredType, element: ThriftStruct, name: string): CellType | undefined {
  const logical = structIn(element, 10);
  const [[kind] = []] = logical ?? [];
  const converted = integerIn(element, 6);
  if (stored === "boolean") return { type: "boolean", cell: (value) => value === true };
  if (stored === "float" || stored === "double") return { type: "float", cell: Number };
  if (stored === "int96") return { type: "timestamp", cell: timestampOfDay };
  if (kind === 5 || converted === 5) return decimal(integerIn(structIn(logical, 5), 1) ?? integerIn(element, 7) ?? 0);
  if (stored === "bytes") return { type: "string", cell: (value) => textOf(value, name) };
  if (stored === "fixed") return fixedCellType(kind, integerIn(element, 2));
  return integerCellType(stored, kind, converted, structIn(logical, kind ?? 0));
}

function fixedCellType(kind: number | undefined, size: number | undefined): CellType | undefined {
  if (kind === 14 && size === 16) return { type: "string", cell: uuidText };
  return kind === 15 && size === 2
    ? { type: "float", cell: (value) => halfOf(viewOf(value as Uint8Array).getUint16(0, true)) }
    : undefined;
}

/**
 * Integers: dates, times, or plain numbers. The field number of the unit selects milliseconds (1), microseconds (2) or
 * nanoseconds (3).
 */
function integerCellType(
  stored: StoredType,
  kind: number | undefined,
  converted: number | undefined,
  logical: ThriftStruct | undefined,
): CellType {
  const [[unit] = [0]] = structIn(logical, 2) ?? [];
  if (kind === 6 || converted === 6) return { type: "date", cell: Number };
  if (kind === 7 || converted === 7 || converted === 8) {
    const inSecond = 1000 ** (unit || (converted === 7 ? 1 : 2));
    return { type: "timeofday", cell: (value) => Number(value) / inSecond };
  }
  if (kind === 8 || converted === 9 || converted === 10)
    return { type: "timestamp", cell: microseconds(unit || (converted === 9 ? 1 : 2)) };
  const isUnsigned =
    kind === 10 ? logical?.get(2) === false : converted !== undefined && converted >= 11 && converted <= 14;
  const bits = stored === "int32" ? 32 : 64;
  return {
    type: "float",
    cell: isUnsigned ? (value) => integerCell(BigInt.asUintN(bits, bigintOf(value))) : integerCell,
  };
}

/** Integers beyond the safe range stay bigints. */
function integerCell(value: StoredValue): ParquetCell {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : bigintOf(value);
}

function microseconds(unit: number): CellType["cell"] {
  if (unit === 1) return (value) => Number(value) * 1000;
  return unit === 2 ? Number : (value) => Number(bigintOf(value) / 1000n);
}

/** INT96: nanoseconds of the day, then the Julian day. */
function timestampOfDay(value: StoredValue): ParquetCell {
  const view = viewOf(value as Uint8Array);
  const day = BigInt(view.getUint32(8, true)) - julianDayOf1970;
  return Number(day * dayInMicroseconds + view.getBigInt64(0, true) / 1000n);
}

function decimal(scale: number): CellType | undefined {
  if (Math.abs(scale) > 1000) return undefined;
  return { type: "float", cell: (value) => Number(`${bigintOf(value)}e${-scale}`) };
}

function bigintOf(value: StoredValue): bigint {
  return value instanceof Uint8Array ? bigintOfBytes(value) : BigInt(value);
}

/** Two's complement, big-endian. */
function bigintOfBytes(bytes: Uint8Array): bigint {
  if (bytes.length > 64) throw damaged(`a decimal of ${bytes.length} bytes`);
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return BigInt.asIntN(bytes.length * 8, value);
}

function textOf(value: StoredValue, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(value as Uint8Array);
  } catch {
    throw damaged(`the column ${name} is not valid UTF-8`);
  }
}

function uuidText(value: StoredValue): string {
  const digits = Array.from(value as Uint8Array, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** IEEE 754 half precision: a sign bit, 5 exponent bits, 10 fraction bits. */
function halfOf(bits: number): ParquetCell {
  const [sign, exponent, fraction] = [bits & 0x8000 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction === 0 ? sign * Infinity : null;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}
