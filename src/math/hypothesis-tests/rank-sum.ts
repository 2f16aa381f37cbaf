import { moments } from "../descriptive/summary-statistics.ts";
import { median } from "../descriptive/quantile.ts";
import { normalQuantile, normalTail } from "../distributions/normal-and-chi-square.ts";
import { studentQuantile } from "../distributions/student-t.ts";
import { noInterval, type Interval } from "./paired-tests.ts";

/** The share of cases in which a change of that size would have been seen. */
const power = 0.8;

/** What the rank sum test takes more than Student's of normal values: its asymptotic relative efficiency is 3 / pi. */
const efficiency = 3 / Math.PI;

/**
 * The least change, as a share of the level, that the rank sum test at `alpha` would have seen in four of five cases,
 * upwards: (t(1 - alpha/2) + t(0.8)) * s * sqrt((1/m + 1/n) / (3/pi)), s the pooled standard deviation of the
 * logarithms (of values over the median of `before`, where some are not positive), t Student's quantiles with m + n - 2
 * degrees of freedom. null where no change would be seen, since even samples wholly apart have a p above `alpha`, or
 * where `before` has no level.
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

/** The p of two samples wholly apart. */
export function leastP(m: number, n: number): number {
  let ways = 1;
  for (let i = 1; i <= Math.min(m, n); i++) ways = (ways * (Math.max(m, n) + i)) / i;
  return Math.min(1, 2 / ways);
}

function squares({ count, variance }: { readonly count: number; readonly variance: number }): number {
  return count < 2 ? 0 : variance * (count - 1);
}

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

/** Up to so many values on each side the distribution is counted out: where none are equal, and where some are. */
const mostDifferent = 50;
const mostTied = 25;

/**
 * Two-sided p of Mann and Whitney's U, exact also where values are equal (Klotz, "The Wilcoxon, Ties, and the
 * Computer", 1966): for up to 25 values a side, 50 where all are different; more values as `mannWhitney`. 1 where a
 * sample is empty or all values are equal. As benchstat has it: twice the chance that U of the first sample is at most
 * the lesser of both U. Only where some values are equal and one sample has more of them than the other do its tails
 * differ, so that the order of the samples counts.
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

/** Equal values: how many there are, and how many of them are of the first sample. */
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

/** Twice the pairs in which the first sample has the greater value; pairs of equal values count once. */
function doubledU(groups: readonly TieGroup[]): number {
  let [sum, below] = [0, 0];
  for (const { size, first } of groups) {
    sum += first * (2 * below + size - first);
    below += size - first;
  }
  return sum;
}

/** P(2U <= most) over all ways to choose which `count` of the values are the first sample. */
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

/** `ways[i][u]`: in how many ways i of the `seen` values are of the first sample so that 2U is u. */
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
