import { normalQuantile, normalTail } from "../distributions/normal.ts";
import { median } from "../descriptive/quantile.ts";
import { noInterval, type Interval } from "./sign-test.ts";

/** Up to so many values together the distribution of U is counted out, where none are equal. */
const exactCount = 50;

/**
 * Two-sided p of Mann and Whitney's U (1947): how likely two samples of one distribution lie so far apart. Exact for up
 * to 50 different values together, by the normal distribution with correction for ties and continuity otherwise; 1
 * where a sample is empty.
 */
export function mannWhitney(a: Float64Array, b: Float64Array): number {
  const count = a.length + b.length;
  const { u, ties } = statistic(a, b);
  const away = Math.abs(u - (a.length * b.length) / 2);
  if (ties === 0 && count <= exactCount)
    return Math.min(1, 2 * atMost(a.length, b.length, (a.length * b.length) / 2 - away));
  const variance = ((a.length * b.length) / 12) * (count + 1 - ties / (count * (count - 1)));
  return variance > 0 ? Math.min(1, 2 * normalTail(Math.max(0, away - 0.5) / Math.sqrt(variance))) : 1;
}

/**
 * U: pairs in which the value of `a` is the greater one, halves where they are equal; and the sum of t³ - t over groups
 * of t equal values.
 */
function statistic(a: Float64Array, b: Float64Array): { u: number; ties: number } {
  const [left, right] = [Float64Array.from(a).sort(), Float64Array.from(b).sort()];
  let [u, ties] = [0, 0];
  for (let i = 0, j = 0; i < left.length || j < right.length;) {
    const value = Math.min(left[i] ?? Infinity, right[j] ?? Infinity);
    const [fromI, fromJ] = [i, j];
    while (left[i] === value) i += 1;
    while (right[j] === value) j += 1;
    const size = i - fromI + j - fromJ;
    u += (i - fromI) * (fromJ + (j - fromJ) / 2);
    ties += size ** 3 - size;
  }
  return { u, ties };
}

/** P(U <= u) of samples of m and n different values. */
function atMost(m: number, n: number, u: number): number {
  return distribution(m, n, u).at(-1) ?? 0;
}

/**
 * P(U <= 0), P(U <= 1), … up to `most`: coefficients of the Gaussian binomial, which stay whole numbers of double
 * precision.
 */
function distribution(m: number, n: number, most: number): Float64Array {
  const counts = new Float64Array(Math.max(0, Math.floor(most) + 1));
  counts[0] = 1;
  let all = 1;
  for (let i = 1; i <= Math.min(m, n); i++) {
    const larger = Math.max(m, n) + i;
    for (let k = counts.length - 1; k >= larger; k--)
      counts[k] = (counts[k] as number) - (counts[k - larger] as number);
    for (let k = i; k < counts.length; k++) counts[k] = (counts[k] as number) + (counts[k - i] as number);
    all = Math.round((all * larger) / i);
  }
  let sum = 0;
  return counts.map((count) => (sum += count) / all);
}

/** By how much one sample lies above another. */
export interface Shift extends Interval {
  readonly shift: number;
}

/**
 * The median of all differences between a value of `after` and one of `before` (Hodges and Lehmann 1963) with its
 * distribution-free confidence interval (Conover, "Practical Nonparametric Statistics", 5.4). Takes as many steps as
 * there are pairs.
 */
export function shiftBetween(before: Float64Array, after: Float64Array, confidence: number): Shift {
  const differences = new Float64Array(before.length * after.length);
  after.forEach((value, i) => before.forEach((base, j) => (differences[i * before.length + j] = value - base)));
  differences.sort();
  const cut = shiftRank(before.length, after.length, (1 - confidence) / 2);
  const ends =
    cut < 1
      ? noInterval
      : { low: differences[cut - 1] ?? Number.NaN, high: differences[differences.length - cut] ?? Number.NaN };
  return { shift: median(differences), ...ends };
}

/** The greatest rank with at most `tail` of probability below it; 0: there is none. */
function shiftRank(m: number, n: number, tail: number): number {
  if (m + n <= exactCount) return distribution(m, n, (m * n) / 2).findIndex((share) => share > tail);
  return Math.floor((m * n) / 2 - normalQuantile(1 - tail) * Math.sqrt((m * n * (m + n + 1)) / 12));
}
