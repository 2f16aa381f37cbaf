import { InvalidValue } from "./invalid-value.ts";

const integerText = /^[+-]?\d+$/;
const floatText = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const specialText = /^([+-]?)(nan|inf|infinity)$/i;

/** More digits than any integer type has; checked before BigInt, whose cost is quadratic in the length. */
const mostDigits = 40;

/** An integer of `size` bytes (two's complement): a number within 2^53, a bigint beyond. No hex, blanks or fraction. */
export function readInteger(text: string, size: 2 | 4 | 8 = 8): number | bigint | InvalidValue {
  if (!integerText.test(text)) return new InvalidValue("it is no whole number");
  if (text.length > mostDigits) return tooLarge(size);
  const value = Number(text);
  if (Number.isSafeInteger(value)) return size === 8 || fits(BigInt(value), size) ? value + 0 : tooLarge(size);
  const exact = BigInt(text.startsWith("+") ? text.slice(1) : text);
  return fits(exact, size) ? exact : tooLarge(size);
}

function fits(value: bigint, size: 2 | 4 | 8): boolean {
  return BigInt.asIntN(size * 8, value) === value;
}

function tooLarge(size: number): InvalidValue {
  return new InvalidValue(`it does not fit into ${size} bytes`);
}

const nonZeroDigit = /^[^eE]*[1-9]/;

/**
 * Why `value`, the float of a number in the notation of `readFloat`, is another number; undefined if it is the nearest
 * one and no digits of an integer are lost.
 */
export function lossOf(text: string, value: number): string | undefined {
  if (value === 0)
    return nonZeroDigit.test(text) ? `'${short(text)}' is below the range of a float: 0 is stored` : undefined;
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER || !Number.isFinite(value) || !integerText.test(text))
    return undefined;
  if (BigInt(text.replace("+", "")) === BigInt(value)) return undefined;
  return `'${short(text)}' has more digits than a float: ${value} is stored`;
}

function short(text: string): string {
  return text.slice(0, 40);
}

/** A decimal number; nan and inf (infinity) only when spelled out, in any case. 1e400 is refused, not infinite. */
export function readFloat(text: string): number | InvalidValue {
  if (floatText.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : new InvalidValue("it is larger than any float");
  }
  const special = specialText.exec(text);
  if (!special) return new InvalidValue("it is no number");
  if (special[2]?.toLowerCase() === "nan") return Number.NaN;
  return special[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}
