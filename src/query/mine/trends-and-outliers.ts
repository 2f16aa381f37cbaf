import { mean, moments } from "../../math/descriptive/moments.ts";
import { median, quantileOfSorted } from "../../math/descriptive/quantile.ts";
import { robustScale, madFactor, quartileDispersion } from "../../math/descriptive/robust-scale.ts";
import { varianceInflation } from "../../math/descriptive/variance-inflation.ts";
import { pelt } from "../../math/detectors/pelt.ts";
import { chiSquareTail, chiSquareUpper } from "../../math/distributions/chi-square.ts";
import { studentTail } from "../../math/distributions/student-t.ts";
import { mannKendall } from "../../math/hypothesis-tests/mann-kendall.ts";
import { mannWhitney, shiftBetween, type Shift } from "../../math/hypothesis-tests/mann-whitney.ts";
import { medianInterval, signTail, type Interval } from "../../math/hypothesis-tests/sign-test.ts";
import { studentTest } from "../../math/hypothesis-tests/student-t-test.ts";
import { theilSen, type Trend } from "../../math/regression/theil-sen.ts";
import type { Spread } from "./finding.ts";

/** A value far from the level of its set. */
interface Far {
  readonly at: number;
  /** Robust standard deviations. */
  readonly distance: number;
  readonly p: number;
}

/** Fewest values among which one can stand out. */
export const fewestForOutliers = 5;

/** Hampel's three standard deviations. */
const farFrom = 3;

/**
 * Hampel's identifier: deviations of more than 3 robust standard deviations, with the two-sided p of Student's
 * distribution, whose tails allow for a scale that few values tell.
 */
export function farValues(deviations: Float64Array): Far[] {
  if (deviations.length < fewestForOutliers) return [];
  const scale = robustScale(deviations);
  const found: Far[] = [];
  if (!(scale > 0)) return found;
  deviations.forEach((deviation, at) => {
    const distance = Math.abs(deviation) / scale;
    if (distance > farFrom) found.push({ at, distance, p: 2 * studentTail(distance, deviations.length - 1) });
  });
  return found;
}

/** From here on the sign test can say something; below, a normal distribution has to be taken for granted. */
const fewestForSigns = 8;

/** Fewest values that can differ too much from one another. */
export const fewestForSpread = 3;

type Evidence = Pick<Spread, "spread" | "interval" | "method" | "p">;

/**
 * How likely values spread no more than `limit`, a share of their level. `relative` are deviations from the level as
 * shares of it. From 8 values on the median deviation counts, which a few outliers do not move: its interval and p are
 * those of the sign test. Below, the standard deviation and the distribution of the variance of normal values.
 */
export function spreadOf(relative: Float64Array, limit: number, confidence: number): Evidence {
  return relative.length < fewestForSigns
    ? standardSpread(relative, limit, confidence)
    : medianSpread(relative, limit, confidence);
}

