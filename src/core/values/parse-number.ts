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
