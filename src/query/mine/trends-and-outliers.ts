import {
  mean,
  moments,
  median,
  middleRanks,
  quartiles,
  robustScale,
  madFactor,
  quartileDispersion,
} from "../../math/descriptive/index.ts";
import {
  varianceInflation,
  mannKendall,
  mannWhitney,
  shiftBetween,
  type Shift,
  medianRank,
  signTail,
  type Interval,
  studentTest,
} from "../../math/hypothesis-tests/index.ts";
import { pelt } from "../../math/detectors/index.ts";
import { chiSquareTail, chiSquareUpper, studentTail } from "../../math/distributions/index.ts";
import { theilSen, type Trend } from "../../math/regression/index.ts";
import type { Spread } from "./finding.ts";

/** A value far from the level of its set. */
export interface Far {
  readonly at: number;
  /** Robust standard deviations. */
  readonly distance: number;
  readonly p: number;
}

/** Fewest values for outlier detection. */
export const fewestForOutliers = 5;

/** Hampel's three standard deviations. */
const farFrom = 3;

/**
 * Hampel's identifier: deviations of more than 3 robust standard deviations, with the two-sided p of Student's
 * distribution, which accounts for a scale estimated from few values.
 */
export function farValues(deviations: Float64Array): Far[] {
  if (deviations.length < fewestForOutliers) return [];
  const scale = robustScale(deviations);
  const found: Far[] = [];
  if (!(scale > 0)) return found;
  for (let at = 0; at < deviations.length; at++) {
    const distance = Math.abs(deviations[at] as number) / scale;
    if (distance > farFrom) found.push({ at, distance, p: 2 * studentTail(distance, deviations.length - 1) });
  }
  return found;
}

/** Fewest values for the sign test; fewer are assumed to be normal. */
const fewestForSigns = 8;

/** Fewest values with a spread. */
export const fewestForSpread = 3;

export type Evidence = Pick<Spread, "spread" | "interval" | "method" | "p">;

/**
 * Tests whether values spread by more than `limit`, a share of their level. `relative`: deviations from the level as
 * shares of it, which are overwritten. From 8 values on by the median deviation, which resists outliers, with interval
 * and p of the sign test; below by the standard deviation and the distribution of the variance of normal values.
 */
export function spreadOf(relative: Float64Array, limit: number, confidence: number): Evidence {
  return relative.length < fewestForSigns
    ? standardSpread(relative, limit, confidence)
    : medianSpread(relative, limit, confidence);
}

function medianSpread(relative: Float64Array, limit: number, confidence: number): Evidence {
  const sizes = relative;
  let beyond = 0;
  for (let at = 0; at < sizes.length; at++) {
    const size = Math.abs(sizes[at] as number);
    sizes[at] = size;
    if (size * madFactor > limit) beyond += 1;
  }
  const { median: spread, low, high } = middleRanks(sizes, 0, sizes.length, medianRank(sizes.length, confidence));
  return {
    spread: madFactor * spread,
    interval: { low: madFactor * low, high: madFactor * high },
    method: "median-deviation",
    p: signTail(beyond, sizes.length),
  };
}

function standardSpread(relative: Float64Array, limit: number, confidence: number): Evidence {
  const { count, variance } = moments(relative);
  const squares = variance * (count - 1);
  const end = (tail: number): number => Math.sqrt(squares / chiSquareUpper(tail, count - 1));
  const interval: Interval = { low: end((1 - confidence) / 2), high: end((1 + confidence) / 2) };
  const p = limit > 0 ? chiSquareTail(squares / limit ** 2, count - 1) : variance > 0 ? 0 : 1;
  return { spread: Math.sqrt(variance), interval, method: "standard-deviation", p };
}

/** Further statistics of the values of a set. */
export function describedSpread(values: Float64Array): Pick<Spread, "level" | "variation" | "dispersion"> {
  const { mean, variance } = moments(values);
  const { low, middle, high } = quartiles(values);
  return {
    level: middle,
    variation: Math.sqrt(variance) / Math.abs(mean),
    dispersion: quartileDispersion(low, high),
  };
}

/** A change of level at value `at`, between the values from `from` to before `to`. */
export interface Step {
  readonly from: number;
  readonly at: number;
  readonly to: number;
  /** Corrected for all possible positions between `from` and `to`. */
  readonly p: number;
}

/** The course of a series along its runs. If both steps and a line are significant, the one with the better BIC. */
export type Course =
  | { readonly kind: "steady" }
  | { readonly kind: "steps"; readonly steps: readonly Step[] }
  | { readonly kind: "line"; readonly p: number };

/** Fewest values of a level, so that a spike is not one. */
const shortestLevel = 3;

/** Fewest runs with a course. */
export const fewestRuns = 5;

/** Largest p of the rank test for a step: 4 runs on each side, or 3 and 5, can reach it. */
const confirming = 0.05;

