/** `value` rounded to `digits` decimals (0..15), exactly, ties to the even digit (Python's round). */
export function roundToEven(value: number, digits: number): number {
  const size = Math.abs(value);
  // Larger doubles are integers.
  if (!(size < 2 ** 52)) return value;
  const rounded = isTie(size, digits) ? evenNeighbour(size, digits) : Number(size.toFixed(digits));
  return value < 0 ? -rounded : rounded;
}

/** A double is halfway between two decimals only if it is an odd multiple of 1 / 2^(digits + 1). */
function isTie(size: number, digits: number): boolean {
  const doubled = size * 2 ** (digits + 1);
  return Number.isInteger(doubled) && doubled % 2 === 1;
}

/** In BigInt: the product of a tie and a power of ten may exceed double precision. */
function evenNeighbour(size: number, digits: number): number {
  const below = (BigInt(size * 2 ** (digits + 1)) * 5n ** BigInt(digits)) / 2n;
  return Number(`${below % 2n === 0n ? below : below + 1n}e-${digits}`);
}

/**
 * `value` rounded to `digits` decimals (-15..15; negative: tens, hundreds), exactly, ties away from zero (SQL's round).
 */
export function roundAway(value: number, digits: number): number {
  const size = Math.abs(value);
  if (!Number.isFinite(size) || (digits >= 0 && size >= 2 ** 52)) return value;
  const step = 10 ** -digits;
  const rounded = digits >= 0 ? Number(size.toFixed(digits)) : Math.round(size / step) * step;
  return value < 0 ? -rounded : rounded;
}
