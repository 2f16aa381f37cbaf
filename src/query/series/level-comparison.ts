import type { Subject } from "../../core/measurements/index.ts";
import { parseUnit, sameDimension } from "../../core/values/index.ts";
import type { Side, Verdict } from "../../core/verdicts/index.ts";
import { blockError, type Noise, varianceOfMean, type WalkStep } from "../../math/detectors/index.ts";
import { studentQuantile } from "../../math/distributions/index.ts";
import type { LevelCut } from "./doubt.ts";
import { confidence, type Line, runsOf, sideOf } from "./line.ts";

/**
 * Caches quantiles of Student's distribution: series often have the same length, and a quantile costs as much as all
 * the rest.
 */
export class Quantiles {
  /** By degrees of freedom, then by p: text of both would take longer to make than the rest. */
  readonly #known = new Map<number, Map<number, number>>();

  of(p: number, freedom: number): number {
    const known = this.#known.get(freedom);
    const found = known?.get(p);
    if (found !== undefined) return found;
    const quantile = studentQuantile(p, freedom);
    if (known === undefined) this.#known.set(freedom, new Map([[p, quantile]]));
    else known.set(p, quantile);
    return quantile;
  }
}

/** Two levels and the interval of their relative difference; null: relative to a level of almost 0. */
export interface Comparison extends Pick<Verdict, "delta" | "deltaLow" | "deltaHigh"> {
  readonly before: Side;
  readonly after: Side;
}

/**
 * The interval is the wider one of two: that of Student's t with the variance and first autocorrelation of all values,
 * and that of the medians of blocks, which allows for any movement of the level that is shorter than a block.
 * `isAnywhere`: it holds for a change at any block, not only at the cut (Bonferroni). `walk`: the step if the level
 * walks at random. The interval also holds its intervals under all plausible walks, around estimates of their own: the
 * more the level walks, the less distant values say about the step.
 */
export function compareLevels(
  values: Float64Array,
  { from, cut, to }: LevelCut,
  noise: Noise,
  quantiles: Quantiles,
  { isAnywhere = false, walk = null }: { readonly isAnywhere?: boolean; readonly walk?: WalkStep | null } = {},
): Comparison {
  const [before, after] = [sideOf(values, from, cut), sideOf(values, cut, to)];
  const error = Math.sqrt(varianceOfMean(noise, cut - from) + varianceOfMean(noise, to - cut));
  const blocks = blockError(values, from, cut, to);
  const level = 1 - (1 - confidence) / 2 / (isAnywhere ? Math.max(1, blocks.blocks) : 1);
  // Tenths of a degree, so that quantiles are cached.
  const freedom = Math.floor(blocks.freedom * 10) / 10;
  const moved = freedom === 0 ? 0 : quantiles.of(level, freedom) * blocks.error;
  const base = Math.abs(before.center);
  const delta = (after.center - before.center) / base;
  const half = Math.max(quantiles.of(level, noise.freedom) * error, moved) / base;
  let [deltaLow, deltaHigh] = [delta - half, delta + half];
  for (const { shift, error: own } of walk?.estimates ?? []) {
    const reach = quantiles.of(level, walk?.freedom ?? 1) * own;
    deltaLow = Math.min(deltaLow, (shift - reach) / base);
    deltaHigh = Math.max(deltaHigh, (shift + reach) / base);
  }
  // At a level of almost 0 every relative change is infinite.
  if (![delta, deltaLow, deltaHigh].every(Number.isFinite))
    return { before, after, delta: null, deltaLow: null, deltaHigh: null };
  return { before, after, delta, deltaLow, deltaHigh };
}

/** The interval of the code's share in a change, if the machine moved by up to as much in either direction. */
export function withMove({
  delta,
  deltaLow,
  deltaHigh,
}: Pick<Verdict, "delta" | "deltaLow" | "deltaHigh">): Pick<Verdict, "deltaLow" | "deltaHigh"> {
  if (delta === null || deltaLow === null || deltaHigh === null) return { deltaLow, deltaHigh };
  return { deltaLow: deltaLow - Math.abs(delta), deltaHigh: deltaHigh + Math.abs(delta) };
}

