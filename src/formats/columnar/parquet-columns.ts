import type { DataType } from "../../core/values/value.ts";
import { damaged, storedTypes, viewOf, type StoredType, type StoredValue } from "./parquet-encodings.ts";
import { bytesIn, structIn, structsIn, wholeIn, type ThriftStruct } from "./thrift-struct.ts";

/** What a cell holds; dates, times of day and timestamps as `Value` has them. */
export type ParquetCell = string | number | bigint | boolean | null;

/** A column without columns within. */
export interface ParquetColumn {
  readonly name: string;
  readonly type: DataType;
  readonly stored: StoredType;
  /** Bytes of each value of the type `fixed`, else 0. */
  readonly size: number;
  readonly isOptional: boolean;
  cell(value: StoredValue): ParquetCell;
}

type Meaning = Pick<ParquetColumn, "type" | "cell">;

const julianDayOf1970 = 2_440_588n;
const dayInMicroseconds = 86_400_000_000n;

/**
 * Columns of a file's schema. Fails with `ParquetDamage` where one is nested or of a type that is not read, by its
 * name.
 */
export function parquetColumns(footer: ThriftStruct): ParquetColumn[] {
  const [root, ...elements] = structsIn(footer, 2);
  const nested = elements.find(
    (element) => !element.has(1) || wholeIn(element, 3) === 2 || (wholeIn(element, 5) ?? 0) > 0,
  );
  if (nested)
    throw damaged(
      `the column ${nameOf(nested)} is nested, which is not read: make columns of its parts before it is written`,
    );
  if (root === undefined || wholeIn(root, 5) !== elements.length)
    throw damaged("its schema has not the columns that it tells");
  return elements.map(columnOf);
}

function nameOf(element: ThriftStruct): string {
  return new TextDecoder().decode(bytesIn(element, 4) ?? new Uint8Array(0));
}

function columnOf(element: ThriftStruct): ParquetColumn {
  const name = nameOf(element);
  const stored = storedTypes[wholeIn(element, 1) ?? -1];
  const meaning = stored && meaningOf(stored, element, name);
  if (!stored || !meaning)
    throw damaged(`the column ${name} is of a type that is not read; make texts or numbers of it before it is written`);
  const size = stored === "fixed" ? (wholeIn(element, 2) ?? 0) : 0;
  if (stored === "fixed" && !(size > 0 && size <= 1024))
    throw damaged(`the column ${name} has values of ${size} bytes`);
  return { name, ...meaning, stored, size, isOptional: wholeIn(element, 3) === 1 };
}

/** undefined: it means nothing that a table can have. */
function meaningOf(stored: StoredType, element: ThriftStruct, name: string): Meaning | undefined {
  const logical = structIn(element, 10);
  const [[kind] = []] = logical ?? [];
  const converted = wholeIn(element, 6);
  if (stored === "boolean") return { type: "boolean", cell: (value) => value === true };
  if (stored === "float" || stored === "double") return { type: "float", cell: Number };
  if (stored === "int96") return { type: "timestamp", cell: timestampOfDay };
  if (kind === 5 || converted === 5) return decimal(wholeIn(structIn(logical, 5), 1) ?? wholeIn(element, 7) ?? 0);
  if (stored === "bytes") return { type: "string", cell: (value) => textOf(value, name) };
  if (stored === "fixed") return fixedMeaning(kind, wholeIn(element, 2));
  return wholeMeaning(stored, kind, converted, structIn(logical, kind ?? 0));
}

function fixedMeaning(kind: number | undefined, size: number | undefined): Meaning | undefined {
  if (kind === 14 && size === 16) return { type: "string", cell: uuidText };
  return kind === 15 && size === 2
    ? { type: "float", cell: (value) => halfOf(viewOf(value as Uint8Array).getUint16(0, true)) }
    : undefined;
}

/**
 * Whole numbers: dates, times, or just that. Units of time are told apart by the number of their field: milli-, micro-
 * and nanoseconds.
 */
function wholeMeaning(
  stored: StoredType,
  kind: number | undefined,
  converted: number | undefined,
  told: ThriftStruct | undefined,
): Meaning {
  const [[unit] = [0]] = structIn(told, 2) ?? [];
  if (kind === 6 || converted === 6) return { type: "date", cell: Number };
  if (kind === 7 || converted === 7 || converted === 8) {
    const inSecond = 1000 ** (unit || (converted === 7 ? 1 : 2));
    return { type: "timeofday", cell: (value) => Number(value) / inSecond };
  }
  if (kind === 8 || converted === 9 || converted === 10)
    return { type: "timestamp", cell: microseconds(unit || (converted === 9 ? 1 : 2)) };
  const isUnsigned =
    kind === 10 ? told?.get(2) === false : converted !== undefined && converted >= 11 && converted <= 14;
  const bits = stored === "int32" ? 32 : 64;
  return { type: "float", cell: isUnsigned ? (value) => wholeCell(BigInt.asUintN(bits, wholeOf(value))) : wholeCell };
}

/** Whole numbers that no double holds stay what they are. */
function wholeCell(value: StoredValue): ParquetCell {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : wholeOf(value);
}

function microseconds(unit: number): Meaning["cell"] {
  if (unit === 1) return (value) => Number(value) * 1000;
  return unit === 2 ? Number : (value) => Number(wholeOf(value) / 1000n);
}

/** Nanoseconds within a day, and the day since the Julian epoch. */
function timestampOfDay(value: StoredValue): ParquetCell {
  const view = viewOf(value as Uint8Array);
  const day = BigInt(view.getUint32(8, true)) - julianDayOf1970;
  return Number(day * dayInMicroseconds + view.getBigInt64(0, true) / 1000n);
}

function decimal(scale: number): Meaning | undefined {
  if (Math.abs(scale) > 1000) return undefined;
  return { type: "float", cell: (value) => Number(`${wholeOf(value)}e${-scale}`) };
}

function wholeOf(value: StoredValue): bigint {
  return value instanceof Uint8Array ? wholeOfBytes(value) : BigInt(value);
}

/** Two's complement, the high byte first. */
function wholeOfBytes(bytes: Uint8Array): bigint {
  if (bytes.length > 64) throw damaged(`a decimal of ${bytes.length} bytes`);
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return BigInt.asIntN(bytes.length * 8, value);
}

function textOf(value: StoredValue, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(value as Uint8Array);
  } catch {
    throw damaged(`the column ${name} has bytes that are no text`);
  }
}

function uuidText(value: StoredValue): string {
  const digits = Array.from(value as Uint8Array, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Half precision: a sign, five bits of exponent, ten of fraction. */
function halfOf(bits: number): ParquetCell {
  const [sign, exponent, fraction] = [bits & 0x8000 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction === 0 ? sign * Infinity : null;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}
