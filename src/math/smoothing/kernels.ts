import { moments, quantileOfSorted } from "../descriptive/index.ts";

/** The smaller of standard deviation and normalised interquartile range, which is robust to outliers. */
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

/** The same rules by standard deviation only, as factors of the covariance. */
export const covarianceRules: Readonly<Record<string, (values: Float64Array) => number>> = {
  scott: (values) => Math.sqrt(moments(values).variance) * values.length ** -0.2,
  silverman: (values) => Math.sqrt(moments(values).variance) * ((values.length * 3) / 4) ** -0.2,
};

/** Weights by distance in bandwidths, up to a factor; 0 beyond `reach`. */
export interface Kernel {
  readonly reach: number;
  weight(u: number): number;
}

/** exp(-u²/2) is 0 beyond. */
const normalReach = 39;

/**
 * By Perun's names; all but epanechnikov4 have variance 1 or, of order 4, none (Wand and Jones, "Kernel Smoothing",
 * 1995, section 2.8).
 */
export const kernels: Readonly<Record<string, Kernel>> = {
  epanechnikov: { reach: Math.sqrt(5), weight: (u) => Math.max(0, 1 - (u * u) / 5) },
  tricube: { reach: Math.sqrt(243 / 35), weight: (u) => Math.max(0, 1 - Math.abs(u * Math.sqrt(35 / 243)) ** 3) ** 3 },
  normal: { reach: normalReach, weight: (u) => Math.exp((-u * u) / 2) },
  epanechnikov4: { reach: 1, weight: (u) => (Math.abs(u) < 1 ? (9 - 15 * u * u) / 8 : 0) },
  normal4: { reach: normalReach, weight: (u) => (3 - u * u) * Math.exp((-u * u) / 2) },
};