/** A verdict whose interval has a possible lower end: values that are never negative cannot fall by more than 100 %. */
export function limitedLow<T extends Pick<Verdict, "deltaLow">>(verdict: T, judged: { readonly line: Line }): T {
  const { deltaLow } = verdict;
  // Reading the line is slow.
  if (deltaLow === null || deltaLow >= -1 || judged.line.values.some((value) => value < 0)) return verdict;
  return { ...verdict, deltaLow: -1 };
}

/** The interval extended to 0, of a change that may be none. */
export function withZero({
  deltaLow,
  deltaHigh,
}: Pick<Verdict, "deltaLow" | "deltaHigh">): Pick<Verdict, "deltaLow" | "deltaHigh"> {
  if (deltaLow === null || deltaHigh === null) return { deltaLow, deltaHigh };
  return { deltaLow: Math.min(deltaLow, 0), deltaHigh: Math.max(deltaHigh, 0) };
}

const seconds = parseUnit("s");

/**
 * Whether times are mostly shorter than the clock's ticks: at least half of the runs have the same least value, and the
 * mean of all is more than twice of that.
 */
function isBelowResolution({ unit }: Subject, line: Line): boolean {
  if (unit === undefined || !sameDimension(unit, seconds)) return false;
  const { values } = line;
  // The points of almost all series vary, so that their runs are not read.
  let lowest = Infinity;
  let count = 0;
  for (const value of values) {
    if (value === lowest) count += 1;
    else if (value < lowest) {
      lowest = value;
      count = 1;
    }
  }
  if (count < values.length / 4) return false;
  const runs = runsOf(line, 0, values.length);
  const least = runs.reduce((low, run) => Math.min(low, run), Infinity);
  const mean = runs.reduce((sum, run) => sum + run / runs.length, 0);
  return runs.filter((run) => run === least).length >= runs.length / 2 && mean > 2 * least;
}

/** Fewest points of a level: fewer may be outliers. */
export const shortestLevel = 3;

/** Fewest points of a series to be judged. */
const leastPoints = 2 * shortestLevel;

/** Default size of a change that has to be detectable before a series is reported as the same. */
export const sameResolution = 0.25;

/** What to do about noise. */
export const noiseRemedy = "measure interleaved (run matrix), or count instructions";

/** The outcome without a change: the same, unless noise would have hidden one of the size `resolution` that counts. */
export function unchanged(
  { points }: Line,
  detectable: number | null,
  { resolution = sameResolution, minEffect }: { readonly resolution?: number; readonly minEffect: number },
): Pick<Verdict, "outcome" | "reason" | "doubt"> {
  const isGrowth = points?.[0]?.growth !== undefined;
  if (isGrowth || detectable === null || detectable <= Math.max(resolution, minEffect))
    return { outcome: "same", reason: null };
  const least = Number((detectable * 100).toPrecision(2));
  const reason = `the noise hides changes of less than ${least} %: ${noiseRemedy}`;
  return { outcome: "inconclusive", reason, doubt: "noise" };
}

const belowResolution = "most runs are below the resolution of the clock: make runs longer, or count instructions";

/** A range that holds its own baseline is long enough to be judged without one. */
function baselineRemedy(points: number): string {
  if (points < leastPoints) return "measure commits before it";
  return `start the range after its first ${shortestLevel} points, or leave it out to judge all commits`;
}

/** Why a line cannot be judged, or null. `first`: its first point in the range, or -1. `least`: fewest points. */
export function unjudgeable(
  subject: Subject,
  line: Line,
  first: number,
  isRange: boolean,
  least: number = leastPoints,
): string | null {
  const { length } = line.values;
  if (first < 0) return "nothing of the range was measured";
  if (isRange && first === 0) return `no baseline: nothing before the range was measured; ${baselineRemedy(length)}`;
  if (length < least) return `${length} ${length === 1 ? "point" : "points"}, ${least} are needed`;
  return isBelowResolution(subject, line) ? belowResolution : null;
}
