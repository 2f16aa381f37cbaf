import { moments } from "../descriptive/moments.ts";
import { quantileOfSorted } from "../descriptive/quantile.ts";

/** The smaller of standard deviation and interquartile range of a normal spread: outliers do not widen it. */
export function robustSpread(values: Float64Array): number {
  const sorted = Float64Array.from(values).sort();
  const quartiles = (quantileOfSorted(sorted, 0.75) - quantileOfSorted(sorted, 0.25)) / 1.349;
  const deviation = Math.sqrt(moments(values).variance);
  return quartiles > 0 ? Math.min(deviation, quartiles) : deviation;
}

/**
 * Rules of thumb for the bandwidth of a density of `n` values (Scott 1992, Silverman 1986); the constants are those of
 * statsmodels.
 */
export const bandwidthRules: Readonly<Record<string, (values: Float64Array) => number>> = {
  scott: (values) => 1.059 * robustSpread(values) * values.length ** -0.2,
  silverman: (values) => 0.9 * robustSpread(values) * values.length ** -0.2,
};

/** The same rules by the standard deviation alone, as factors of the covariance. */
export const covarianceRules: Readonly<Record<string, (values: Float64Array) => number>> = {
  scott: (values) => Math.sqrt(moments(values).variance) * values.length ** -0.2,
  silverman: (values) => Math.sqrt(moments(values).variance) * ((values.length * 3) / 4) ** -0.2,
};
