/** The least number of three digits that is greater: a threshold that nobody would keep all digits of. Infinity stays. */
export function roundedUp(size: number): number {
  if (!(size > 0) || size === Number.POSITIVE_INFINITY) return size;
  const step = 10 ** (Math.floor(Math.log10(size)) - 2);
  return Number(((Math.floor(size / step) + 1) * step).toPrecision(3));
}
