import { mean, sum } from "./moments.ts";
import { quantileOfSorted } from "./quantile.ts";
import { simpson } from "../numerics/simpson.ts";

/**
 * Eight numbers that tell what values are like: integral over x, mean, median, greatest, least, sum, and the quartiles.
 * NaN among the values is passed over by all but the integral, which is NaN then.
 */
export function localStatistics(values: Float64Array, x: Float64Array): number[] {
  const known = values.filter((value) => !Number.isNaN(value));
  const sorted = known.toSorted();
  const quantiles = [0.5, 1, 0, 0.25, 0.75].map((p) => quantileOfSorted(sorted, p));
  const [median = Number.NaN, greatest = Number.NaN, least = Number.NaN, lower = Number.NaN, upper = Number.NaN] =
    quantiles;
  return [simpson(values, x), mean(known), median, greatest, least, sum(known), lower, upper];
}
