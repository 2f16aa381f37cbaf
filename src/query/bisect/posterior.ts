import { endsOf, type Ends } from "./ends.ts";
import { measuredPlaces, valuesAt, type Evidence } from "./evidence.ts";

/** Tails of the distribution of measurements: Student's with so much freedom has room for outliers, and costs little where there are none. */
const freedom = 4;

/** How far levels may lie from those of the ends: so many standard errors, and this share of the step, lest a scale that was taken for too small misleads. */
const reach = { errors: 6, step: 0.5 };

/** Distance of the levels that are tried, as a share of the scale: sums over them are integrals then, to about 0.1 % with 40 measurements. */
const spacing = 0.25;

/** Scales that are thought possible, as multiples of the one estimated from the ends. */
const scaleFactors = Array.from({ length: 11 }, (_, at) => 2 ** ((at - 5) / 2));

/**
 * How probable it is of each place that it is the first bad one, index 0 standing for place 1; each was equally probable before. Measurements before
 * the step scatter about one level, those from it on about another, by Student's distribution of one scale. What the levels and the scale are is
 * not taken from the ends alone: all that is possible is summed up (on a grid), weighted by how well it explains all measurements.
 */
export function posterior(evidence: Evidence): Float64Array {
  const ends = endsOf(evidence);
  const places = measuredPlaces(evidence);
  const perScale = scalesOf(ends).map((scale) => logEvidence(evidence, places, ends, scale));
  const bySplit = Array.from({ length: places.length + 1 }, (_, split) => logSum(perScale.map((one) => one[split]!)));
  const probabilities = new Float64Array(evidence.last);
  for (let place = 1, split = 0; place <= evidence.last; place++) {
    while (split < places.length && places[split]! < place) split += 1;
    probabilities[place - 1] = bySplit[split]!;
  }
  return normalised(probabilities);
}

function scalesOf({ scale, leastScale }: Ends): number[] {
  return [...new Set(scaleFactors.map((factor) => Math.max(factor * scale, leastScale)))];
}

/** For each number of measured places that lie before the step: the logarithm of how well that explains all measurements. */
function logEvidence(evidence: Evidence, places: readonly number[], ends: Ends, scale: number): number[] {
  const values = places.map((place) => valuesAt(evidence, place));
  const likelihoods = (levels: readonly number[]): number[][] => values.map((of) => levels.map((level) => logLikelihood(of, level, scale)));
  const [good, bad] = [levelsOf(ends, "good", scale), levelsOf(ends, "bad", scale)];
  const before = running(likelihoods(good), good.length);
  const after = running(likelihoods(bad).reverse(), bad.length).reverse();
  return before.map((sums, split) => logSum(sums) + logSum(after[split]!) + 2 * Math.log(spacing * scale));
}

function levelsOf(ends: Ends, end: "good" | "bad", scale: number): number[] {
  const { level, count } = ends[end];
  const step = Math.abs(ends.bad.level - ends.good.level);
  const width = reach.errors * (scale / Math.sqrt(count)) + reach.step * step;
  const points = Math.ceil(width / (spacing * scale));
  return Array.from({ length: 2 * points + 1 }, (_, at) => level + (at - points) * spacing * scale);
}

/** Of rows the sums of none, the first, the first two, … */
function running(rows: readonly (readonly number[])[], length: number): number[][] {
  const sums = [Array.from({ length }, () => 0)];
  for (const row of rows) sums.push(sums.at(-1)!.map((sum, at) => sum + row[at]!));
  return sums;
}

/** Up to a constant. */
function logLikelihood(values: Float64Array, level: number, scale: number): number {
  let sum = 0;
  for (const value of values) sum -= Math.log(scale) + ((freedom + 1) / 2) * Math.log1p(((value - level) / scale) ** 2 / freedom);
  return sum;
}

function logSum(logs: readonly number[]): number {
  const greatest = logs.reduce((most, next) => Math.max(most, next), Number.NEGATIVE_INFINITY);
  return greatest + Math.log(logs.reduce((sum, next) => sum + Math.exp(next - greatest), 0));
}

function normalised(logs: Float64Array): Float64Array {
  const greatest = logs.reduce((most, next) => Math.max(most, next), Number.NEGATIVE_INFINITY);
  const weights = logs.map((log) => Math.exp(log - greatest));
  const total = weights.reduce((sum, next) => sum + next, 0);
  return weights.map((weight) => weight / total);
}
