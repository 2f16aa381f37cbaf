import { mean, moments, sum, median, quantile } from "../../math/descriptive/index.ts";
import type { Statistic } from "./statistic.ts";

/** A statistic of present values, defined as in databases; null: undefined for so few values. */
export function computeStatistic(statistic: Statistic, values: Float64Array): number | null {
  const { kind } = statistic;
  if (kind === "count") return values.length;
  if (kind === "distinct") return new Set(values).size;
  if (values.length < (kind === "stddev" || kind === "variance" ? 2 : 1)) return null;
  if (kind === "mean") return mean(values);
  if (kind === "sum") return sum(values);
  if (kind === "median") return median(values);
  if (kind === "quantile") return quantile(values, statistic.at);
  const { minimum, maximum, variance } = moments(values);
  return { min: minimum, max: maximum, variance, stddev: Math.sqrt(variance) }[kind];
}
