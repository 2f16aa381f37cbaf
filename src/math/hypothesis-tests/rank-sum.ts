import { moments, median } from "../descriptive/index.ts";
import { normalQuantile, normalTail, studentQuantile } from "../distributions/index.ts";
import { noInterval, type Shift } from "./paired-tests.ts";

/** The power of the test for the detectable change. */
const power = 0.8;

/** Asymptotic relative efficiency of the rank-sum test to Student's for normal values. */
const efficiency = 3 / Math.PI;

/**
 * The smallest relative upward change that the rank-sum test at `alpha` detects with a power of 80 %:
 * (t(1 - alpha/2) + t(0.8)) * s * sqrt((1/m + 1/n) / (3/pi)), s the pooled standard deviation of the logarithms (of
 * values over the median of `before`, if some are not positive), t Student's quantiles with m + n - 2 degrees of
 * freedom. null if even completely separated samples have a p above `alpha`, or if `before` has no level.
 */
export function detectableChange(
  before: Float64Array,
  after: Float64Array,
  level: number,
  alpha: number,
): number | null {
  const [m, n] = [before.length, after.length];
  if (m < 1 || n < 1 || leastP(m, n) > alpha || level === 0) return null;
  const isPositive = before.every((value) => value > 0) && after.every((value) => value > 0);
  const [left, right] = [before, after].map((side) =>
    moments(side.map((value) => (isPositive ? Math.log(value) : value / Math.abs(level)))),
  );
  const freedom = m + n - 2;
  const pooled = Math.sqrt((squares(left!) + squares(right!)) / freedom);
  const reach =
    (studentQuantile(1 - alpha / 2, freedom) + studentQuantile(power, freedom)) *
    pooled *
    Math.sqrt((1 / m + 1 / n) / efficiency);
  return isPositive ? Math.expm1(reach) : reach;
}

/** The p of two completely separated samples. */
export function leastP(m: number, n: number): number {
  let ways = 1;
  for (let i = 1; i <= Math.min(m, n); i++) ways = (ways * (Math.max(m, n) + i)) / i;
  return Math.min(1, 2 / ways);
}

function squares({ count, variance }: { readonly count: number; readonly variance: number }): number {
  return count < 2 ? 0 : variance * (count - 1);
}

/** Maximum total size for the exact distribution of U without ties. */
export const exactCount = 50;

/**
 * Two-sided p of the Mann-Whitney U test (1947). Exact for up to 50 distinct values in total, otherwise by the normal
 * approximation with correction for ties and continuity; 1 if a sample is empty.
 */
export function mannWhitney(a: Float64Array, b: Float64Array): number {
  const count = a.length + b.length;
  const { u, ties } = rankSum(a, b);
  const away = Math.abs(u - (a.length * b.length) / 2);
  if (ties === 0 && count <= exactCount)
    return Math.min(1, 2 * atMost(a.length, b.length, (a.length * b.length) / 2 - away));
  const variance = ((a.length * b.length) / 12) * (count + 1 - ties / (count * (count - 1)));
  return variance > 0 ? Math.min(1, 2 * normalTail(Math.max(0, away - 0.5) / Math.sqrt(variance))) : 1;
}

/**
 * U: the pairs in which the value of `a` is greater, half for ties; and the sum of t³ - t over groups of t equal
 * values.
 */
