import { median } from "../descriptive/index.ts";
import { normalQuantile, normalTail, incompleteBeta } from "../distributions/index.ts";

/** Maximum number of differences for the exact distribution. */
const exactCount = 50;

/**
 * Two-sided p of Wilcoxon's signed-rank test for differences. Zeros are omitted, ties have mean ranks; exact, also with
 * ties, for up to 50 differences. 1 if there are none.
 */
export function signedRankTest(differences: Float64Array): number {
  const kept = differences.filter((each) => each !== 0);
  if (kept.length === 0) return 1;
  const ranks = doubledRanks(kept.map(Math.abs));
  const all = ranks.reduce((sum, rank) => sum + rank, 0);
  const above = ranks.reduce((sum, rank, at) => sum + (kept[at]! > 0 ? rank : 0), 0);
  const small = Math.min(above, all - above);
  if (2 * small === all) return 1;
  return Math.min(1, 2 * (kept.length <= exactCount ? lowerTail(ranks, small) : normalLowerTail(ranks, small, all)));
}

/** Twice the mean ranks, as integers. */
function doubledRanks(sizes: Float64Array): number[] {
  const order = [...sizes.keys()].sort((a, b) => sizes[a]! - sizes[b]!);
  const ranks = Array.from<number>({ length: sizes.length });
  for (let from = 0; from < order.length;) {
    let to = from + 1;
    while (to < order.length && sizes[order[to]!] === sizes[order[from]!]) to += 1;
    for (let i = from; i < to; i++) ranks[order[i]!] = from + to + 1;
    from = to;
  }
  return ranks;
}

/** P(sum of the positive ranks <= most) with random signs. */
function lowerTail(ranks: readonly number[], most: number): number {
  const share = new Float64Array(most + 1);
  share[0] = 1;
  for (const rank of ranks)
    for (let sum = most; sum >= 0; sum--) share[sum] = (share[sum]! + (sum >= rank ? share[sum - rank]! : 0)) / 2;
  return share.reduce((total, each) => total + each, 0);
}

/** With continuity correction: half a step of the doubled sum is 1. */
function normalLowerTail(ranks: readonly number[], small: number, all: number): number {
  const deviation = Math.sqrt(ranks.reduce((sum, rank) => sum + rank * rank, 0)) / 2;
  return normalTail((all / 2 - small - 1) / deviation);
}

/** P(at least `successes` of `count` fair coins): the one-sided sign test. */
export function signTail(successes: number, count: number): number {
  if (successes <= 0) return 1;
  if (successes > count) return 0;
  return incompleteBeta(0.5, successes, count - successes + 1);
}

/** An interval; both ends are NaN if the sample is too small. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The shift between two samples, or the centre of differences. */
export interface Shift extends Interval {
  readonly shift: number;
}

export const noInterval: Interval = { low: Number.NaN, high: Number.NaN };

/**
 * The distribution-free confidence interval of the median, between order statistics from the sign test (Conover,
 * "Practical Nonparametric Statistics", 3.2). Covers at least `confidence` (0.95 needs 6 values). `sorted` is
 * ascending.
 */
export function medianInterval(sorted: Float64Array, confidence: number): Interval {
  const cut = medianRank(sorted.length, confidence);
  if (cut === 0) return noInterval;
  return { low: sorted[cut - 1] ?? Number.NaN, high: sorted[sorted.length - cut] ?? Number.NaN };
}

/** Cache by count, then confidence: many samples have the same size. */
const knownRanks = new Map<number, Map<number, number>>();

/** Maximum size of the cache. */
const mostKnown = 1000;

/**
 * The rank of the lower end of the interval of `medianInterval` among `count` values, from 1; the upper end has it from
 * the other side. The greatest rank with at most (1 - confidence) / 2 of probability beyond it; 0: none.
 */
