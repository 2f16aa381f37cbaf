import { extent } from "./extent.ts";

/**
 * Relative difference up to which counts are equal. Paths and environment variables of a process change its counts by
 * tens of events, in millions.
 */
const countJitter = 1e-5;

export function areEqualCounts(a: number, b: number): boolean {
  return Math.abs(a - b) <= countJitter * Math.min(Math.abs(a), Math.abs(b));
}

/** Whether all values are integers that equal each other as counts. */
export function areRepeatedCounts(values: Float64Array): boolean {
  if (!values.every((value) => Number.isSafeInteger(value))) return false;
  const [least, greatest] = extent(values);
  return least === greatest || areEqualCounts(least, greatest);
}
