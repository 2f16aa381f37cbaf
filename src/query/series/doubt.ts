import type { Direction } from "../../core/measurements/index.ts";
import { median, medianBetween, quantile, robustScale } from "../../math/descriptive/index.ts";
import { binomialTail, normalTail } from "../../math/distributions/index.ts";
import { type WalkStep, winsorized } from "../../math/detectors/index.ts";
import { mannWhitney } from "../../math/hypothesis-tests/index.ts";
import { type Line, runLevel, runsOf } from "./line.ts";

/** A possible change: a level from `from` to before `cut`, and one from there to before `to`. */
export interface LevelCut {
  readonly from: number;
  readonly cut: number;
  readonly to: number;
}

/** Why a change of level is not attributed to the code. */
export interface Doubt {
  readonly kind: "modes" | "straddled" | "scatter" | "fastest" | "gradual" | "returned" | "unsteady" | "load";
  readonly reason: string;
  /** For modes: the share of runs at the fast mode before and after. */
  readonly modes?: { readonly before: number; readonly after: number };
  /** For load: the number of disturbed points before and after. */
  readonly disturbed?: { readonly before: number; readonly after: number };
}

/** Values farther from the running median, in standard deviations, are winsorized. */
export const farthest = 3.5;

/** What to do where the machine may have caused a change. */
export const remedy = "measure both commits interleaved (run ab), or count instructions";

/** A run of the slow level is at the fast one if within these distances, as shares of the change. */
const [beyond, before] = [0.5, 0.25];

/** Fewest runs, and smallest share of the runs of the slow level, at the fast level. */
const [fewestVisits, leastVisits] = [2, 0.03];

/** Factor between the expected share of a single mode and that of two, and the level at which there are more. */
const [surplus, visitLevel] = [3, 0.001];

/**
 * The code is not slower if part of its runs is as fast as before: then there are two modes, of which the slow one is
 * taken more often. Compares the slow level's runs near the fast level with those expected of a normal distribution.
 */
