import { incompleteBeta } from "../distributions/incomplete-beta.ts";

/** P(at least `successes` of `count` fair coins): the one-sided sign test. */
export function signTail(successes: number, count: number): number {
  if (successes <= 0) return 1;
  if (successes > count) return 0;
  return incompleteBeta(0.5, successes, count - successes + 1);
}

/** Ends of an interval; both are NaN where the sample is too small to have one. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

export const noInterval: Interval = { low: Number.NaN, high: Number.NaN };

/**
 * The confidence interval of the median of whatever distribution: between the order statistics whose ranks the sign
 * test gives (Conover, "Practical Nonparametric Statistics", 3.2). It covers at least `confidence` (0.95 takes 6
 * values). `sorted` is ascending.
 */
export function medianInterval(sorted: Float64Array, confidence: number): Interval {
  const cut = medianRank(sorted.length, confidence);
  if (cut === 0) return noInterval;
  return { low: sorted[cut - 1] ?? Number.NaN, high: sorted[sorted.length - cut] ?? Number.NaN };
}

/** By count, then confidence: many samples are of the same size. */
const knownRanks = new Map<number, Map<number, number>>();

/** Counts whose ranks are remembered. */
const mostKnown = 1000;

/** The greatest rank, from 1, with at most (1 - confidence) / 2 of probability beyond it; 0: there is none. */
function medianRank(count: number, confidence: number): number {
  const own = knownRanks.get(count) ?? new Map<number, number>();
  const found = own.get(confidence) ?? searchedRank(count, confidence);
  if (knownRanks.size >= mostKnown || own.size >= mostKnown) knownRanks.clear();
  knownRanks.set(count, own.set(confidence, found));
  return found;
}

function searchedRank(count: number, confidence: number): number {
  let [low, high] = [0, Math.floor(count / 2)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (signTail(count - middle + 1, count) <= (1 - confidence) / 2) low = middle;
    else high = middle - 1;
  }
  return low;
}
