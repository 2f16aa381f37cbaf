import { inversions, mannKendall, noInterval, type Interval } from "../hypothesis-tests/index.ts";
import { normalQuantile } from "../distributions/index.ts";
import { median } from "../descriptive/index.ts";

/** A line through values at 0, 1, 2, …. */
export interface Trend extends Interval {
  /** The rise per value, which the interval is for. */
  readonly slope: number;
  readonly intercept: number;
}

/** With more values, slopes are counted instead of listed, in n log n steps for each of about a hundred iterations. */
const mostListed = 500;

/**
 * The median of the slopes between all pairs of values (Theil 1950), and Sen's confidence interval (1968, "Estimates of
 * the Regression Coefficient Based on Kendall's Tau"). NaN for fewer than two values; no interval if there are too few.
 */
export function theilSen(values: Float64Array, confidence: number): Trend {
  const n = values.length;
  const pairs = (n * (n - 1)) / 2;
  const ranked = n <= mostListed ? listedSlopes(values) : (rank: number): number => countedSlope(values, rank);
  const slope = (ranked(Math.ceil(pairs / 2)) + ranked(Math.floor(pairs / 2) + 1)) / 2;
  const half = normalQuantile((1 + confidence) / 2) * Math.sqrt(mannKendall(values).variance);
  const first = Math.floor((pairs - half) / 2);
  const ends = first >= 1 ? { low: ranked(first), high: ranked(pairs - first + 1) } : noInterval;
  return { slope, intercept: median(values.map((value, at) => value - slope * at)), ...ends };
}

/** The slope by rank, from 1; NaN if there is none. */
function listedSlopes(values: Float64Array): (rank: number) => number {
  const n = values.length;
  const slopes = new Float64Array((n * (n - 1)) / 2);
  for (let i = 0, at = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) slopes[at++] = ((values[j] as number) - (values[i] as number)) / (j - i);
  }
  slopes.sort();
  return (rank) => slopes[rank - 1] ?? Number.NaN;
}

/** The slope of that rank, by bisection: every slope is between the extremes of the slopes of neighbours. */
function countedSlope(values: Float64Array, rank: number): number {
  const pairs = (values.length * (values.length - 1)) / 2;
  const steps = values.subarray(1).map((value, at) => value - (values[at] as number));
  let [low, high] = [Infinity, -Infinity];
  for (const step of steps) [low, high] = [Math.min(low, step), Math.max(high, step)];
  for (let i = 0; i < 200; i++) {
    const middle = low / 2 + high / 2;
    if (!(middle > low && middle < high)) break;
    // A pair with a slope above `middle` still rises after subtracting it.
    const level = inversions(values.map((value, at) => value - middle * at));
    if (level.descending + level.equal >= rank) high = middle;
    else low = middle;
  }
  return pairs === 0 ? Number.NaN : high;
}
