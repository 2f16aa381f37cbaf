import { readFloat } from "../../core/values/index.ts";

const powersOfTen = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** Longer tokens are rejected. */
const maxNumberLength = 400;

/**
 * Parses the decimal number in `bytes[start..end)` exactly as Number() does; NaN unless all of it is one number. Up to
 * 15 digits and powers up to 10^22 are exact doubles, so one division rounds once; other numbers take the slow path.
 */
export function floatOf(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  let byte = bytes[at] as number;
  const negative = byte === 45;
  if (negative || byte === 43) at += 1;
  let mantissa = 0;
  let digits = 0;
  let scale = 0;
  for (; at < end; at++) {
    byte = (bytes[at] as number) - 48;
    if (byte < 0 || byte > 9) break;
    mantissa = mantissa * 10 + byte;
    digits += 1;
  }
  if (at < end && byte === -2) {
    const point = ++at;
    for (; at < end; at++) {
      byte = (bytes[at] as number) - 48;
      if (byte < 0 || byte > 9) break;
      mantissa = mantissa * 10 + byte;
    }
    scale = point - at;
    digits -= scale;
  }
  if (at < end || digits === 0 || digits > 15 || scale < -22) return slowFloat(bytes, start, end);
  const value = scale === 0 ? mantissa : mantissa / (powersOfTen[-scale] as number);
  return negative ? -value : value;
}

/** Parses numbers with an exponent or many digits. */
function slowFloat(bytes: Uint8Array, start: number, end: number): number {
  const first = (bytes[start] as number) | 32;
  if (end - start > maxNumberLength || first === 105 || first === 110) return Number.NaN;
  const value = readFloat(asciiOf(bytes, start, end));
  return typeof value === "number" && Number.isFinite(value) ? value : Number.NaN;
}

/** Parses an integer of at most 15 digits in `bytes[start..end)`; NaN for anything else. */
export function integerOf(bytes: Uint8Array, start: number, end: number): number {
  const first = bytes[start] as number;
  let at = first === 45 || first === 43 ? start + 1 : start;
  if (at === end || end - at > 15) return Number.NaN;
  let value = 0;
  for (; at < end; at++) {
    const digit = (bytes[at] as number) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return first === 45 ? 0 - value : value;
}

function asciiOf(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at] as number);
  return text;
}
