import { mannWhitney } from "./mann-whitney.ts";

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
