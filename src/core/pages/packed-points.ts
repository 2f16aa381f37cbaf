import type { PointBlock } from "./columns.ts";
import { type Frame, type FrameArray, packFrame, unpackFrame } from "./frame.ts";

/** Of a number with more digits behind its point eight bytes are no longer than its digits. */
const mostDigits = 9;

/** Differences of whole numbers up to here are at most 31 bits and a sign. */
const greatest = 2 ** 30 - 1;

/** How many digits there are behind the points of the values of an array; it is as it was where it is not named. */
type Digits = Readonly<Record<string, number>>;

type PackedBlock = Frame<{ readonly block: number; readonly digits?: Digits }, keyof PointBlock["arrays"]>;

/**
 * A block of points as reports hold it: what was measured has few digits. Where all values of an array are whole
 * numbers over a power of ten, to the last bit, there are the differences of those whole numbers, ends folded together
 * (0, -1, 1, -2, …), as four planes of bytes, the lowest first: they compress to half of what the values would. All
 * else is as in the block.
 */
export function packPoints({ facts, arrays }: PointBlock): Uint8Array {
  const digits: Record<string, number> = {};
  const packed = Object.entries(arrays).map(([name, array]): [string, FrameArray] => {
    const own = array instanceof Float64Array && array.length > 0 ? digitsOf(array) : undefined;
    if (own === undefined) return [name, array];
    digits[name] = own;
    return [name, planesOf(array, 10 ** own)];
  });
  return packFrame({ facts: { ...facts, digits }, arrays: Object.fromEntries(packed) });
}

/** The block that `packPoints` packed, or `packFrame`. */
export function unpackPoints(bytes: Uint8Array): PointBlock {
  const { facts, arrays }: PackedBlock = unpackFrame(bytes);
  const { block, digits = {} } = facts;
  const unpacked = Object.entries(arrays).map(([name, array]): [string, FrameArray] => {
    const own = digits[name];
    return [name, own === undefined ? array : valuesOf(array, 10 ** own)];
  });
  return { facts: { block }, arrays: Object.fromEntries(unpacked) as PointBlock["arrays"] };
}

/** undefined: they are not the same to the last bit, or there is no such number. */
function digitsOf(values: Float64Array): number | undefined {
  let digits = 0;
  for (const value of values) while (digits < mostDigits && !isWhole(value, 10 ** digits)) digits += 1;
  return values.every((value) => isWhole(value, 10 ** digits)) ? digits : undefined;
}

function isWhole(value: number, scale: number): boolean {
  // Rounding keeps the sign of a zero, a difference of whole numbers does not.
  const whole = Math.round(value * scale) + 0;
  return Math.abs(whole) <= greatest && Object.is(whole / scale, value);
}

function planesOf(values: FrameArray, scale: number): Uint8Array {
  const planes = new Uint8Array(4 * values.length);
  let last = 0;
  for (const [at, value] of values.entries()) {
    const whole = Math.round(value * scale);
    const difference = whole - last;
    const folded = difference < 0 ? -2 * difference - 1 : 2 * difference;
    for (let plane = 0; plane < 4; plane++) planes[plane * values.length + at] = folded >>> (8 * plane);
    last = whole;
  }
  return planes;
}

function valuesOf(planes: FrameArray, scale: number): Float64Array {
  const values = new Float64Array(planes.length / 4);
  let whole = 0;
  for (let at = 0; at < values.length; at++) {
    let folded = 0;
    for (let plane = 3; plane >= 0; plane--) folded = folded * 256 + (planes[plane * values.length + at] as number);
    whole += folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
    values[at] = whole / scale;
  }
  return values;
}