function medianSpread(relative: Float64Array, limit: number, confidence: number): Evidence {
  const sizes = relative.map(Math.abs).sort();
  const beyond = sizes.reduce((count, size) => count + (size * madFactor > limit ? 1 : 0), 0);
  const { low, high } = medianInterval(sizes, confidence);
  return {
    spread: madFactor * quantileOfSorted(sizes, 0.5),
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

/** What else is told of the values of a set. */
export function describedSpread(values: Float64Array): Pick<Spread, "level" | "variation" | "dispersion"> {
  const { mean, variance } = moments(values);
  const sorted = Float64Array.from(values).sort();
  return {
    level: quantileOfSorted(sorted, 0.5),
    variation: Math.sqrt(variance) / Math.abs(mean),
    dispersion: quartileDispersion(sorted),
  };
}

/** A change of level before value `at`, with those from `from` up to `to` before and behind it. */
export interface Step {
  readonly from: number;
  readonly at: number;
  readonly to: number;
  /** For all places between `from` and `to` where it might have been. */
  readonly p: number;
}

/**
 * What becomes of a series along its runs. Where steps and a line both stand out, the one that explains more with less
 * is kept.
 */
export type Course =
  | { readonly kind: "steady" }
  | { readonly kind: "steps"; readonly steps: readonly Step[] }
  | { readonly kind: "line"; readonly p: number };

/** Values that a level has to have at least, so that no spike is taken for one. */
const shortestLevel = 3;

/** Runs that are needed to tell anything of their course. */
export const fewestRuns = 5;

/** What the test of ranks has to say of a step at the most: 4 runs on each side, or 3 and 5, can reach it. */
const confirming = 0.05;

/** Most values of each side of a step that are compared: those next to it. */
const mostCompared = 500;

/** The course of a series at a level of significance. */
export function courseOf(values: Float64Array, level: number): Course {
  if (values.length < fewestRuns) return { kind: "steady" };
  const steps = significantSteps(values, level);
  const p = driftChance(values, level);
  if (steps.length === 0) return p <= level ? { kind: "line", p } : { kind: "steady" };
  return p <= level && lineCost(values) < stepsCost(values, steps) ? { kind: "line", p } : { kind: "steps", steps };
}

/** Runs that hang together with those before them drift a while by themselves. */
function driftChance(values: Float64Array, level: number): number {
  const { p } = mannKendall(values);
  if (p > level) return p;
  const line = along(theilSen(values, 0.95), values.length);
  return mannKendall(values, varianceInflation(values.map((value, at) => value - (line[at] as number)))).p;
}

/** Of the optimal split those steps that tests confirm; the weakest goes first, and its neighbours are judged anew. */
function significantSteps(values: Float64Array, level: number): Step[] {
  const places = pelt(values, penaltyFor(values), shortestLevel);
  for (;;) {
    const steps = places.map((_, at) => judged(values, places, at));
    const weakest = steps.reduce((worst, { p }, at) => (p > (steps[worst]?.p ?? 0) ? at : worst), 0);
    if ((steps[weakest]?.p ?? 0) <= level) return steps;
    places.splice(weakest, 1);
  }
}

/**
 * That of BIC, two parameters for each change; the noise is told by the differences of neighbours, which levels do not
 * touch.
 */
function penaltyFor(values: Float64Array): number {
  const differences = values.subarray(1).map((value, at) => (value - (values[at] as number)) / Math.SQRT2);
  return 2 * Math.log(values.length) * Math.max(robustScale(differences) ** 2, Number.MIN_VALUE);
}

/**
 * Ranks cannot be very sure of a few runs however far apart they are, means are easily moved by one run far off: where
 * the test of Mann and Whitney sees a step, Student's says how sure it is.
 */
function judged(values: Float64Array, places: readonly number[], index: number): Step {
  const [from, at, to] = [places[index - 1] ?? 0, places[index] ?? 0, places[index + 1] ?? values.length];
  const [before, after] = sides(values, { from, at, to });
  if (mannWhitney(before, after) > confirming) return { from, at, to, p: 1 };
  // The best of so many places was chosen.
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

/** By how much the level changes at a step. */
export function shiftAt(
  values: Float64Array,
  step: Step,
  confidence: number,
): Shift & { readonly before: number; readonly after: number } {
  const [before, after] = sides(values, step);
  return { ...shiftBetween(before, after, confidence), before: median(before), after: median(after) };
}

/** The level at each place of a series. */
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

/** Bayes' information criterion where deviations are double-exponential, for which medians are the best fit. */
function cost(values: Float64Array, levels: Float64Array, parameters: number): number {
  const deviation =
    values.reduce((sum, value, at) => sum + Math.abs(value - (levels[at] as number)), 0) / values.length;
  return 2 * values.length * Math.log(Math.max(deviation, Number.MIN_VALUE)) + parameters * Math.log(values.length);
}
