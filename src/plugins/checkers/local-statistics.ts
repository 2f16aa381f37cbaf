import { resultOfShare, type Change, type ChangeInterval, type ChangeResult } from "../../core/verdicts/index.ts";
import { modelsOf, type FormulaModel, type Model, type Run } from "../../core/profiles/index.ts";
import type { Values } from "../../core/values/index.ts";
import { evaluate, steps, nonzeroSteps } from "../../math/regression/index.ts";
import { mean, quantileOfSorted, sum } from "../../math/descriptive/index.ts";
import { roundToEven, simpson } from "../../math/numerics/index.ts";
import { compatOption, type Checker } from "./checker.ts";
import { directedCheck } from "./models/direction.ts";
import { modelsTypeOption, pairsOf, type ModelPair } from "./models/model-choice.ts";
import { valueAt } from "./models/model-value.ts";
import { overlapOf } from "./models/overlap.ts";
import { shareChange } from "./models/share-change.ts";
import { minRSquared, commonRSquared, sameBuckets } from "./models/same-buckets.ts";

/** Values of two models at the same positions. */
interface Samples {
  /** Positions to integrate over. */
  readonly x: Float64Array;
  readonly before: Float64Array;
  readonly after: Float64Array;
  /** Positions reported as the ends of intervals. */
  readonly positions: Float64Array;
}

const defaultSamples = 1000;

/**
 * The values of both models over the interval in which both were fitted; null if there is none. `isPerun`: Perun's
 * positions.
 */
function samplesOf(pair: ModelPair, target: Run, isPerun: boolean): Samples | null {
  if (isPerun) return samplesOfPerun(pair, target);
  const common = overlapOf(pair.baseline, pair.target);
  if (common === null) return null;
  const count = sampleCountOf(pair);
  const [x, at] = [steps(common.start, common.end, count), nonzeroSteps(common.start, common.end, count)];
  const [before, after] = [pair.baseline, pair.target].map((model) => at.map((each) => valueAt(model, each)));
  return { x, before: before ?? x, after: after ?? x, positions: x };
}

/** Number of samples, limited by the values of sampled models. */
function sampleCountOf({ baseline, target }: ModelPair): number {
  const counts = [baseline, target].map((model) => (model.kind === "sampled" ? model.values.length : defaultSamples));
  return Math.max(2, Math.min(...counts));
}

/**
 * Perun swaps x and y of formulas: it computes statistics of x, integrates over the baseline's y, and reports intervals
 * in y.
 */
function samplesOfPerun({ baseline, target: other }: ModelPair, target: Run): Samples {
  if (baseline.kind === "sampled" && other.kind === "sampled") {
    const [before, after] = sameBuckets(baseline, other, target);
    const x = steps(baseline.start, baseline.end, before.length);
    return { x, before, after, positions: x };
  }
  const [x, before, after] = [ordinatesOf(baseline), abscissaeOf(baseline), abscissaeOf(other)];
  const count = Math.min(before.length, after.length);
  const own = x.subarray(0, count);
  return { x: own, before: before.subarray(0, count), after: after.subarray(0, count), positions: own };
}

function abscissaeOf(model: Model): Float64Array {
  return model.kind === "formula" ? formulaPositions(model) : model.values;
}

function ordinatesOf(model: Model): Float64Array {
  if (model.kind === "sampled") return steps(model.start, model.end, model.values.length);
  return formulaPositions(model).map((x) => evaluate(model, x, true));
}

function formulaPositions({ start, end }: FormulaModel): Float64Array {
  return nonzeroSteps(start, end, defaultSamples);
}

const method = "local_statistics";
/** Length of an interval as a fraction of all positions. */
const intervalFraction = 0.05;
const statistics = 8;

/** Compares two models by intervals, which detects changes that affect some sizes only. */
export const localStatisticsChecker = Object.freeze<Checker>({
  kind: "checker",
  name: "local-statistics",
  aliases: ["loc"],
  synopsis: "eight statistics of models, compared by intervals",
  options: [modelsTypeOption, compatOption],
  method,
  types: ["-"],
  check: directedCheck(changesOf),
});

