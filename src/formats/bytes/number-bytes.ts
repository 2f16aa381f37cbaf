import { lossOf, readFloat } from "../../core/values/index.ts";

const powersOfTen = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

const [plus, minus, point, zero, letterE] = [0x2b, 0x2d, 0x2e, 0x30, 0x65] as const;

/** The largest power of ten, positive or negative, that `roundedDecimal` takes. */
const mostPower = 45;

/** Each power of ten is exactly the sum of two doubles. */
const [highPowers, lowPowers] = exactPowers();

function exactPowers(): readonly [Float64Array, Float64Array] {
  const powers = Array.from({ length: mostPower + 1 }, (_, exponent) => 10n ** BigInt(exponent));
  const high = Float64Array.from(powers, Number);
  return [high, Float64Array.from(powers, (power, at) => Number(power - BigInt(high[at]!)))];
}

/** Longer tokens are rejected. */
const maxNumberLength = 400;

/**
 * Parses the decimal number in `bytes[start..end)` exactly as Number() does; NaN unless all of it is one number that is
 * stored without a loss (`lossOf`), so that callers read the others from the text and report them. Up to 15 digits and
 * powers up to 10^22 are exact doubles, so one division rounds once; others are read by `longFloat`.
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
  if (at < end || digits === 0 || digits > 15 || scale < -22) return longFloat(bytes, start, end);
  const value = scale === 0 ? mantissa : mantissa / (powersOfTen[-scale] as number);
  return negative ? -value : value;
}

/** Parses numbers with an exponent or up to 19 digits. */
function longFloat(bytes: Uint8Array, start: number, end: number): number {
  const isNegative = bytes[start] === minus;
  let at = isNegative || bytes[start] === plus ? start + 1 : start;
  let [head, tail, digits, tailDigits, scale, hasPoint] = [0, 0, 0, 0, 0, false];
  for (; at < end; at++) {
    const digit = bytes[at]! - zero;
    if (digit >= 0 && digit <= 9) {
      digits += 1;
      if (hasPoint) scale -= 1;
      if (head < 1e14) head = head * 10 + digit;
      else [tail, tailDigits] = [tail * 10 + digit, tailDigits + 1];
    } else if (bytes[at] === point && !hasPoint) hasPoint = true;
    else break;
  }
  const exponent = scale + (at < end ? exponentOf(bytes, at, end) : 0);
  // A comparison with NaN is false.
  if (digits === 0 || tailDigits > 4 || !(Math.abs(exponent) <= mostPower)) return slowFloat(bytes, start, end);
  const value = roundedDecimal(head, tail, tailDigits, exponent);
  const mayLoseDigits = value > Number.MAX_SAFE_INTEGER && at === end && !hasPoint;
  if (mayLoseDigits || Number.isNaN(value)) return slowFloat(bytes, start, end);
  return isNegative ? -value : value;
}

/** The number after `e`; NaN unless it is all of `bytes[at..end)`. */
function exponentOf(bytes: Uint8Array, at: number, end: number): number {
  return (bytes[at]! | 32) === letterE && end - at <= 4 ? integerOf(bytes, at + 1, end) : Number.NaN;
}

/** Parses all numbers, and texts that are none. */
function slowFloat(bytes: Uint8Array, start: number, end: number): number {
  const first = (bytes[start] as number) | 32;
  if (end - start > maxNumberLength || first === 105 || first === 110) return Number.NaN;
  const text = asciiOf(bytes, start, end);
  const value = readFloat(text);
  const isExact = typeof value === "number" && Number.isFinite(value) && lossOf(text, value) === undefined;
  return isExact ? value : Number.NaN;
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

/**
 * The double nearest to (`head`·10^`tailDigits` + `tail`)·10^`exponent`, for integers `head` below 10^15 and `tail`
 * below 10^`tailDigits`, of at most 4 digits. NaN if the number is too close to the middle of two doubles to decide.
 *
 * Computes with the sum of two doubles (T. J. Dekker, A floating-point technique for extending the available precision,
 * 1971), whose error is below 2^-100 of the number, and rounds both bounds (A. Ziv, Fast evaluation of elementary
 * mathematical functions with correctly rounded last bit, 1991).
 */
function roundedDecimal(head: number, tail: number, tailDigits: number, exponent: number): number {
  const shift = highPowers[tailDigits]!;
  const product = head * shift;
  const rest = productError(head, shift, product) + tail;
  const high = product + rest;
  const low = rest - (high - product);
  const at = Math.abs(exponent);
  const [power, powerRest] = [highPowers[at]!, lowPowers[at]!];
  if (exponent >= 0) {
    const value = high * power;
    return decided(value, productError(high, power, value) + (high * powerRest + low * power));
  }
  const value = high / power;
  const back = value * power;
  return decided(value, (high - back - productError(value, power, back) + low - value * powerRest) / power);
}

/** Far above the error of `value + rest`. */
const relativeError = 2 ** -98;

function decided(value: number, rest: number): number {
  const error = value * relativeError;
  const upper = value + (rest + error);
  return upper === value + (rest - error) ? upper : Number.NaN;
}

/** Splits a double into two halves of 26 bits. */
const splitter = 2 ** 27 + 1;

/** `a`·`b` − `product`, exactly. */
function productError(a: number, b: number, product: number): number {
  const [scaledA, scaledB] = [splitter * a, splitter * b];
  const highA = scaledA - (scaledA - a);
  const highB = scaledB - (scaledB - b);
  const [lowA, lowB] = [a - highA, b - highB];
  return lowA * lowB - (product - highA * highB - lowA * highB - highA * lowB);
}