export function medianRank(count: number, confidence: number): number {
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

/** Maximum number of differences whose means are enumerated. */
const mostEnumerated = 500;

/**
 * The centre of differences by Wilcoxon's signed-rank test: the median of the means of all pairs of differences (Hodges
 * and Lehmann 1963), and the interval of all centres that the test does not reject (Tukey; Conover, "Practical
 * Nonparametric Statistics", 5.7). Above 500 differences the median with its interval.
 */
export function signedRankShift(differences: Float64Array, confidence: number): Shift {
  const count = differences.length;
  const tail = (1 - confidence) / 2;
  if (count > mostEnumerated)
    return { shift: median(differences), ...medianInterval(Float64Array.from(differences).sort(), confidence) };
  const means = meansOfPairs(differences);
  const cut = count <= exactCount ? exactRank(count, tail) : normalRank(count, tail);
  const ends =
    cut < 1 ? noInterval : { low: means[cut - 1] ?? Number.NaN, high: means[means.length - cut] ?? Number.NaN };
  return { shift: median(means), ...ends };
}

/** The means of all pairs of values, each also with itself, ascending. */
function meansOfPairs(values: Float64Array): Float64Array {
  const means = new Float64Array((values.length * (values.length + 1)) / 2);
  let at = 0;
  for (let i = 0; i < values.length; i++)
    for (let j = i; j < values.length; j++) means[at++] = (values[i]! + values[j]!) / 2;
  return means.sort();
}

/** The least sum of positive ranks with more than `tail` of probability up to it. */
function exactRank(count: number, tail: number): number {
  const ways = new Float64Array((count * (count + 1)) / 2 + 1);
  ways[0] = 1;
  for (let rank = 1; rank <= count; rank++)
    for (let sum = ways.length - 1; sum >= rank; sum--) ways[sum]! += ways[sum - rank]!;
  let reached = 0;
  return ways.findIndex((each) => (reached += each / 2 ** count) > tail);
}

function normalRank(count: number, tail: number): number {
  const deviation = Math.sqrt((count * (count + 1) * (2 * count + 1)) / 24);
  return Math.floor((count * (count + 1)) / 4 - normalQuantile(1 - tail) * deviation);
}

/**
 * Evidence against fair signs: the e-value of the test martingale that bets on the sign of each difference with the
 * Jeffreys mixture, 2^n B(above + 1/2, below + 1/2) / B(1/2, 1/2) (Krichevsky and Trofimov 1981). If signs are fair,
 * the probability that it ever reaches 1/alpha is at most alpha (Ville 1939), however often it is looked at.
 */
export function signEvidence(above: number, below: number): number {
  let logarithm = 0;
  for (let at = 0; at < above + below; at++) {
    const seen = at < above ? at : at - above;
    logarithm += Math.log((2 * (seen + 0.5)) / (at + 1));
  }
  return Math.exp(logarithm);
}

/**
 * Two-sided p of the sequential sign test of a median of 0: 1 over the evidence, at most 1. Valid at every stopping
 * time. Zeros are omitted.
 */
export function sequentialSignTest(differences: Float64Array): number {
  const above = differences.reduce((count, each) => count + (each > 0 ? 1 : 0), 0);
  const below = differences.reduce((count, each) => count + (each < 0 ? 1 : 0), 0);
  return Math.min(1, 1 / signEvidence(above, below));
}

/**
 * The confidence sequence of the median: the values that the sequential sign test does not reject. Covers the median at
 * all times together with at least `confidence` (0.95 needs 7 values). `sorted` is ascending.
 */
export function sequentialMedianInterval(sorted: Float64Array, confidence: number): Interval {
  const rank = sequentialRank(sorted.length, confidence);
  if (rank === 0) return noInterval;
  return { low: sorted[rank - 1] ?? Number.NaN, high: sorted[sorted.length - rank] ?? Number.NaN };
}

/** The least number of values below a point that does not reject it as the median; 0: there is no interval. Linear. */
export function sequentialRank(count: number, confidence: number): number {
  const limit = -Math.log(1 - confidence);
  let rank = 0;
  let logarithm = Math.log(signEvidence(0, count));
  while (rank < count / 2 && logarithm >= limit) {
    logarithm += Math.log((rank + 0.5) / (count - rank - 0.5));
    rank += 1;
  }
  return rank;
}
