import { robustScale } from "../descriptive/robust-statistics.ts";

/** Values about a place of which the median says where the series is there. */
const span = 7;

/** What deviations from a running median of seven are too small by, since the value is one of them. */
const ownShare = 1.15;

/**
 * The values with those that stand further from the running median than `most` standard deviations pulled in to that
 * distance.
 */
export function winsorized(values: Float64Array, most: number): Float64Array {
  const { length } = values;
  const middles = runningMedians(values);
  const away = new Float64Array(length);
  for (let at = 0; at < length; at++) away[at] = (values[at] as number) - (middles[at] as number);
  const limit = most * ownShare * robustScale(away);
  for (let at = 0; at < length; at++)
    middles[at] = (middles[at] as number) + Math.max(-limit, Math.min(limit, away[at] as number));
  return middles;
}

/** The median of the values about each place; at the ends that of the first and last ones. */
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

/** Puts a value in the place of another among values in order, which stay so. */
function exchange(sorted: Float64Array, old: number, value: number): void {
  let at = 0;
  while (sorted[at] !== old) at++;
  for (; at + 1 < span && (sorted[at + 1] as number) < value; at++) sorted[at] = sorted[at + 1] as number;
  for (; at > 0 && (sorted[at - 1] as number) > value; at--) sorted[at] = sorted[at - 1] as number;
  sorted[at] = value;
}

/** The median of a few values, which are put in order; by insertion, which is quickest for few. NaN when empty. */
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
