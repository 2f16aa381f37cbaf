import { simpson } from "../numerics/index.ts";
import { quantileOfSorted } from "./quantile.ts";
import { mean, sum } from "./summary-statistics.ts";

/**
 * Eight summary statistics: integral over x, mean, median, maximum, minimum, sum, lower and upper quartile. NaN values
 * are skipped, except in the integral, which becomes NaN.
 */
export function localStatistics(values: Float64Array, x: Float64Array): number[] {
  const known = values.filter((value) => !Number.isNaN(value));
  const sorted = known.toSorted();
  const quantiles = [0.5, 1, 0, 0.25, 0.75].map((p) => quantileOfSorted(sorted, p));
  const [median = Number.NaN, greatest = Number.NaN, least = Number.NaN, lower = Number.NaN, upper = Number.NaN] =
    quantiles;
  return [simpson(values, x), mean(known), median, greatest, least, sum(known), lower, upper];
}
