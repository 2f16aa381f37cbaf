import { endsOf, type Ends } from "./ends.ts";
import { measuredPositions, valuesAt, type Evidence } from "./evidence.ts";

/** A distribution of measurements about their level, in units of the scale, the width of its bulk. */
interface NoiseShape {
  /** Prior probability. */
  readonly prior: number;
  /**
   * Greatest distance of the level from the median of a few measurements, in scales: all of them may belong to the
   * rarer of two peaks.
   */
  readonly reach: number;
  /** Logarithms of the density from -`tableEnd` to `tableEnd`, `perScale` per scale. */
  readonly logDensities: Float64Array;
}

const perScale = 64;

/** The density is constant beyond this distance, in scales. */
const tableEnd = 24;

/** Contamination of every shape, for other load on the machine: a Cauchy distribution with this share and width. */
const outliers = { share: 0.03, width: 4 };

/**
 * The shapes considered: normal, long-tailed, skewed to the right (waiting times) or to the left (rates), and bimodal
 * (a program laid out in memory in one of two ways). Harmless shapes weigh less than in real measurements: few
 * measurements look harmless whatever their source, and early certainty would be wrong.
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
 * Adds `weight` times the log density of a value about each level to the sum of the same index. `levels` are `distance`
 * apart.
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
    const entry = Math.min(last, Math.max(0, start - at * stride));
    sums[at] = (sums[at] as number) + weight * (logDensities[Math.trunc(entry)] as number);
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

/** Student's distribution with three degrees of freedom, the longest tails with a finite variance. */
function studentOfThree(x: number): number {
  return 2 / (Math.PI * Math.sqrt(3) * (1 + (x * x) / 3) ** 2);
}

/** A shifted log-normal distribution with median 0 and a width of about 1 there. */
function skewed(skew: number): (x: number) => number {
  return (x) => (1 + skew * x > 0 ? normal(Math.log1p(skew * x) / skew) / (1 + skew * x) : 0);
}

/** `share` of the measurements is about a second peak. */
function twoPeaks(share: number, distance: number): (x: number) => number {
  return (x) => (1 - share) * normal(x) + share * normal(x - distance);
}

/**
 * Greatest distance of a level from that of its end: standard errors plus a share of the step, in case the scale was
 * underestimated.
 */
const reach = { errors: 6, step: 0.5 };

/**
 * Distance of the grid of levels: in standard errors of all measurements together, at most this many scales. Sums over
 * the grid are then integrals to about 0.1 %.
 */
const spacing = { errors: 1.2, most: 0.5 };

/** Scales considered, as multiples of the scale of the ends. */
const scaleFactors = Array.from({ length: 8 }, (_, at) => 2 ** (0.7 * (at - 4.5)));

/**
 * Weight of the evidence: one fifth is discounted for unmodelled noise, for load that lasts several measurements, and
 * for optional stopping. With full weight, 95 % would be right in 90 % of skewed noise.
 */
const belief = 0.8;

/** Hypotheses and levels whose log likelihood is below the best by more than this are pruned. */
const hopeless = 14;

/** A noise model. */
interface Hypothesis {
  readonly shape: NoiseShape;
  readonly scale: number;
}

/**
 * The grid of levels on one side of the step with the log likelihood of the measurements there, up to a constant per
 * measurement.
 */
interface Side {
  readonly first: number;
  readonly distance: number;
  readonly sums: Float64Array;
}

/**
 * Probability of each position to be the first bad one; index 0 is position 1, the prior is uniform. Measurements
 * before the step scatter about one level, those from it on about another, with the same shape and scale. Levels, shape
 * and scale are integrated out on a grid, weighted by their likelihood.
 */
export function posterior(evidence: Evidence): Float64Array {
  const positions = measuredPositions(evidence);
  const values = positions.map((position) => valuesAt(evidence, position));
  const bySplit = logEvidence(endsOf(evidence), values);
  const logs = new Float64Array(evidence.last);
  for (let position = 1, split = 0; position <= evidence.last; position++) {
    while (split < positions.length && positions[split]! < position) split += 1;
    logs[position - 1] = bySplit[split]!;
  }
  const total = logSum(logs);
  return logs.map((log) => Math.exp(log - total));
}

/** Log likelihood of each number of measured positions before the step; −∞ for 0. */
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

/** Log likelihoods of the values of no position, of the first, of the first two, …. */
function logIntegrals(side: Side, values: readonly Float64Array[], hypothesis: Hypothesis): number[] {
  const logs = [logSum(side.sums)];
  for (const atPosition of values) {
    side = withValues(side, atPosition, hypothesis);
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
