import { median, quantileOfSorted } from "../descriptive/quantile.ts";
import { noInterval, type Interval } from "../hypothesis-tests/paired-tests.ts";
import { seededRandom } from "./seeded-random.ts";

const resamples = 1000;

/** Of a group at most so many values are drawn: with more of them only what differs between groups matters. */
const mostDrawn = 1000;

/**
 * The percentile interval of median(after) / median(before) where values were measured in groups, such as within
 * processes or runs: groups are drawn first, then values of each (hierarchical bootstrap; Kalibera and Jones, "Rigorous
 * Benchmarking in Reasonable Time", 2013), so that what differs from group to group counts. No interval where a side
 * has fewer than two groups, or medians that are not positive.
 */
export function ratioInterval(
  before: readonly Float64Array[],
  after: readonly Float64Array[],
  { confidence, seed }: { readonly confidence: number; readonly seed: number },
): Interval {
  if (before.length < 2 || after.length < 2) return noInterval;
  const random = seededRandom(seed);
  const ratios = new Float64Array(resamples);
  for (let i = 0; i < resamples; i++) ratios[i] = median(drawn(after, random)) / median(drawn(before, random));
  if (!ratios.every((ratio) => ratio > 0 && Number.isFinite(ratio))) return noInterval;
  ratios.sort();
  const tail = (1 - confidence) / 2;
  return { low: quantileOfSorted(ratios, tail), high: quantileOfSorted(ratios, 1 - tail) };
}

function drawn(groups: readonly Float64Array[], random: () => number): Float64Array {
  const chosen = groups.map(() => groups[Math.floor(random() * groups.length)]!);
  const values = new Float64Array(chosen.reduce((sum, { length }) => sum + Math.min(length, mostDrawn), 0));
  let at = 0;
  for (const group of chosen)
    for (let i = 0; i < Math.min(group.length, mostDrawn); i++)
      values[at++] = group[Math.floor(random() * group.length)]!;
  return values;
}

/** Noise that can be drawn again and again as if it had been measured anew. */
export interface NoiseModel {
  /** What each value has of the one before it: first autocorrelation, 0 to 0.9; 0 where none is to be seen. */
  readonly correlation: number;
  /** What is left of the noise without that, about 0. */
  readonly shocks: Float64Array;
  /** Shocks that are drawn together. */
  readonly block: number;
}

/** Beyond so much the start of a drawn series would be felt throughout. */
const mostCorrelation = 0.9;

/** Values that are drawn and thrown away, until the start is forgotten. */
const runIn = 40;

/**
 * A model of noise about 0: a dependence of each value on the one before is taken out first (Davison and Hinkley 1997,
 * 8.2.3: "post-blackening"), and the rest is drawn in blocks that are long enough for what else hangs together, such as
 * weekends. Blocks alone would lose the dependence wherever two of them meet. At least two values.
 */
export function noiseModel(noise: Float64Array): NoiseModel {
  const found = correlationAt(noise, 1);
  const n = noise.length;
  // Estimated from deviations from an estimated level it is too small (Marriott and Pope 1954).
  const correlation = found > 2 / Math.sqrt(n) ? Math.min(mostCorrelation, found + (1 + 3 * found) / n) : 0;
  const rest = noise.subarray(1).map((value, at) => value - correlation * (noise[at] as number));
  const shocks = correlation === 0 ? noise : rest.map((value) => value - meanOf(rest));
  return { correlation, shocks, block: blockLength(shocks) };
}

/**
 * As many new values as `values` has places, drawn from the model into it; blocks go on at the beginning where the
 * shocks end.
 */
export function drawNoise(
  { correlation, shocks, block }: NoiseModel,
  random: () => number,
  values: Float64Array,
): void {
  let [from, left, last] = [0, 0, 0];
  const begin = correlation === 0 ? 0 : -runIn;
  for (let at = begin; at < values.length; at++) {
    if (left === 0) [from, left] = [Math.floor(random() * shocks.length), block];
    last = correlation * last + (shocks[from] as number);
    from = from + 1 === shocks.length ? 0 : from + 1;
    left -= 1;
    if (at >= 0) values[at] = last;
  }
}

/**
 * Twice the lag beyond which correlations are no more than chance (Politis and White 2004, 3), and at least the third
 * root of the length.
 */
function blockLength(values: Float64Array): number {
  const n = values.length;
  const chance = 2 * Math.sqrt(Math.log10(Math.max(n, 10)) / n);
  const most = Math.max(1, Math.floor(n / 4));
  const quiet = 5;
  let [last, since] = [0, 0];
  for (let lag = 1; lag <= most && since < quiet; lag++) {
    if (Math.abs(correlationAt(values, lag)) > chance) [last, since] = [lag, 0];
    else since += 1;
  }
  return Math.min(most, Math.max(Math.ceil(Math.cbrt(n)), 2 * last));
}

function correlationAt(values: Float64Array, lag: number): number {
  let [products, squares] = [0, 0];
  for (let at = 0; at < values.length; at++) {
    squares += (values[at] as number) ** 2;
    if (at >= lag) products += (values[at] as number) * (values[at - lag] as number);
  }
  return squares > 0 ? products / squares : 0;
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
