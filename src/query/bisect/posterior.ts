import { endsOf, type Ends } from "./ends.ts";
import { measuredPlaces, valuesAt, type Evidence } from "./evidence.ts";

/**
 * A way in which measurements may scatter about their level. Its unit is the scale: the width of where most of them
 * lie.
 */
interface NoiseShape {
  /** How probable it is thought to be before anything was measured. */
  readonly prior: number;
  /**
   * How far from the median of some measurements the level may lie, in scales: all of them may belong to the rarer of
   * two peaks.
   */
  readonly reach: number;
  /** Logarithms of the density from -`tableEnd` to `tableEnd`, `perScale` for each scale. */
  readonly logDensities: Float64Array;
}

const perScale = 64;

/** Whatever lies further out than so many scales is equally odd. */
const tableEnd = 24;

/**
 * Whatever the shape, now and then something else runs meanwhile: such a share of measurements is spread by Cauchy's
 * distribution of this width.
 */
const outliers = { share: 0.03, width: 4 };

/**
 * The shapes that are thought possible: bells, bells with long tails, waiting times (skewed to the right; to the left
 * for rates), and two peaks, as where a program is laid out in memory in one of two ways. Harmless ones have less
 * weight than real measurements would give them: few measurements look harmless whatever they come from, and who is
 * certain too early is wrong.
 */
const noiseShapes: readonly NoiseShape[] = [
  shape(0.1, normal),
  shape(0.1, studentOfThree),
  shape(0.05, skewed(0.4)),
  shape(0.2, skewed(0.8)),
  shape(0.05, skewed(-0.4)),
  shape(0.15, skewed(-0.8)),
  ...[4, 8].flatMap((distance) => [0.15, 0.35, 0.5].map((share) => shape(0.045, twoPeaks(share, distance), distance))),
  ...[4, 8].flatMap((distance) => [0.15, 0.35].map((share) => shape(0.03, twoPeaks(share, -distance), distance))),
];

/**
 * Adds to each sum the logarithm of the density of a value about the level of the same index, `weight` times. `levels`
 * are `distance` apart.
 */
function addLogDensities(
  sums: Float64Array,
  { logDensities }: NoiseShape,
  levels: { readonly first: number; readonly distance: number },
  { value, scale, weight }: { readonly value: number; readonly scale: number; readonly weight: number },
): void {
  const last = logDensities.length - 1;
  const start = ((value - levels.first) / scale + tableEnd) * perScale + 0.5;
  const stride = (levels.distance / scale) * perScale;
  for (let at = 0; at < sums.length; at++) {
    const place = Math.min(last, Math.max(0, start - at * stride));
    sums[at] = (sums[at] as number) + weight * (logDensities[Math.trunc(place)] as number);
  }
}

function shape(prior: number, density: (x: number) => number, reach = 0): NoiseShape {
  const { share, width } = outliers;
  const logDensities = Float64Array.from({ length: 2 * tableEnd * perScale + 1 }, (_, at) => {
    const x = at / perScale - tableEnd;
    return Math.log((1 - share) * density(x) + share / (Math.PI * width * (1 + (x / width) ** 2)));
  });
  return { prior, reach, logDensities };
}

function normal(x: number): number {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
}

/** Student's distribution with three degrees of freedom: the one with the longest tails that has a variance. */
function studentOfThree(x: number): number {
  return 2 / (Math.PI * Math.sqrt(3) * (1 + (x * x) / 3) ** 2);
}

/** What is normal by its logarithm, with its median at 0 and a width of about 1 there. */
function skewed(skew: number): (x: number) => number {
  return (x) => (1 + skew * x > 0 ? normal(Math.log1p(skew * x) / skew) / (1 + skew * x) : 0);
}

/** Such a share of the measurements lies about a second peak. */
function twoPeaks(share: number, distance: number): (x: number) => number {
  return (x) => (1 - share) * normal(x) + share * normal(x - distance);
}

/**
 * How far levels may lie from those of the ends: so many standard errors, and this share of the step, lest a scale that
 * was taken for too small misleads.
 */
const reach = { errors: 6, step: 0.5 };

/**
 * Distance of the levels that are tried in standard errors of all measurements together, at most in scales: sums over
 * them are integrals then, to about 0.1 %.
 */
const spacing = { errors: 1.2, most: 0.5 };

/** Scales that are thought possible, as multiples of the one estimated from the ends. */
const scaleFactors = Array.from({ length: 8 }, (_, at) => 2 ** (0.7 * (at - 4.5)));

/**
 * So much of what independent measurements of a known noise would tell is believed. Noise has other shapes than those
 * thought of, a machine that is slow stays slow for a while, and the search stops when it has been lucky: with full
 * weight 95 % would be right in 90 % of skewed noise.
 */
const belief = 0.8;

/**
 * What explains the ends, or a level the measurements on its side, worse than the best by this factor (its logarithm)
 * is not looked at any more.
 */
const hopeless = 14;

/** A way to read measurements. */
interface Hypothesis {
  readonly shape: NoiseShape;
  readonly scale: number;
}

