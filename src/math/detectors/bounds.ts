import { moments } from "../descriptive/summary-statistics.ts";
import { median, quantileOfSorted } from "../descriptive/quantile.ts";
import { normalQuantile } from "../distributions/normal-and-chi-square.ts";
import { studentQuantile } from "../distributions/student-t.ts";
import { type LevelChange, levelChanges } from "./level-change.ts";

/** What values may be, as earlier ones tell. */
interface Bounds {
  readonly low: number;
  readonly high: number;
}

/**
 * Ways to tell from earlier values what the next one may be, as Bencher has them. `boundary` is, of static: how far
 * from the first value; percentage: the share of the mean (0.1: 10 %); z-score, t-test and log-normal: the probability
 * that a value lies below the upper bound (0.99), of a normal distribution, of Student's prediction of one value more,
 * and of a normal distribution of the logarithms; iqr: how many distances of the quartiles from the median; delta-iqr:
 * the same of the relative steps from value to value; noise-fence: how many distances of the quartiles of these steps
 * beyond the third quartile a step from the last value may be, as rustc-perf tells what is relevant.
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

/** How far each value is from the one before, as a share of that. */
function stepsOf(values: Float64Array): Float64Array {
  return values.subarray(1).map((value, at) => Math.abs(value / (values[at] as number) - 1));
}

function quartileDistance(values: Float64Array): number {
  const sorted = values.slice().sort();
  return quantileOfSorted(sorted, 0.75) - quantileOfSorted(sorted, 0.25);
}

export interface OutsideOptions {
  /** Earlier values that are needed, and that are looked at. */
  readonly fewest: number;
  readonly most: number;
  /** What a value may be after these; NaN bounds nothing. */
  bounds(earlier: Float64Array): Bounds;
}

/**
 * Where a series leaves the bounds that its earlier values set. From there on they are set anew: nothing is told until
 * there are enough values of the new level, and those of the old one count no more.
 */
export function outside(values: Float64Array, { fewest, most, bounds }: OutsideOptions): LevelChange[] {
  const places: number[] = [];
  for (let at = 0, from = 0; at < values.length; at++) {
    if (at - from < fewest) continue;
    const { low, high } = bounds(values.subarray(Math.max(from, at - most), at));
    const value = values[at] as number;
    if (!(value < low || value > high)) continue;
    places.push(at);
    from = at;
  }
  return levelChanges(values, places);
}