export function modesDoubt(line: Line, { from, cut, to }: LevelCut, better: Direction): Doubt | null {
  const sign = better === "higher" ? -1 : 1;
  const [old, next] = [runsOf(line, from, cut), runsOf(line, cut, to)];
  const [left, right] = [sign * runLevel(line, from, cut), sign * runLevel(line, cut, to)];
  const [fast, slow] = [Math.min(left, right), Math.max(left, right)];
  const change = slow - fast;
  const isFast = (run: number): boolean => sign * run >= fast - beyond * change && sign * run <= fast + before * change;
  const runs = left > right ? old : next;
  const visits = runs.filter(isFast).length;
  const scale = robustScale(runs.map((run) => sign * run - slow));
  const expected = scale > 0 ? normalTail(((1 - before) * change) / scale) : 0;
  if (visits < fewestVisits || visits < Math.max(leastVisits, surplus * expected) * runs.length) return null;
  if (binomialTail(visits, runs.length, expected) > visitLevel) return null;
  const share = (all: Float64Array): number => all.filter(isFast).length / all.length;
  const modes = { before: share(old), after: share(next) };
  const taken = `${percent(modes.before)} of the runs are at the faster one before, ${percent(modes.after)} after`;
  return { kind: "modes", modes, reason: `the runs have two levels: ${taken}; ${remedy}` };
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Share of the runs of a point at each of both levels, and how near to a level these are, as a share of the change. */
const [straddling, nearLevel] = [0.25, 0.25];

/** Share of a level's runs near the other level, measured and expected, for which one of them is no accident. */
const [mostAccidents, mostExpected] = [0.05, 0.002];

/**
 * Code changes between points, a machine also while a point is measured: whether the last point before the change or
 * the first one after it has runs at both levels, or its run nearest to the change, in the order of measurement, is at
 * the other level as hardly any run farther away.
 */
export function straddleDoubt(line: Line, { from, cut, to }: LevelCut): Doubt | null {
  const levels = [runLevel(line, from, cut), runLevel(line, cut, to)] as const;
  const most = nearLevel * Math.abs(levels[1] - levels[0]);
  const countAt = (runs: Float64Array, level: number): number =>
    runs.filter((run) => Math.abs(run - level) <= most).length;
  const isStraddling = (at: number): boolean => {
    const runs = runsOf(line, at, at + 1);
    const needed = Math.max(fewestVisits, straddling * runs.length);
    return levels.every((level) => countAt(runs, level) >= needed);
  };
  const isExpected = (runs: Float64Array, level: number): boolean => {
    const own = median(runs);
    const scale = robustScale(runs.map((run) => run - own));
    return scale > 0 && normalTail((Math.abs(level - own) - most) / scale) > mostExpected;
  };
  const isEarly = (at: number, level: number, start: number, end: number): boolean => {
    const runs = runsOf(line, at, at + 1);
    const edge = at < cut ? runs.at(-1) : runs[0];
    if (runs.length < 3 || edge === undefined || !(Math.abs(edge - level) <= most)) return false;
    const others = runsOf(line, start, end);
    return countAt(others, level) + 0.5 <= mostAccidents * (others.length + 1) && !isExpected(others, level);
  };
  const isWithin =
    isStraddling(cut - 1) ||
    isStraddling(cut) ||
    isEarly(cut - 1, levels[1], from, cut - 1) ||
    isEarly(cut, levels[0], cut + 1, to);
  if (!isWithin) return null;
  return { kind: "straddled", reason: `the level changed while a point was measured: the machine; ${remedy}` };
}

/** Significance level of a step over all its positions, against a level that walks at random. */
const walkLevel = 0.02;

/**
 * Code changes at once, a machine also gradually. If neighbours within the levels are alike as in a random walk, the
 * step has to be larger than such a walk makes it.
 */
export function gradualDoubt(step: WalkStep | null, { from, to }: LevelCut): Doubt | null {
  if (step === null || step.p * (to - from) <= walkLevel) return null;
  return { kind: "gradual", reason: `the level moves as much from point to point; ${remedy}` };
}

/** Fewest runs of each point whose quartile is compared, and its least share of the change. */
const [fewestRuns, leastShare] = [4, 2 / 3];

/**
 * Slower code slows all runs, a busy machine not the fastest ones: whether the fastest quarter of runs of each point
 * changed by less than two thirds as much, or not significantly. `isChange`: whether values changed at an index.
 */
export function fastestDoubt(
  line: Line,
  { from, cut, to }: LevelCut,
  better: Direction,
  isChange: (values: Float64Array, at: number) => boolean,
): Doubt | null {
  const points = line.points?.slice(from, to) ?? [];
  if (points.length === 0 || points.some(({ sample }) => sample.length < fewestRuns)) return null;
  const share = better === "higher" ? 0.75 : 0.25;
  const quartiles = winsorized(
    Float64Array.from(points, ({ sample }) => quantile(sample, share)),
    farthest,
  );
  const at = cut - from;
  const change = runLevel(line, cut, to) - runLevel(line, from, cut);
  const isAlike = (median(quartiles.slice(at)) - median(quartiles.slice(0, at))) / change >= leastShare;
  if (isAlike && isChange(quartiles, at)) return null;
  return { kind: "fastest", reason: `the fastest quarter of runs changed less: the machine; ${remedy}` };
}

/** Points on each side whose scatter is compared. */
const near = 8;

/** Significance level and least ratio of both scatters. */
const [scatterLevel, leastRatio] = [0.01, 2];

/**
 * A busy machine is slower and less steady, slower code is only slower: compares the relative scatter of the points
 * next to the change. The larger the change in scatters, the less the scatter has to matter for the change.
 */
export function scatterDoubt(line: Line, { from, cut, to }: LevelCut, better: Direction): Doubt | null {
  const [old, next] = [
    scatterIn(line, Math.max(from, cut - near), cut),
    scatterIn(line, cut, Math.min(to, cut + near)),
  ];
  const levels = [runLevel(line, from, cut), runLevel(line, cut, to)] as const;
  const isSlowBefore = better === "higher" ? levels[0] < levels[1] : levels[0] > levels[1];
  const [slow, fast] = isSlowBefore ? [old, next] : [next, old];
  const [wide, narrow] = [median(slow), median(fast)];
  const change = Math.abs(levels[1] - levels[0]) / Math.abs(isSlowBefore ? levels[0] : levels[1]);
  if (!(wide > leastRatio * narrow) || change * narrow > leastRatio * wide ** 2) return null;
  if (!(mannWhitney(slow, fast) <= scatterLevel)) return null;
  const shares = isSlowBefore ? [wide, narrow] : [narrow, wide];
  const [was, is] = shares.map((share) => `${Number((share * 100).toPrecision(2))} %`);
  return {
    kind: "scatter",
    reason: `the scatter changed with the level, from ${was} to ${is}: the machine; ${remedy}`,
  };
}

/** The relative scatter of each point's runs, or of its distance to the next point, if points have fewer than three. */
function scatterIn({ values, medians = values, points }: Line, from: number, to: number): Float64Array {
  const own = points?.slice(from, to) ?? [];
  if (own.length > 0 && own.every(({ sample }) => sample.length >= 3))
    return Float64Array.from(own, ({ sample }, at) => scaleOf(sample, medians[from + at] as number));
  const level = Math.abs(medianBetween(values, from, to));
  return Float64Array.from({ length: Math.max(0, to - from - 1) }, (_, at) =>
    level === 0 ? 0 : Math.abs((values[from + at + 1] as number) - (values[from + at] as number)) / Math.SQRT2 / level,
  );
}

function scaleOf(sample: Float64Array, middle: number): number {
  return middle === 0 ? 0 : robustScale(sample.map((value) => value - middle)) / Math.abs(middle);
}

/** Largest difference of equal levels, as a share of the change. */
const sameLevel = 0.25;

/**
 * A level that was left and is back, or came back to, is the machine's or was fixed: either way no change lasts.
 * `levels` are those between all changes, `at` the index of the change.
 */
export function returnDoubt(levels: readonly number[], at: number): Doubt | null {
  const [left, right] = [levels[at] as number, levels[at + 1] as number];
  const most = sameLevel * Math.abs(right - left);
  const isBack = levels.slice(at + 2).some((level) => Math.abs(level - left) <= most);
  const wasThere = levels.slice(0, at).some((level) => Math.abs(level - right) <= most);
  if (!(isBack || wasThere)) return null;
  const what = isBack ? "the level returns to the earlier one" : "the level was there before";
  return { kind: "returned", reason: `${what}: fixed, or the machine; ${remedy}` };
}
