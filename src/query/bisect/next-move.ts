import { withoutDrift } from "./drift.ts";
import { endsDiffer, endsOf } from "./ends.ts";
import { type Evidence, valuesAt } from "./evidence.ts";
import { posterior } from "./posterior.ts";

/**
 * Neighbouring places that no measurement can tell apart, since what lies between them cannot be measured; mostly just
 * one.
 */
export interface Suspects {
  /** The first bad one is among `from`..`to`, both included. */
  readonly from: number;
  readonly to: number;
  readonly probability: number;
}

/**
 * What to do next. measure: this place, once. found: the first bad place is among few enough. alike: the ends do not
 * differ, as far as so many measurements of each can tell.
 */
export type Move =
  | { readonly kind: "measure"; readonly place: number }
  | { readonly kind: "found"; readonly suspects: Suspects }
  | { readonly kind: "alike" };

export interface MoveOptions {
  /** Probability with which the first bad place is to be known, below 1. */
  readonly confidence: number;
  /** So many measurements of each end without a difference are enough. */
  readonly mostOfEnds: number;
}

/**
 * After so many measurements between the ends one of them is measured again: only they can tell that the machine has
 * become slower or faster meanwhile.
 */
const mostWithoutEnd = 4;

/** Looks at all that is known: the same evidence leads to the same move. */
export function nextMove(evidence: Evidence, options: MoveOptions): Move {
  const [good, bad] = [0, evidence.last].map((end) => valuesAt(evidence, end).length) as [number, number];
  if (!endsDiffer(evidence)) {
    if (Math.min(good, bad) >= options.mostOfEnds) return { kind: "alike" };
    return { kind: "measure", place: good <= bad ? 0 : evidence.last };
  }
  const undrifted = withoutDrift(evidence);
  const suspects = groupsOf(undrifted ?? evidence);
  const best = suspects.reduce((most, next) => (next.probability > most.probability ? next : most));
  if (best.probability >= options.confidence) return { kind: "found", suspects: best };
  const place = mostTelling(evidence, suspects);
  const count = valuesAt(evidence, place).length;
  const needsReference =
    sinceAnEnd(evidence) >= (undrifted === null ? mostWithoutEnd : 1) && scatters(undrifted ?? evidence);
  // What a place is compared to has to be known as well as the place itself: a single good or bad version among many
  // others has no other witness. Where the machine drifts it has to be known at the same time, too.
  if (count >= Math.min(good, bad) || needsReference)
    return { kind: "measure", place: good <= bad ? 0 : evidence.last };
  return { kind: "measure", place };
}

/** How many measurements were made since one of an end. */
function sinceAnEnd({ measurements, last }: Evidence): number {
  return measurements.length - 1 - measurements.findLastIndex(({ place }) => place === 0 || place === last);
}

/** Whether the noise is worth mentioning beside the step. */
function scatters(evidence: Evidence): boolean {
  const { scale, leastScale } = endsOf(evidence);
  return scale > leastScale;
}

/** All places by what measurements can tell apart, in their order, each group with its probability. */
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

/** The fewest groups, the most probable first, among which the first bad place is with this probability. */
export function credible(groups: readonly Suspects[], confidence: number): Suspects[] {
  const ranked = groups.toSorted((a, b) => b.probability - a.probability);
  const chosen: Suspects[] = [];
  for (let sum = 0; sum < confidence && chosen.length < ranked.length; sum += chosen.at(-1)!.probability)
    chosen.push(ranked[chosen.length]!);
  return chosen;
}

/**
 * The place of which one measurement tells most: with noise that is the same everywhere, what it tells grows with how
 * uncertain it is whether the place is good or bad. Between two that tell as much the one that was measured less: what
 * is odd about a single build then counts less.
 */
function mostTelling(evidence: Evidence, groups: readonly Suspects[]): number {
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
