import { NumberColumnBuilder, TextColumnBuilder } from "../../core/tables/column-builder.ts";
import { Failure } from "../../core/failures/failure.ts";
import type { Column } from "../../core/tables/table.ts";
import type { DataType } from "../../core/values/value.ts";
import { typeNumber } from "./postgres-types.ts";

/** Turns the cells of one result column, as PostgreSQL writes them as text, into a Column. */
export interface Reader {
  take(cell: Uint8Array | null, row: number): void;
  /** The column of the rows so far, and what it holds. */
  finish(length: number): { readonly type: DataType; readonly column: Column };
}

/** undefined: tables cannot hold a column of that type. */
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

/** Up to 15 digits are exact in a double, whatever they are. */
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

/** NUMERIC has no scale of its own: a column of whole numbers only, such as a sum of integers, is one of integers. */
class DecimalReader implements Reader {
  readonly #builder = new NumberColumnBuilder();
  #whole = true;

  take(cell: Uint8Array | null, row: number): void {
    const text = cell === null ? null : ascii(cell);
    const whole = text === null || /^-?\d+$/.test(text);
    this.#whole &&= whole;
    this.#builder.set(row, text === null ? null : whole ? narrow(BigInt(text)) : Number(text));
  }

  finish(length: number): { type: DataType; column: Column } {
    const column = this.#builder.take(length);
    return this.#whole ? { type: "integer", column } : { type: "float", column: { ...column, exact: null } };
  }
}

const datePattern = /^(\d{4,})-(\d\d)-(\d\d)( BC)?$/;
const stampPattern = /^(\d{4,}-\d\d-\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?(?:\+00)?( BC)?$/;

/** Days since 1970-01-01 of ISO dates; years before Christ count from 1 BC, which is the year 0. */
function days(text: string): number {
  const match = datePattern.exec(text);
  if (!match) throw new Failure("database-refused", { reason: `the date ${text} has no place in time` });
  const year = match[4] === undefined ? Number(match[1]) : 1 - Number(match[1]);
  return civilDays(year, Number(match[2]), Number(match[3]));
}

/**
 * By the calendar's cycle of 400 years, which begin in March so that the leap day is the last (H. Hinnant,
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
  const match = stampPattern.exec(text);
  if (!match) throw new Failure("database-refused", { reason: `the time ${text} has no place in time` });
  const date = days(`${match[1]}${match[6] ?? ""}`);
  const clock =
    ((Number(match[2]) * 60 + Number(match[3])) * 60 + Number(match[4])) * 1e6 +
    Number((match[5] ?? "").padEnd(6, "0"));
  return Math.abs(date) < 100_000 ? date * 86_400e6 + clock : narrow(BigInt(date) * 86_400_000_000n + BigInt(clock));
}
