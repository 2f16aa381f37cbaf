/** `value` rounded to `digits` decimals (0..15), exactly as it is stored, ties to the even digit (Python's round). */
export function roundToEven(value: number, digits: number): number {
  const size = Math.abs(value);
  // From here on doubles are whole numbers.
  if (!(size < 2 ** 52)) return value;
  const rounded = isTie(size, digits) ? evenNeighbour(size, digits) : Number(size.toFixed(digits));
  return value < 0 ? -rounded : rounded;
}

/** A double lies in the middle of two decimals only when it is an odd multiple of 1 / 2^(digits + 1). */
function isTie(size: number, digits: number): boolean {
  const doubled = size * 2 ** (digits + 1);
  return Number.isInteger(doubled) && doubled % 2 === 1;
}

/** The product of a tie and a power of ten may have more digits than a double. */
function evenNeighbour(size: number, digits: number): number {
  const below = (BigInt(size * 2 ** (digits + 1)) * 5n ** BigInt(digits)) / 2n;
  return Number(`${below % 2n === 0n ? below : below + 1n}e-${digits}`);
}

/**
 * `value` rounded to `digits` decimals (-15..15; below zero: tens, hundreds), exactly as it is stored, ties away from
 * zero (SQL's round).
 */
export function roundAway(value: number, digits: number): number {
  const size = Math.abs(value);
  if (!Number.isFinite(size) || (digits >= 0 && size >= 2 ** 52)) return value;
  const step = 10 ** -digits;
  const rounded = digits >= 0 ? Number(size.toFixed(digits)) : Math.round(size / step) * step;
  return value < 0 ? -rounded : rounded;
}
