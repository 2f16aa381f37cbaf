import { ReusedArray, robustScale } from "../descriptive/index.ts";

/** Window of the running median. */
const span = 7;

/** Correction of deviations from a running median of seven, which includes the value itself. */
const ownShare = 1.15;

/** The last values and their result: a series is detected and judged by the same ones. */
let last: { readonly values: Float64Array; readonly most: number; readonly result: Float64Array } | undefined;

/**
 * Limits values to `most` standard deviations from the running median. Neither the values nor the result may be changed
 * afterwards: the next call with the same array returns the same result.
 */
export function winsorized(values: Float64Array, most: number): Float64Array {
  if (last?.values !== values || last.most !== most) last = { values, most, result: limited(values, most) };
  return last.result;
}

const deviations = new ReusedArray();

function limited(values: Float64Array, most: number): Float64Array {
  const { length } = values;
  const middles = runningMedians(values);
  const away = deviations.of(length);
  for (let at = 0; at < length; at++) away[at] = (values[at] as number) - (middles[at] as number);
  const limit = most * ownShare * robustScale(away, length);
  for (let at = 0; at < length; at++) {
    const own = away[at] as number;
    middles[at] = (middles[at] as number) + (own > limit ? limit : own < -limit ? -limit : own);
  }
  return middles;
}

/** The median of the values around each one; at the ends that of the first and last window. */
function runningMedians(values: Float64Array): Float64Array {
  const { length } = values;
  const half = span >> 1;
  const near = values.slice(0, span);
  const first = medianOfFew(near);
  const middles = new Float64Array(length).fill(first);
  if (length <= span) return middles;
  for (let at = half + 1; at < length - half; at++) {
    exchange(near, values[at - half - 1] as number, values[at + half] as number);
    middles[at] = near[half] as number;
  }
  return middles.fill(near[half] as number, length - half);
}

/** Replaces a value in a sorted array, which stays sorted. */
function exchange(sorted: Float64Array, old: number, value: number): void {
  let at = 0;
  while (sorted[at] !== old) at++;
  for (; at + 1 < span && (sorted[at + 1] as number) < value; at++) sorted[at] = sorted[at + 1] as number;
  for (; at > 0 && (sorted[at - 1] as number) > value; at--) sorted[at] = sorted[at - 1] as number;
  sorted[at] = value;
}

/** The median of a few values, sorted in position by insertion. NaN when empty. */
function medianOfFew(values: Float64Array): number {
  for (let i = 1; i < values.length; i++) {
    const value = values[i] as number;
    let at = i;
    for (; at > 0 && (values[at - 1] as number) > value; at--) values[at] = values[at - 1] as number;
    values[at] = value;
  }
  const half = values.length >> 1;
  const upper = values[half] ?? Number.NaN;
  return values.length % 2 === 1 ? upper : ((values[half - 1] ?? Number.NaN) + upper) / 2;
}