export function rankSum(a: Float64Array, b: Float64Array): { u: number; ties: number } {
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

/** P(U <= u) of samples of m and n distinct values. */
function atMost(m: number, n: number, u: number): number {
  return distribution(m, n, u).at(-1) ?? 0;
}

/**
 * P(U <= 0), P(U <= 1), … up to `most`, from coefficients of the Gaussian binomial, which are exact in double
 * precision.
 */
export function distribution(m: number, n: number, most: number): Float64Array {
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

/**
 * The median of all differences between values of `after` and `before` (Hodges and Lehmann 1963), with its
 * distribution-free confidence interval (Conover, "Practical Nonparametric Statistics", 5.4). Linear in the number of
 * pairs.
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

/** The greatest rank with at most `tail` of probability below it; 0: none. */
function shiftRank(m: number, n: number, tail: number): number {
  if (m + n <= exactCount) return distribution(m, n, (m * n) / 2).findIndex((share) => share > tail);
  return Math.floor((m * n) / 2 - normalQuantile(1 - tail) * Math.sqrt((m * n * (m + n + 1)) / 12));
}

/** Maximum size of each sample for the exact distribution, without and with ties. */
const mostDifferent = 50;
const mostTied = 25;

/**
 * Two-sided p of the Mann-Whitney U test, exact with ties (Klotz, "The Wilcoxon, Ties, and the Computer", 1966) for up
 * to 25 values per sample, 50 without ties; larger samples as `mannWhitney`. 1 if a sample is empty or all values are
 * equal. As in benchstat: twice the probability that U of the first sample is at most the lesser of both U. With ties
 * and samples of different sizes the tails differ, so that the order of the samples matters.
 */
export function rankSumTest(a: Float64Array, b: Float64Array): number {
  if (Math.max(a.length, b.length) > mostDifferent) return mannWhitney(a, b);
  const groups = tieGroups(a, b);
  const most = groups.every(({ size }) => size === 1) ? mostDifferent : mostTied;
  if (groups.length < 2 || a.length === 0 || b.length === 0) return 1;
  if (Math.max(a.length, b.length) > most) return mannWhitney(a, b);
  const twiceU = doubledU(groups);
  const pairs = 2 * a.length * b.length;
  if (twiceU * 2 === pairs) return 1;
  return Math.min(1, 2 * lowerTail(groups, a.length, Math.min(twiceU, pairs - twiceU)));
}

/** A group of equal values: its size, and how many are of the first sample. */
interface TieGroup {
  readonly size: number;
  readonly first: number;
}

function tieGroups(a: Float64Array, b: Float64Array): TieGroup[] {
  const [left, right] = [Float64Array.from(a).sort(), Float64Array.from(b).sort()];
  const groups: TieGroup[] = [];
  for (let i = 0, j = 0; i < left.length || j < right.length;) {
    const value = Math.min(left[i] ?? Infinity, right[j] ?? Infinity);
    const [fromI, fromJ] = [i, j];
    while (left[i] === value) i += 1;
    while (right[j] === value) j += 1;
    groups.push({ size: i - fromI + j - fromJ, first: i - fromI });
  }
  return groups;
}

/** Twice U of the first sample: twice the pairs in which its value is greater, plus the ties. */
function doubledU(groups: readonly TieGroup[]): number {
  let [sum, below] = [0, 0];
  for (const { size, first } of groups) {
    sum += first * (2 * below + size - first);
    below += size - first;
  }
  return sum;
}

/** P(2U <= most) over all choices of `count` values as the first sample. */
function lowerTail(groups: readonly TieGroup[], count: number, most: number): number {
  let ways: readonly Float64Array[] = Array.from({ length: count + 1 }, () => new Float64Array(most + 1));
  ways[0]![0] = 1;
  let seen = 0;
  for (const { size } of groups) {
    ways = afterGroup(ways, seen, size);
    seen += size;
  }
  const reached = ways[count]!.reduce((sum, each) => sum + each, 0);
  return reached / binomial(seen, count);
}

/** `ways[i][u]`: number of ways to choose i of the `seen` values as the first sample with 2U = u. */
function afterGroup(ways: readonly Float64Array[], seen: number, size: number): Float64Array[] {
  const next = ways.map((each) => new Float64Array(each.length));
  ways.forEach((own, chosen) => {
    const others = seen - chosen;
    if (others < 0) return;
    for (let taken = 0; taken <= Math.min(size, ways.length - 1 - chosen); taken++) {
      const step = taken * (2 * others + size - taken);
      add(own, next[chosen + taken]!, step, binomial(size, taken));
    }
  });
  return next;
}

function add(from: Float64Array, to: Float64Array, step: number, times: number): void {
  for (let u = 0; u + step < to.length; u++) to[u + step] = to[u + step]! + times * from[u]!;
}

function binomial(n: number, k: number): number {
  let product = 1;
  for (let i = 1; i <= k; i++) product = (product * (n - k + i)) / i;
  return product;
}