/**
 * Levels on one side of the step, and the logarithms of how well they explain the measurements there, up to a constant
 * for each measurement.
 */
interface Side {
  readonly first: number;
  readonly distance: number;
  readonly sums: Float64Array;
}

/**
 * How probable it is of each place that it is the first bad one, index 0 standing for place 1; each was equally
 * probable before. Measurements before the step scatter about one level, those from it on about another, in the same
 * shape and scale. What levels, shape and scale are is not taken from the ends alone: all that is possible is summed up
 * (on a grid), weighted by how well it explains all measurements.
 */
export function posterior(evidence: Evidence): Float64Array {
  const places = measuredPlaces(evidence);
  const values = places.map((place) => valuesAt(evidence, place));
  const bySplit = logEvidence(endsOf(evidence), values);
  const logs = new Float64Array(evidence.last);
  for (let place = 1, split = 0; place <= evidence.last; place++) {
    while (split < places.length && places[split]! < place) split += 1;
    logs[place - 1] = bySplit[split]!;
  }
  const total = logSum(logs);
  return logs.map((log) => Math.exp(log - total));
}

/**
 * For each number of measured places that lie before the step: the logarithm of how well that explains all
 * measurements. Nothing for 0 and all.
 */
function logEvidence(ends: Ends, values: readonly Float64Array[]): number[] {
  const count = values.reduce((sum, { length }) => sum + length, 0);
  const began = hypothesesOf(ends).map((hypothesis) => {
    const distance = hypothesis.scale * Math.min(spacing.most, spacing.errors / Math.sqrt(count));
    const good = withValues(levelsOf(ends, ends.good, hypothesis, distance), values[0]!, hypothesis);
    const bad = withValues(levelsOf(ends, ends.bad, hypothesis, distance), values.at(-1)!, hypothesis);
    return {
      hypothesis,
      good,
      bad,
      log: logSum(good.sums) + logSum(bad.sums) + constantOf(hypothesis, distance, ends.good.count + ends.bad.count),
    };
  });
  const best = began.reduce((most, { log }) => Math.max(most, log), Number.NEGATIVE_INFINITY);
  const inner = values.slice(1, -1);
  const innerCount = count - ends.good.count - ends.bad.count;
  const logs = began.flatMap(({ hypothesis, good, bad, log }) => {
    if (log < best - hopeless) return [];
    const before = logIntegrals(good, inner, hypothesis);
    const after = logIntegrals(bad, inner.toReversed(), hypothesis).reverse();
    const rest = constantOf(hypothesis, good.distance, ends.good.count + ends.bad.count + innerCount);
    return [before.map((each, split) => each + after[split]! + rest)];
  });
  const sums = Array.from({ length: inner.length + 1 }, (_, split) => logSum(logs.map((one) => one[split]!)));
  return [Number.NEGATIVE_INFINITY, ...sums];
}

function hypothesesOf({ scale, leastScale }: Ends): Hypothesis[] {
  const scales = [...new Set(scaleFactors.map((factor) => Math.max(factor * scale, leastScale)))];
  return noiseShapes.flatMap((shape) => scales.map((each) => ({ shape, scale: each })));
}

function constantOf({ shape, scale }: Hypothesis, distance: number, count: number): number {
  return Math.log(shape.prior) - belief * count * Math.log(scale) + 2 * Math.log(distance);
}

function levelsOf({ good, bad }: Ends, end: Ends["good"], { shape, scale }: Hypothesis, distance: number): Side {
  const step = Math.abs(bad.level - good.level);
  const width = (reach.errors / Math.sqrt(end.count) + shape.reach) * scale + reach.step * step;
  const points = Math.ceil(width / distance);
  return { first: end.level - points * distance, distance, sums: new Float64Array(2 * points + 1) };
}

function withValues(side: Side, values: Float64Array, { shape, scale }: Hypothesis): Side {
  const sums = Float64Array.from(side.sums);
  for (const value of values) addLogDensities(sums, shape, side, { value, scale, weight: belief });
  const least = greatestOf(sums) - hopeless;
  const [from, to] = [sums.findIndex((sum) => sum >= least), sums.findLastIndex((sum) => sum >= least)];
  return { first: side.first + from * side.distance, distance: side.distance, sums: sums.subarray(from, to + 1) };
}

/** How well one of these levels explains the values of no place, the first, the first two, … more. */
function logIntegrals(side: Side, values: readonly Float64Array[], hypothesis: Hypothesis): number[] {
  const logs = [logSum(side.sums)];
  for (const ofPlace of values) {
    side = withValues(side, ofPlace, hypothesis);
    logs.push(logSum(side.sums));
  }
  return logs;
}

function logSum(logs: ArrayLike<number>): number {
  const greatest = greatestOf(logs);
  let sum = 0;
  for (let at = 0; at < logs.length; at++) sum += Math.exp((logs[at] as number) - greatest);
  return greatest + Math.log(sum);
}

function greatestOf(logs: ArrayLike<number>): number {
  let greatest = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < logs.length; at++) greatest = Math.max(greatest, logs[at] as number);
  return greatest;
}
