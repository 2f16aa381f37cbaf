import { moments, median, quantileOfSorted } from "../descriptive/index.ts";
import { normalQuantile, studentQuantile } from "../distributions/index.ts";
import { type LevelChange, levelChanges } from "./level-change.ts";

/** The expected range of a value. */
interface Bounds {
  readonly low: number;
  readonly high: number;
}

/**
 * Expected ranges from earlier values, as in Bencher. `boundary` is, for static: the distance from the first value;
 * percentage: a share of the mean (0.1: 10 %); z-score, t-test and log-normal: the probability of a value below the
 * upper bound (0.99) for a normal distribution, Student's prediction of one more value, and a normal distribution of
 * the logarithms; iqr: interquartile ranges from the median; delta-iqr: interquartile ranges of the relative steps
 * between values; noise-fence: interquartile ranges of these steps beyond their third quartile (rustc-perf's
 * significance).
 */
export const boundTests = {
  static: (values, boundary) => around(values[0] ?? Number.NaN, boundary),
  percentage: (values, boundary) => around(moments(values).mean, Math.abs(moments(values).mean) * boundary),
  "z-score"(values, boundary) {
    const { mean, variance } = moments(values);
    return around(mean, Math.sqrt(variance) * normalQuantile(boundary));
  },
  "t-test"(values, boundary) {
    const { mean, variance, count } = moments(values);
    return around(mean, Math.sqrt(variance * (1 + 1 / count)) * studentQuantile(boundary, count - 1));
  },
  "log-normal"(values, boundary) {
    const { mean, variance } = moments(values.map(Math.log));
    const away = Math.sqrt(variance) * normalQuantile(boundary);
    return { low: Math.exp(mean - away), high: Math.exp(mean + away) };
  },
  iqr: (values, boundary) => around(median(values), boundary * quartileDistance(values)),
  "delta-iqr"(values, boundary) {
    return around(median(values), Math.abs(median(values)) * boundary * quartileDistance(stepsOf(values)));
  },
  "noise-fence"(values, boundary) {
    const steps = stepsOf(values).sort();
    const most = quantileOfSorted(steps, 0.75) + boundary * quartileDistance(steps);
    const last = values.at(-1) ?? Number.NaN;
    return around(last, Math.abs(last) * most);
  },
} as const satisfies Record<string, (values: Float64Array, boundary: number) => Bounds>;

export type BoundTest = keyof typeof boundTests;

function around(centre: number, away: number): Bounds {
  return { low: centre - away, high: centre + away };
}

/** Relative steps from value to value. */
function stepsOf(values: Float64Array): Float64Array {
  return values.subarray(1).map((value, at) => Math.abs(value / (values[at] as number) - 1));
}

function quartileDistance(values: Float64Array): number {
  const sorted = values.slice().sort();
  return quantileOfSorted(sorted, 0.75) - quantileOfSorted(sorted, 0.25);
}

export interface OutsideOptions {
  /** Minimum and maximum number of earlier values. */
  readonly fewest: number;
  readonly most: number;
  /** The expected range after these values; NaN: unbounded. */
  bounds(earlier: Float64Array): Bounds;
}

/**
 * Values outside of the range expected from earlier ones. After each, only values of the new level count, and there is
 * no further change until there are enough of them.
 */
export function outside(values: Float64Array, { fewest, most, bounds }: OutsideOptions): LevelChange[] {
  const positions: number[] = [];
  for (let at = 0, from = 0; at < values.length; at++) {
    if (at - from < fewest) continue;
    const { low, high } = bounds(values.subarray(Math.max(from, at - most), at));
    const value = values[at] as number;
    if (!(value < low || value > high)) continue;
    positions.push(at);
    from = at;
  }
  return levelChanges(values, positions);
}
