import {
  type SampledModel,
  locationName,
  pointsBySubtype,
  pointsByUid,
  type Run,
} from "../../../core/profiles/index.ts";
import { binsOf, binStatistics } from "../../../math/smoothing/index.ts";
import { mean, median } from "../../../math/descriptive/index.ts";
import type { ModelPair } from "./model-choice.ts";

/**
 * The values of both models with equal length. Recomputes a regressogram of the target with the baseline's number of
 * buckets.
 */
export function sameBuckets(
  before: SampledModel,
  after: SampledModel,
  target: Run,
): readonly [Float64Array, Float64Array] {
  const count = before.values.length;
  const mustRecompute =
    before.name === "regressogram" && after.name === "regressogram" && after.values.length !== count;
  const values = (mustRecompute ? recompute(after, target, count) : undefined) ?? after.values;
  const length = Math.min(count, values.length);
  return [before.values.subarray(0, length), values.subarray(0, length)];
}

function recompute(
  { uid, perKey, ofKey, statistic }: SampledModel,
  target: Run,
  count: number,
): Float64Array | undefined {
  const names = [perKey, ofKey].map((key) => key.split(":", 1)[0]);
  if (!names.every((name) => target.data.variables.some((variable) => variable.name === name))) return undefined;
  const points =
    pointsBySubtype(target.data, perKey, ofKey).find((each) => locationName(each) === uid) ??
    pointsByUid(target.data, perKey, ofKey).find((each) => each.uid === uid);
  return points && binStatistics(binsOf(points.x, count), points.y, count, statistic === "median" ? median : mean);
}

/**
 * The lower R² of both models, with two decimals like Perun. Models below `minRSquared` are not compared.
 */
export function commonRSquared(
  { baseline, target }: ModelPair,
  round: (value: number, digits: number) => number,
): number {
  return round(Math.min(baseline.rSquared, target.rSquared), 2);
}

export const minRSquared = 0.15;
