import { mean, moments, sum } from "../../math/descriptive/moments.ts";
import { median, quantile } from "../../math/descriptive/quantile.ts";
import type { Statistic } from "./statistic.ts";

/** A statistic of contents that are there, as databases tell it; null: so few have none. */
export function statisticContent(statistic: Statistic, contents: Float64Array): number | null {
  const { kind } = statistic;
  if (kind === "count") return contents.length;
  if (kind === "distinct") return new Set(contents).size;
  if (contents.length < (kind === "stddev" || kind === "variance" ? 2 : 1)) return null;
  if (kind === "mean") return mean(contents);
  if (kind === "sum") return sum(contents);
  if (kind === "median") return median(contents);
  if (kind === "quantile") return quantile(contents, statistic.at);
  const { minimum, maximum, variance } = moments(contents);
  return { min: minimum, max: maximum, variance, stddev: Math.sqrt(variance) }[kind];
}
