import { varianceInflation } from "../../math/descriptive/variance-inflation.ts";
import { pelt } from "../../math/detectors/pelt.ts";
import { robustScale } from "../../math/descriptive/robust-scale.ts";
import { mannKendall } from "../../math/hypothesis-tests/mann-kendall.ts";
import { mannWhitney, shiftBetween, type Shift } from "../../math/hypothesis-tests/mann-whitney.ts";
import { mean } from "../../math/descriptive/moments.ts";
import { median } from "../../math/descriptive/quantile.ts";
import { studentTest } from "../../math/hypothesis-tests/student-t-test.ts";
import { theilSen, type Trend } from "../../math/regression/theil-sen.ts";

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
