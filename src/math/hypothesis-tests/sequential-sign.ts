import { noInterval, type Interval } from "./paired-tests.ts";

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