function changesOf(baseline: Run, target: Run, values: Values): readonly Change[] {
  const isPerun = values.get("compat") === "perun";
  const pairs = pairsOf(modelsOf(baseline), modelsOf(target), String(values.get("models-type") ?? ""));
  return pairs.flatMap((pair) => {
    const rSquared = commonRSquared(pair, roundToEven);
    const samples = rSquared >= minRSquared ? samplesOf(pair, target, isPerun) : null;
    if (samples === null) return [];
    const intervals = intervalsOf(samples, isPerun);
    const total = mean(Float64Array.from(intervals, (part) => part.rate));
    const change = shareChange(pair, total, { method, rSquared, isPerun });
    return [{ ...change, intervals: isPerun ? intervals : merged(intervals) }];
  });
}

function intervalsOf(samples: Samples, isPerun: boolean): ChangeInterval[] {
  const count = samples.x.length;
  const requested = Math.floor(intervalFraction * count);
  const size = requested >= 2 ? requested : count;
  return Array.from({ length: Math.ceil(count / size) }, (_, at) => intervalOf(samples, at * size, size, isPerun));
}

/** Perun pads the last interval with NaN, which drops its integral. */
function intervalOf(
  { x, before, after, positions }: Samples,
  first: number,
  size: number,
  isPerun: boolean,
): ChangeInterval {
  const end = Math.min(x.length, first + size);
  const isShort = isPerun && end < first + size;
  const [from = [], to = []] = [before, after].map((side) =>
    localStatistics(side.subarray(first, end), x.subarray(first, end)),
  );
  const shares = from.map((value, i) => (isShort && i === 0 ? 0 : shareOf(value, to[i] ?? Number.NaN, isPerun)));
  const round = (value: number): number => (isPerun ? roundToEven(value, 2) : value);
  return {
    result: resultOfScore(shares.map(scoreOf).reduce((total, score) => total + score, 0)),
    rate: shares.reduce((total, share) => total + share, 0) / statistics,
    from: round(positions[first] ?? Number.NaN),
    to: round(positions[end - 1] ?? Number.NaN),
  };
}

/** Relative change; 0 for NaN, ±1 for a baseline of zero, where Perun reports 0. */
function shareOf(before: number, after: number, isPerun: boolean): number {
  const fromNothing = isPerun ? 0 : Math.sign(after);
  const share = before === 0 ? fromNothing : (after - before) / (isPerun ? before : Math.abs(before));
  return Number.isNaN(share) ? 0 : share;
}

function scoreOf(share: number): number {
  const size = Math.abs(share) <= 0.1 ? 0 : Math.abs(share) <= 0.25 ? 0.5 : 1;
  return share < 0 ? -size : size;
}

/** Scores for a possible and a definite change. */
function resultOfScore(score: number): ChangeResult {
  return resultOfShare(score, 0.2 * statistics, 0.5 * statistics);
}

/** Merges adjacent intervals with the same result, averaging their rates. */
function merged(intervals: readonly ChangeInterval[]): ChangeInterval[] {
  const groups: ChangeInterval[][] = [];
  for (const part of intervals) {
    const last = groups.at(-1);
    if (last?.[0]?.result === part.result) last.push(part);
    else groups.push([part]);
  }
  return groups.map((group) => ({
    result: group[0]?.result ?? "Unknown",
    rate: mean(Float64Array.from(group, (part) => part.rate)),
    from: group[0]?.from ?? Number.NaN,
    to: group.at(-1)?.to ?? Number.NaN,
  }));
}

/**
 * Eight summary statistics: integral over x, mean, median, maximum, minimum, sum, lower and upper quartile. NaN values
 * are skipped, except in the integral, which becomes NaN.
 */
function localStatistics(values: Float64Array, x: Float64Array): number[] {
  const known = values.filter((value) => !Number.isNaN(value));
  const sorted = known.toSorted();
  const quantiles = [0.5, 1, 0, 0.25, 0.75].map((p) => quantileOfSorted(sorted, p));
  const [median = Number.NaN, greatest = Number.NaN, least = Number.NaN, lower = Number.NaN, upper = Number.NaN] =
    quantiles;
  return [simpson(values, x), mean(known), median, greatest, least, sum(known), lower, upper];
}
