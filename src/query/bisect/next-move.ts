import { median } from "../../math/descriptive/index.ts";
import { normalTail } from "../../math/distributions/index.ts";
import { endsDiffer, endsOf } from "./ends.ts";
import { type Evidence, valuesAt, type Measurement } from "./evidence.ts";
import { posterior } from "./posterior.ts";

/** A measurement of an end: its distance from the level there and the number of measurements made before it. */
interface Reference {
  readonly time: number;
  readonly offset: number;
}

/** Fewest measurements of the ends that show a drift. */
const fewest = 8;

/** Widths of the Gaussian weights tried, in measurements: for how long a machine may stay slow. */
const widths = [2, 4, 8, 16];

/**
 * The prediction error from neighbours in time must fall below this share of the error from all others. Without drift
 * it is above.
 */
const requiredImprovement = 0.85;

/**
 * The measurements corrected for drift of the machine. The levels of the ends are known, so their measurements show the
 * drift at their time; it is interpolated for the others with Gaussian weights. `null`: no drift detected.
 */
export function withoutDrift(evidence: Evidence): Evidence | null {
  const references = referencesOf(evidence);
  const width = widthOf(references);
  if (width === null) return null;
  const measurements = evidence.measurements.map(({ position, value }, time): Measurement => {
    return { position, value: value - expectedOffset(references, time, width) };
  });
  return { ...evidence, measurements };
}

function referencesOf(evidence: Evidence): Reference[] {
  const levels = new Map([0, evidence.last].map((end) => [end, median(valuesAt(evidence, end))]));
  return evidence.measurements.flatMap(({ position, value }, time) => {
    const level = levels.get(position);
    return level === undefined ? [] : [{ time, offset: value - level }];
  });
}

function widthOf(references: readonly Reference[]): number | null {
  if (references.length < fewest) return null;
  const errorOf = (width: number): number =>
    references.reduce((sum, { time, offset }) => sum + Math.abs(offset - expectedOffset(references, time, width)), 0);
  let [best, least] = [null as number | null, requiredImprovement * errorOf(Number.POSITIVE_INFINITY)];
  for (const width of widths) {
    const error = errorOf(width);
    if (error < least) [best, least] = [width, error];
  }
  return best;
}

/** The weighted mean of all references except the one of that time; closer ones weigh more. */
function expectedOffset(references: readonly Reference[], at: number, width: number): number {
  let [sum, weights] = [0, 0];
  for (const { time, offset } of references) {
    if (time === at) continue;
    const weight = Math.exp(-(((time - at) / width) ** 2) / 2) + 1e-9;
    sum += weight * offset;
    weights += weight;
  }
  return sum / weights;
}

/** Range and step of the numeric integration over the error of the middle, in standard errors. */
const middles = { end: 6, distance: 0.05 };

/** Upper bound of the repetitions of a version. */
const mostRepetitions = 2 ** 14;

/**
 * The number of measurements a plain binary search takes: it measures each version equally often and halves by whether
 * the mean is closer to the good or to the bad level, with enough repetitions to be right with `confidence` under
 * normal noise. `step`: difference of the levels in standard deviations of one measurement, positive. Step and noise
 * are given; a real search would have to measure them, too.
 */
export function binarySearchCost(
  last: number,
  step: number,
  confidence: number,
): { readonly repetitions: number; readonly measurements: number } {
  const halvings = Math.ceil(Math.log2(Math.max(1, last)));
  if (halvings === 0) return { repetitions: 1, measurements: 2 };
  let [enough, tooFew] = [1, 0];
  while (enough < mostRepetitions && chanceOf(halvings, step, enough) < confidence)
    [enough, tooFew] = [2 * enough, enough];
  while (enough - tooFew > 1) {
    const middle = (enough + tooFew) >> 1;
    if (chanceOf(halvings, step, middle) < confidence) tooFew = middle;
    else enough = middle;
  }
  return { repetitions: enough, measurements: (2 + halvings) * enough };
}

/**
 * Probability that all halvings are right. The middle between the ends is measured as well and errs with half the
 * variance of a mean; an error there affects all versions.
 */
function chanceOf(halvings: number, step: number, repetitions: number): number {
  const half = (step / 2) * Math.sqrt(repetitions);
  let [sum, weights] = [0, 0];
  for (let middle = -middles.end; middle <= middles.end; middle += middles.distance) {
    const weight = Math.exp((-middle * middle) / 2);
    const error = middle / Math.SQRT2;
    const wrong = (normalTail(half + error) + normalTail(half - error)) / 2;
    sum += weight * (1 - wrong) ** halvings;
    weights += weight;
  }
  return sum / weights;
}

