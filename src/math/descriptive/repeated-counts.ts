/**
 * Relative difference up to which counts are equal. Paths and environment variables of a process change its counts by
 * tens of events, in millions.
 */
export const countJitter = 1e-5;

export function areEqualCounts(a: number, b: number): boolean {
  return Math.abs(a - b) <= countJitter * Math.min(Math.abs(a), Math.abs(b));
}

/** Whether all values are integers that equal each other as counts. */
export function areRepeatedCounts(values: Float64Array): boolean {
  let [least, greatest] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isSafeInteger(value)) return false;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  return least === greatest || areEqualCounts(least, greatest);
}