/** Most values compared on each side of a step, the closest ones. */
const mostCompared = 500;

/** The course of a series at a significance level. */
export function courseOf(values: Float64Array, level: number): Course {
  if (values.length < fewestRuns) return { kind: "steady" };
  const steps = significantSteps(values, level);
  const p = driftChance(values, level);
  if (steps.length === 0) return p <= level ? { kind: "line", p } : { kind: "steady" };
  return p <= level && lineCost(values) < stepsCost(values, steps) ? { kind: "line", p } : { kind: "steps", steps };
}

/** Corrects the p of a drift for autocorrelation: correlated runs drift for a while by chance. */
function driftChance(values: Float64Array, level: number): number {
  const { p } = mannKendall(values);
  if (p > level) return p;
  const line = along(theilSen(values, 0.95), values.length);
  return mannKendall(values, varianceInflation(values.map((value, at) => value - (line[at] as number)))).p;
}

/** The steps of the optimal split that are significant; removes the weakest and tests its neighbours again. */
function significantSteps(values: Float64Array, level: number): Step[] {
  const positions = pelt(values, penaltyFor(values), shortestLevel);
  for (;;) {
    const steps = positions.map((_, at) => testStep(values, positions, at));
    const weakest = steps.reduce((worst, { p }, at) => (p > (steps[worst]?.p ?? 0) ? at : worst), 0);
    if ((steps[weakest]?.p ?? 0) <= level) return steps;
    positions.splice(weakest, 1);
  }
}

/**
 * The penalty of BIC with two parameters per change; the noise comes from differences of neighbours, which levels do
 * not affect.
 */
function penaltyFor(values: Float64Array): number {
  const differences = values.subarray(1).map((value, at) => (value - (values[at] as number)) / Math.SQRT2);
  return 2 * Math.log(values.length) * Math.max(robustScale(differences) ** 2, Number.MIN_VALUE);
}

/**
 * Tests a step by Mann-Whitney, and takes p from Student's test: ranks of few runs cannot reach a small p, and means
 * alone are sensitive to one outlier.
 */
function testStep(values: Float64Array, positions: readonly number[], index: number): Step {
  const [from, at, to] = [positions[index - 1] ?? 0, positions[index] ?? 0, positions[index + 1] ?? values.length];
  const [before, after] = sides(values, { from, at, to });
  if (mannWhitney(before, after) > confirming) return { from, at, to, p: 1 };
  // Corrects for the choice of the best position.
  const chances = to - from - 2 * shortestLevel + 1;
  const inflation = varianceInflation(Float64Array.of(...centred(before), ...centred(after)));
  return { from, at, to, p: Math.min(1, studentTest(before, after, inflation) * Math.max(1, chances)) };
}

function centred(values: Float64Array): Float64Array {
  const level = mean(values);
  return values.map((value) => value - level);
}

function sides(values: Float64Array, { from, at, to }: Omit<Step, "p">): [Float64Array, Float64Array] {
  return [values.subarray(Math.max(from, at - mostCompared), at), values.subarray(at, Math.min(to, at + mostCompared))];
}

/** The change of level at a step. */
export function shiftAt(
  values: Float64Array,
  step: Step,
  confidence: number,
): Shift & { readonly before: number; readonly after: number } {
  const [before, after] = sides(values, step);
  return { ...shiftBetween(before, after, confidence), before: median(before), after: median(after) };
}

/** The level at each index of a series. */
export function courseLevels(values: Float64Array, course: Course): Float64Array {
  if (course.kind === "line") return along(theilSen(values, 0.95), values.length);
  const levels = new Float64Array(values.length);
  const ends = [...(course.kind === "steps" ? course.steps.map(({ at }) => at) : []), values.length];
  ends.forEach((end, at) => levels.fill(median(values.subarray(ends[at - 1] ?? 0, end)), ends[at - 1] ?? 0, end));
  return levels;
}

function along({ slope, intercept }: Trend, length: number): Float64Array {
  return Float64Array.from({ length }, (_, at) => intercept + slope * at);
}

function stepsCost(values: Float64Array, steps: readonly Step[]): number {
  return cost(values, courseLevels(values, { kind: "steps", steps }), 2 * steps.length + 1);
}

function lineCost(values: Float64Array): number {
  return cost(values, courseLevels(values, { kind: "line", p: 0 }), 2);
}

/** Bayesian information criterion for double-exponential deviations, for which medians are the best fit. */
function cost(values: Float64Array, levels: Float64Array, parameters: number): number {
  const deviation =
    values.reduce((sum, value, at) => sum + Math.abs(value - (levels[at] as number)), 0) / values.length;
  return 2 * values.length * Math.log(Math.max(deviation, Number.MIN_VALUE)) + parameters * Math.log(values.length);
}