/**
 * Neighbouring positions that measurements cannot distinguish, since those between them cannot be measured; usually
 * just one.
 */
export interface Suspects {
  /** The first bad position is within `from`..`to`, both inclusive. */
  readonly from: number;
  readonly to: number;
  readonly probability: number;
}

/**
 * What to do next. measure: this position, once. found: the first bad position is among few enough. alike: the ends do
 * not differ within the allowed number of measurements.
 */
export type Move =
  | { readonly kind: "measure"; readonly position: number }
  | { readonly kind: "found"; readonly suspects: Suspects }
  | { readonly kind: "alike" };

export interface MoveOptions {
  /** Required probability of the first bad position, below 1. */
  readonly confidence: number;
  /** Most measurements of each end without a difference before the search gives up. */
  readonly maxEndMeasurements: number;
}

/** Most measurements between two measurements of an end: only the ends reveal drift of the machine. */
const mostWithoutEnd = 4;

/** The next move; deterministic for the same evidence. */
export function nextMove(evidence: Evidence, options: MoveOptions): Move {
  const [good, bad] = [0, evidence.last].map((end) => valuesAt(evidence, end).length) as [number, number];
  if (!endsDiffer(evidence)) {
    if (Math.min(good, bad) >= options.maxEndMeasurements) return { kind: "alike" };
    return { kind: "measure", position: good <= bad ? 0 : evidence.last };
  }
  const undrifted = withoutDrift(evidence);
  const suspects = groupsOf(undrifted ?? evidence);
  const best = suspects.reduce((most, next) => (next.probability > most.probability ? next : most));
  if (best.probability >= options.confidence) return { kind: "found", suspects: best };
  const position = mostInformative(evidence, suspects);
  const count = valuesAt(evidence, position).length;
  const needsReference =
    sinceAnEnd(evidence) >= (undrifted === null ? mostWithoutEnd : 1) && isNoisy(undrifted ?? evidence);
  // The ends need as many measurements as the position compared to them: a single good or bad version among many others
  // has no other reference. Under drift they must be measured at about the same time, too.
  if (count >= Math.min(good, bad) || needsReference)
    return { kind: "measure", position: good <= bad ? 0 : evidence.last };
  return { kind: "measure", position };
}

/** Number of measurements since the last one of an end. */
function sinceAnEnd({ measurements, last }: Evidence): number {
  return measurements.length - 1 - measurements.findLastIndex(({ position }) => position === 0 || position === last);
}

/** Whether the noise is above its lower bound, a fixed share of the step. */
function isNoisy(evidence: Evidence): boolean {
  const { scale, leastScale } = endsOf(evidence);
  return scale > leastScale;
}

/** All positions, grouped by what measurements can distinguish, ascending, with the probability of each group. */
export function suspectsOf(evidence: Evidence): Suspects[] {
  return groupsOf(withoutDrift(evidence) ?? evidence);
}

function groupsOf(evidence: Evidence): Suspects[] {
  const probabilities = posterior(evidence);
  const groups: Suspects[] = [];
  for (let from = 1, to = 1; from <= evidence.last; from = to + 1, to = from) {
    while (evidence.skipped.has(to)) to += 1;
    groups.push({ from, to, probability: probabilities.subarray(from - 1, to).reduce((sum, next) => sum + next, 0) });
  }
  return groups;
}

/** The fewest groups, the most probable first, that contain the first bad position with this probability. */
export function credibleGroups(groups: readonly Suspects[], confidence: number): Suspects[] {
  const ranked = groups.toSorted((a, b) => b.probability - a.probability);
  const chosen: Suspects[] = [];
  for (let sum = 0; sum < confidence && chosen.length < ranked.length; sum += chosen.at(-1)!.probability)
    chosen.push(ranked[chosen.length]!);
  return chosen;
}

/**
 * The position whose measurement is the most informative: with equal noise everywhere, the one whose state is the most
 * uncertain. Of two equal ones, the one with fewer measurements, which limits the effect of one odd build.
 */
function mostInformative(evidence: Evidence, groups: readonly Suspects[]): number {
  let [best, least] = [groups[0]!.to, Number.POSITIVE_INFINITY];
  let bad = 0;
  for (const { to, probability } of groups.slice(0, -1)) {
    bad += probability;
    const distance = Math.abs(bad - 0.5);
    const isAlike =
      Math.abs(distance - least) < 1e-9 && valuesAt(evidence, to).length < valuesAt(evidence, best).length;
    if (distance < least - 1e-9 || isAlike) [best, least] = [to, Math.min(distance, least)];
  }
  return best;
}
