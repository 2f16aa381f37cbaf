import { median, quantileOfSorted } from "../descriptive/index.ts";
import { noInterval, type Interval } from "../hypothesis-tests/index.ts";
import { seededRandom } from "./seeded-random.ts";

const resamples = 1000;

/** Maximum draws per group: with more values only the variation between groups matters. */
const mostDrawn = 1000;

/**
 * The percentile interval of median(after) / median(before) for values in groups, such as processes or runs, by the
 * hierarchical bootstrap: resamples groups, then values of each (Kalibera and Jones, "Rigorous Benchmarking in
 * Reasonable Time", 2013). No interval if a side has fewer than two groups, or medians that are not positive.
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

/** A model of noise for resampling. */
export interface NoiseModel {
  /** First autocorrelation, 0 to 0.9; 0 if not significant. */
  readonly correlation: number;
  /** Centred residuals of the autoregression. */
  readonly shocks: Float64Array;
  /** Length of resampled blocks of shocks. */
  readonly block: number;
}

/** Maximum correlation: beyond it the start would influence a complete drawn series. */
const mostCorrelation = 0.9;

/** Discarded values at the start of a drawn series. */
const runIn = 40;

/**
 * A model of noise around 0: a first-order autoregression is removed first (Davison and Hinkley 1997, 8.2.3:
 * "post-blackening"), and the residuals are resampled in blocks long enough for other dependence, such as weekends.
 * Blocks alone would lose the autocorrelation at their ends. Needs at least two values.
 */
export function noiseModel(noise: Float64Array): NoiseModel {
  const found = correlationAt(noise, 1);
  const n = noise.length;
  // Corrected for the bias of an estimated level (Marriott and Pope 1954).
  const correlation = found > 2 / Math.sqrt(n) ? Math.min(mostCorrelation, found + (1 + 3 * found) / n) : 0;
  const rest = noise.subarray(1).map((value, at) => value - correlation * (noise[at] as number));
  const shocks = correlation === 0 ? noise : rest.map((value) => value - meanOf(rest));
  return { correlation, shocks, block: blockLength(shocks) };
}

/** Fills `values` with noise drawn from the model; blocks wrap around the end of the shocks. */
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
 * Twice the lag beyond which correlations are insignificant (Politis and White 2004, 3), at least the cube root of the
 * length.
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
