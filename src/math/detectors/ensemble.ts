import { pelt } from "./pelt.ts";
import { robustScale } from "../descriptive/robust-statistics.ts";
import { studentQuantile, studentTail } from "../distributions/student-t.ts";
import { type LevelChange, levelChanges } from "./level-change.ts";
import { type Noise, noiseAbout, varianceOfMean } from "./noise.ts";
import { winsorized } from "./winsorize.ts";

export interface EnsembleOptions {
  /** How likely a series without a change may show one, as far as its noise is of a known kind. */
  readonly level: number;
}

export const ensembleDefaults: EnsembleOptions = { level: 0.0005 };

/** Values that a level has at least, so that no spike is taken for one. */
const shortest = 3;

/** Standard deviations from the running median beyond which a value is pulled in. */
const farthest = 3.5;

/** Share of the usual penalty of the first split: it may find too much, since what it finds is judged afterwards. */
const looseness = 1.2;

/** Share of the correction for heavy tails (Cornish and Fisher); pulling in has already taken the rest. */
const tailShare = 0.2;

/**
 * Where the level of a series changes, by several means together: outliers are pulled in, the optimal split (PELT)
 * proposes too many places, and the weakest of them goes until a test confirms all. The test compares the means of
 * neighbouring levels by Student's t with the variance of all levels together, allows for values that hang together
 * with the one before (autocorrelation of order one), for skewed noise and for heavy tails (Cornish and Fisher 1938),
 * and for having looked at every place (Bonferroni). Removing a place makes the noise greater, so that a slow wave is
 * not taken for many steps. Values are finite; fewer than six have no change.
 */
export function ensemble(values: Float64Array, { level }: EnsembleOptions): LevelChange[] {
  if (values.length < 2 * shortest) return [];
  const tamed = winsorized(values, farthest);
  const places = proposed(tamed);
  if (places.length === 0) return [];
  const tests = 2 * values.length;
  const limit = ensembleLimit(values.length, { level }, studentQuantile);
  for (;;) {
    const noise = noiseAbout(tamed, places);
    const strengths = places.map((_, at) => strengthOf(places, at, values.length, noise, limit));
    const weakest = strengths.reduce(
      (worst, strength, at) => (strength < (strengths[worst] as number) ? at : worst),
      0,
    );
    if (!((strengths[weakest] ?? 1) < 1)) {
      const chance = (strength: number): number =>
        Math.min(1, tests * studentTail(strength * limit, values.length - 1));
      return levelChanges(values, places).map((change, at) => ({ ...change, p: chance(strengths[at] as number) }));
    }
    places.splice(weakest, 1);
  }
}

/** The normal quantile of 0.8: what is told in four of five cases. */
const power = 0.8416212335729143;

/** What t has to reach in a series of `count` values of normal noise. `quantile`: of Student's distribution. */
export function ensembleLimit(
  count: number,
  { level }: EnsembleOptions,
  quantile: (p: number, freedom: number) => number,
): number {
  return quantile(1 - level / (2 * count), count - 1);
}

/**
 * The least shift upwards of m values behind n that is told in four of five cases, where noise has to reach `limit` if
 * it is normal.
 */
export function ensembleShift(n: number, m: number, noise: Noise, limit: number): number {
  return (
    (adjustedLimit(limit, n, m, 1, noise) + power) * Math.sqrt(varianceOfMean(noise, n) + varianceOfMean(noise, m))
  );
}

function proposed(values: Float64Array): number[] {
  const scale = robustScale(stepsOf(values)) / Math.SQRT2;
  if (!(scale > 0)) return [];
  return pelt(values, looseness * 2 * scale * scale * Math.log(values.length), shortest);
}

function stepsOf(values: Float64Array): Float64Array {
  const steps = new Float64Array(values.length - 1);
  for (let at = 0; at < steps.length; at++) steps[at] = (values[at + 1] as number) - (values[at] as number);
  return steps;
}

/** t of the change at a place as a share of what it has to reach, which for normal noise is `limit`. */
function strengthOf(places: readonly number[], at: number, length: number, noise: Noise, limit: number): number {
  const place = places[at] as number;
  const [n, m] = [place - (places[at - 1] ?? 0), (places[at + 1] ?? length) - place];
  const difference = (noise.means[at + 1] as number) - (noise.means[at] as number);
  const t = Math.abs(difference) / Math.sqrt(varianceOfMean(noise, n) + varianceOfMean(noise, m));
  return t / adjustedLimit(limit, n, m, Math.sign(difference), noise);
}

/**
 * What t has to reach for the difference of means of n and m values of noise that is not normal, where normal noise had
 * to reach `limit`.
 */
function adjustedLimit(limit: number, n: number, m: number, sign: number, { skewness, excess }: Noise): number {
  const [left, right] = [1 / n, 1 / m];
  const skew = Math.max(0, (sign * skewness * (right ** 2 - left ** 2)) / (left + right) ** 1.5);
  const tails = (excess * (left ** 3 + right ** 3)) / (left + right) ** 2;
  return limit + (skew * (limit ** 2 - 1)) / 6 + (tailShare * tails * (limit ** 3 - 3 * limit)) / 24;
}
