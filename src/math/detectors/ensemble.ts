import { pelt } from "./pelt.ts";
import { median, ReusedArray, robustScale } from "../descriptive/index.ts";
import { binomialTail, studentQuantile, studentTail } from "../distributions/index.ts";
import { type LevelChange, levelChanges } from "./level-change.ts";
import { type Noise, noiseAbout, varianceOfMean } from "./noise.ts";
import { winsorized } from "./winsorize.ts";

export interface EnsembleOptions {
  /** False-positive probability per series, for noise of known kinds. */
  readonly level: number;
}

export const ensembleDefaults: EnsembleOptions = { level: 0.0005 };

/** Minimum values of a level, so that a spike is none. */
const shortest = 3;

/** Standard deviations from the running median to which values are winsorized. */
const farthest = 3.5;

/** Factor of the usual penalty of the first split, which may find too many changes: they are tested afterwards. */
const looseness = 1.2;

/** Share of the correction for heavy tails (Cornish and Fisher); winsorizing accounts for the rest. */
const tailShare = 0.2;

/**
 * Changes of level of a series, by a combination of methods: values are winsorized, the optimal split (PELT) proposes
 * too many changes, and the weakest is removed until a test confirms all. The test compares the means of neighbouring
 * levels by Student's t with the pooled variance of all levels, corrected for first-order autocorrelation, for skewness
 * and heavy tails (Cornish and Fisher 1938), and for testing every index (Bonferroni). A level that may be a cluster of
 * outliers is none. Removing a change increases the noise, so that a slow wave is not split into many steps. Values are
 * finite; fewer than six have no change.
 */
export function ensemble(values: Float64Array, { level }: EnsembleOptions): LevelChange[] {
  if (values.length < 2 * shortest) return [];
  const calmed = winsorized(values, farthest);
  const positions = proposed(calmed);
  if (positions.length === 0) return [];
  const tests = 2 * values.length;
  const limit = ensembleLimit(values.length, { level }, studentQuantile);
  for (;;) {
    const noise = noiseAbout(calmed, positions);
    const strengths = positions.map((_, at) => strengthOf(positions, at, values.length, noise, limit));
    const weakest = strengths.reduce(
      (worst, strength, at) => (strength < (strengths[worst] as number) ? at : worst),
      0,
    );
    const doubtful = (strengths[weakest] ?? 1) < 1 ? weakest : clusterOfOutliers(values, positions);
    if (doubtful < 0) {
      const chance = (strength: number): number =>
        Math.min(1, tests * studentTail(strength * limit, values.length - 1));
      return levelChanges(values, positions, median).map((change, at) => ({
        ...change,
        p: chance(strengths[at] as number),
      }));
    }
    positions.splice(doubtful, 1);
  }
}

/** Level of the test for clusters of outliers, over all positions. */
const clusterLevel = 0.05;

/**
 * The first change whose shorter level may be a cluster of outliers such as those of the longer one; -1: none. Counts
 * the values of the longer level beyond the middle of both medians: with that share, as many beyond it in the shorter
 * level have to be improbable at any of the positions of the series (binomial, Bonferroni).
 */
function clusterOfOutliers(values: Float64Array, positions: readonly number[]): number {
  return positions.findIndex((position, at) => {
    const old = values.subarray(positions[at - 1] ?? 0, position);
    const next = values.subarray(position, positions[at + 1] ?? values.length);
    const [long, short] = old.length > next.length ? [old, next] : [next, old];
    const [usual, other] = [median(long), median(short)];
    const sign = Math.sign(other - usual);
    const countBeyond = (level: Float64Array): number => {
      let count = 0;
      for (const value of level) if (sign * (value - usual / 2 - other / 2) > 0) count += 1;
      return count;
    };
    const share = (countBeyond(long) + 0.5) / (long.length + 1);
    return values.length * binomialTail(countBeyond(short), short.length, share) > clusterLevel;
  });
}

/** The normal quantile of 0.8, for a power of 80 %. */
const power = 0.8416212335729143;

/** The critical t in a series of `count` values with normal noise. `quantile`: of Student's distribution. */
export function ensembleLimit(
  count: number,
  { level }: EnsembleOptions,
  quantile: (p: number, freedom: number) => number,
): number {
  return quantile(1 - level / (2 * count), count - 1);
}

/**
 * The smallest upward shift of m values after n that is detected with a power of 80 %. `limit`: the critical t for
 * normal noise.
 */
export function ensembleShift(n: number, m: number, noise: Noise, limit: number): number {
  return (
    (adjustedLimit(limit, n, m, 1, noise) + power) * Math.sqrt(varianceOfMean(noise, n) + varianceOfMean(noise, m))
  );
}

function proposed(values: Float64Array): number[] {
  const scale = scaleOfSteps(values) / Math.SQRT2;
  if (!(scale > 0)) return [];
  return pelt(values, looseness * 2 * scale * scale * Math.log(values.length), shortest);
}

const steps = new ReusedArray();

function scaleOfSteps(values: Float64Array): number {
  const count = values.length - 1;
  const own = steps.of(count);
  for (let at = 0; at < count; at++) own[at] = (values[at + 1] as number) - (values[at] as number);
  return robustScale(own, count);
}

/** t of a change relative to its critical value, which is `limit` for normal noise. */
function strengthOf(positions: readonly number[], at: number, length: number, noise: Noise, limit: number): number {
  const position = positions[at] as number;
  const [n, m] = [position - (positions[at - 1] ?? 0), (positions[at + 1] ?? length) - position];
  const difference = (noise.means[at + 1] as number) - (noise.means[at] as number);
  const t = Math.abs(difference) / Math.sqrt(varianceOfMean(noise, n) + varianceOfMean(noise, m));
  return t / adjustedLimit(limit, n, m, Math.sign(difference), noise);
}

/**
 * The critical t for the difference of means of n and m values with non-normal noise. `limit`: that of normal noise.
 */
function adjustedLimit(limit: number, n: number, m: number, sign: number, { skewness, excess }: Noise): number {
  const [left, right] = [1 / n, 1 / m];
  const skew = Math.max(0, (sign * skewness * (right ** 2 - left ** 2)) / (left + right) ** 1.5);
  const tails = (excess * (left ** 3 + right ** 3)) / (left + right) ** 2;
  return limit + (skew * (limit ** 2 - 1)) / 6 + (tailShare * tails * (limit ** 3 - 3 * limit)) / 24;
}
