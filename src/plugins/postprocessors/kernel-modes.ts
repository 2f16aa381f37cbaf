import type { Values } from "../../core/values/value.ts";
import { bandwidthRules, covarianceRules, robustSpread, kernels, type Kernel } from "../../math/smoothing/kernels.ts";
import { determination, likeness } from "../../math/regression/r-squared.ts";
import { correctedAkaike, estimates, leaveOneOutError, localConstant, localLinear, localPolynomial, distinctPoints, type Estimate, type DistinctPoints } from "../../math/smoothing/local-regression.ts";
import { minimumNear } from "../../math/numerics/minimize.ts";
import { mean, moments } from "../../math/descriptive/summary-statistics.ts";
import { median } from "../../math/descriptive/quantile.ts";
import { seededRandom, shuffledOrder } from "../../math/sampling/seeded-random.ts";

/** A curve through the points of one location. */
export interface Curve {
  /** What profiles record: estimator, smoothing, ridge. */
  readonly mode: string;
  readonly bandwidth: number;
  /** The estimate at each point, ascending by x. */
  readonly values: Float64Array;
  readonly rSquared: number;
}

/** Perun's sub-commands. null: no bandwidth gives a curve through these points. Option values are checked already. */
export const curves: Readonly<Record<string, (places: DistinctPoints, options: Values) => Curve | null>> = {
  "estimator-settings": (places, options) => estimated(places, searchedBandwidth(places, options), options),
  "user-selection": (places, options) => estimated(places, Number(options.get("bandwidth-value")), options),
  /** Perun reads the rule under another name than it writes it, and so never finds another than the first. */
  "method-selection": (places, options) => {
    const rule = options.get("compat") === "perun" ? "scott" : String(options.get("bandwidth-method"));
    return estimated(places, bandwidthRules[rule]!(xOf(places)), options);
  },
  "kernel-smoothing": smoothed,
  "kernel-ridge": ridge,
};

const normal = kernels["normal"]!;

function estimateOf(options: Values): Estimate {
  return options.get("reg-type") === "lc" ? localConstant : localLinear;
}

function estimated(places: DistinctPoints, bandwidth: number, options: Values): Curve | null {
  if (!(bandwidth > 0)) return null;
  const values = atPoints(places, estimates(places, bandwidth, normal, estimateOf(options)));
  return { mode: "estimator", bandwidth, values, rSquared: likeness(places.y, values) };
}

function atPoints(places: DistinctPoints, values: Float64Array): Float64Array {
  return Float64Array.from(places.indexOf, (at) => values[at]!);
}

function xOf(places: DistinctPoints): Float64Array {
  return atPoints(places, places.x);
}

/** By cross-validation or the corrected Akaike criterion, on all points or on samples. */
function searchedBandwidth(places: DistinctPoints, options: Values): number {
  const criterion = options.get("bandwidth-criterion") === "aic" ? correctedAkaike : leaveOneOutError;
  const search = (part: DistinctPoints): number =>
    Math.abs(minimumNear((h) => criterion(part, Math.abs(h), normal, estimateOf(options)), firstGuess(part)));
  return options.get("efficient") === true ? sampledBandwidth(places, options, search) : search(places);
}

function firstGuess(places: DistinctPoints): number {
  const n = places.y.length;
  return 1.06 * Math.sqrt((moments(xOf(places)).variance * (n - 1)) / n) * n ** -0.2;
}

/** The bandwidths of samples, each freed of the size and spread of its sample, then scaled to all points. */
function sampledBandwidth(places: DistinctPoints, options: Values, search: (part: DistinctPoints) => number): number {
  const x = xOf(places);
  const scaled = samplesOf(x.length, options).flatMap((rows) => {
    const part = distinctPoints(
      Float64Array.from(rows, (at) => x[at]!),
      Float64Array.from(rows, (at) => places.y[at]!),
    );
    const unit = robustSpread(xOf(part)) * rows.length ** -0.2;
    return rows.length >= 3 && unit > 0 ? [search(part) / unit] : [];
  });
  const typical = options.get("return-median") === true ? median : mean;
  return typical(Float64Array.from(scaled)) * robustSpread(x) * x.length ** -0.2;
}

/** Rows of each sample: drawn anew each time, or all rows in random order cut into pieces. */
function samplesOf(count: number, options: Values): Uint32Array[] {
  const [size, times] = [Number(options.get("n-sub-samples")), Number(options.get("n-re-samples"))];
  const random = seededRandom(Number(options.get("seed")));
  if (options.get("randomize") === true)
    return Array.from({ length: times }, () => shuffledOrder(count, random).subarray(0, size));
  const order = shuffledOrder(count, random);
  return Array.from({ length: Math.ceil(count / size) }, (_, piece) =>
    order.subarray(piece * size, (piece + 1) * size),
  );
}

/** Perun widens a bandwidth that is too narrow for a polynomial by 1; here it doubles, which ends for any unit. */
function smoothed(places: DistinctPoints, options: Values): Curve | null {
  const kernel = kernels[String(options.get("kernel-type"))]!;
  const given = options.get("bandwidth-value") ?? null;
  let bandwidth =
    given === null ? covarianceRules[String(options.get("bandwidth-method"))]!(xOf(places)) : Number(given);
  for (let attempt = 0; attempt < 64 && bandwidth > 0 && Number.isFinite(bandwidth); attempt++) {
    const found = smoothedWithin(places, bandwidth, kernel, options);
    if (found !== null) {
      const values = atPoints(places, found);
      return { mode: "smoothing", bandwidth, values, rSquared: determination(places.y, values) };
    }
    bandwidth = options.get("compat") === "perun" ? bandwidth + 1 : bandwidth * 2;
  }
  return null;
}

/** Perun's local-linear has the normal kernel, whatever is asked for. */
function smoothedWithin(places: DistinctPoints, bandwidth: number, kernel: Kernel, options: Values): Float64Array | null {
  const method = options.get("smoothing-method");
  if (method === "local-linear" && options.get("compat") === "perun")
    return estimates(places, bandwidth, normal, localLinear);
  if (method === "local-polynomial")
    return localPolynomial(places, bandwidth, kernel, Number(options.get("polynomial-order")));
  return estimates(places, bandwidth, kernel, method === "local-linear" ? localLinear : localConstant);
}

/** exp(-γd²) with the γ that best estimates each point from the others. */
function ridge(places: DistinctPoints, options: Values): Curve | null {
  const [low, high, step] = ["gamma-low", "gamma-high", "gamma-step"].map((name) => Number(options.get(name))) as [
    number,
    number,
    number,
  ];
  let [gamma, least] = [Number.NaN, Infinity];
  for (let i = 0; i < Math.ceil((high - low) / step); i++) {
    const candidate = low + i * step;
    const error = leaveOneOutError(places, widthOf(candidate), normal, localConstant);
    if (error < least) [gamma, least] = [candidate, error];
  }
  if (Number.isNaN(gamma)) return null;
  const values = atPoints(places, estimates(places, widthOf(gamma), normal, localConstant));
  return { mode: "ridge", bandwidth: gamma, values, rSquared: determination(places.y, values) };
}

/** exp(-γd²) is the normal kernel of this bandwidth. */
function widthOf(gamma: number): number {
  return 1 / Math.sqrt(2 * gamma);
}
