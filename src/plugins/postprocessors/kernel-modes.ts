import type { Values } from "../../core/values/index.ts";
import {
  bandwidthRules,
  covarianceRules,
  robustSpread,
  kernels,
  type Kernel,
  correctedAkaike,
  estimates,
  leaveOneOutError,
  localConstant,
  localLinear,
  localPolynomial,
  distinctPoints,
  type Estimate,
  type DistinctPoints,
} from "../../math/smoothing/index.ts";
import { determination, likeness } from "../../math/regression/index.ts";
import { minimumNear } from "../../math/numerics/index.ts";
import { mean, moments, median } from "../../math/descriptive/index.ts";
import { seededRandom, shuffledOrder } from "../../math/sampling/index.ts";

/** A curve through the points of one location. */
export interface Curve {
  /** Name recorded in profiles: estimator, smoothing, ridge. */
  readonly mode: string;
  readonly bandwidth: number;
  /** The estimate at each point, ascending by x. */
  readonly values: Float64Array;
  readonly rSquared: number;
}

/** Perun's sub-commands; null if no bandwidth yields a curve. Options must be validated. */
export const curves: Readonly<Record<string, (points: DistinctPoints, options: Values) => Curve | null>> = {
  "estimator-settings": (points, options) => estimated(points, searchedBandwidth(points, options), options),
  "user-selection": (points, options) => estimated(points, Number(options.get("bandwidth-value")), options),
  /** Perun reads the rule under a different name than it writes, so that it always uses the first. */
  "method-selection": (points, options) => {
    const rule = options.get("compat") === "perun" ? "scott" : String(options.get("bandwidth-method"));
    return estimated(points, bandwidthRules[rule]!(xOf(points)), options);
  },
  "kernel-smoothing": smoothed,
  "kernel-ridge": ridge,
};

const normal = kernels["normal"]!;

function estimateOf(options: Values): Estimate {
  return options.get("reg-type") === "lc" ? localConstant : localLinear;
}

function estimated(points: DistinctPoints, bandwidth: number, options: Values): Curve | null {
  if (!(bandwidth > 0)) return null;
  const values = atPoints(points, estimates(points, bandwidth, normal, estimateOf(options)));
  return { mode: "estimator", bandwidth, values, rSquared: likeness(points.y, values) };
}

function atPoints(points: DistinctPoints, values: Float64Array): Float64Array {
  return Float64Array.from(points.indexOf, (at) => values[at]!);
}

function xOf(points: DistinctPoints): Float64Array {
  return atPoints(points, points.x);
}

/** Searches by cross-validation or the corrected Akaike criterion, on all points or on samples. */
function searchedBandwidth(points: DistinctPoints, options: Values): number {
  const criterion = options.get("bandwidth-criterion") === "aic" ? correctedAkaike : leaveOneOutError;
  const search = (part: DistinctPoints): number =>
    Math.abs(minimumNear((h) => criterion(part, Math.abs(h), normal, estimateOf(options)), firstGuess(part)));
  return options.get("efficient") === true ? sampledBandwidth(points, options, search) : search(points);
}

function firstGuess(points: DistinctPoints): number {
  const n = points.y.length;
  return 1.06 * Math.sqrt((moments(xOf(points)).variance * (n - 1)) / n) * n ** -0.2;
}

/** Averages the bandwidths of samples, normalised by sample size and spread, and scales the result to all points. */
function sampledBandwidth(points: DistinctPoints, options: Values, search: (part: DistinctPoints) => number): number {
  const x = xOf(points);
  const scaled = samplesOf(x.length, options).flatMap((rows) => {
    const part = distinctPoints(
      Float64Array.from(rows, (at) => x[at]!),
      Float64Array.from(rows, (at) => points.y[at]!),
    );
    const unit = robustSpread(xOf(part)) * rows.length ** -0.2;
    return rows.length >= 3 && unit > 0 ? [search(part) / unit] : [];
  });
  const typical = options.get("return-median") === true ? median : mean;
  return typical(Float64Array.from(scaled)) * robustSpread(x) * x.length ** -0.2;
}

/** Rows of each sample: drawn independently, or a random partition of all rows. */
function samplesOf(count: number, options: Values): Uint32Array[] {
  const [size, times] = [Number(options.get("n-sub-samples")), Number(options.get("n-re-samples"))];
  const random = seededRandom(Number(options.get("seed")));
  if (options.get("randomize") === true)
    return Array.from({ length: times }, () => shuffledOrder(count, random).subarray(0, size));
  const order = shuffledOrder(count, random);
  return Array.from({ length: Math.ceil(count / size) }, (_, part) => order.subarray(part * size, (part + 1) * size));
}

/** Doubles a bandwidth that is too narrow for a polynomial, which terminates for any unit; Perun adds 1. */
function smoothed(points: DistinctPoints, options: Values): Curve | null {
  const kernel = kernels[String(options.get("kernel-type"))]!;
  const given = options.get("bandwidth-value") ?? null;
  let bandwidth =
    given === null ? covarianceRules[String(options.get("bandwidth-method"))]!(xOf(points)) : Number(given);
  for (let attempt = 0; attempt < 64 && bandwidth > 0 && Number.isFinite(bandwidth); attempt++) {
    const smoothedValues = smoothedWithin(points, bandwidth, kernel, options);
    if (smoothedValues !== null) {
      const values = atPoints(points, smoothedValues);
      return { mode: "smoothing", bandwidth, values, rSquared: determination(points.y, values) };
    }
    bandwidth = options.get("compat") === "perun" ? bandwidth + 1 : bandwidth * 2;
  }
  return null;
}

/** Perun's local-linear always uses the normal kernel. */
function smoothedWithin(
  points: DistinctPoints,
  bandwidth: number,
  kernel: Kernel,
  options: Values,
): Float64Array | null {
  const method = options.get("smoothing-method");
  if (method === "local-linear" && options.get("compat") === "perun")
    return estimates(points, bandwidth, normal, localLinear);
  if (method === "local-polynomial")
    return localPolynomial(points, bandwidth, kernel, Number(options.get("polynomial-order")));
  return estimates(points, bandwidth, kernel, method === "local-linear" ? localLinear : localConstant);
}

/** Kernel exp(-γd²) with the γ of the smallest leave-one-out error. */
function ridge(points: DistinctPoints, options: Values): Curve | null {
  const [low, high, step] = ["gamma-low", "gamma-high", "gamma-step"].map((name) => Number(options.get(name))) as [
    number,
    number,
    number,
  ];
  let [gamma, minimum] = [Number.NaN, Infinity];
  for (let i = 0; i < Math.ceil((high - low) / step); i++) {
    const candidate = low + i * step;
    const error = leaveOneOutError(points, widthOf(candidate), normal, localConstant);
    if (error < minimum) [gamma, minimum] = [candidate, error];
  }
  if (Number.isNaN(gamma)) return null;
  const values = atPoints(points, estimates(points, widthOf(gamma), normal, localConstant));
  return { mode: "ridge", bandwidth: gamma, values, rSquared: determination(points.y, values) };
}

/** exp(-γd²) is the normal kernel of this bandwidth. */
function widthOf(gamma: number): number {
  return 1 / Math.sqrt(2 * gamma);
}
