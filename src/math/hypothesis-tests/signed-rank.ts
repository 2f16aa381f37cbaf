import { normalTail } from "../distributions/normal.ts";

/** Up to so many differences the distribution is counted out. */
const exactCount = 50;

/**
 * Two-sided p of Wilcoxon's signed rank test: how likely differences that are symmetric around 0 lie so far to one
 * side. Zeros are left out, equal sizes share their mean rank; exact, also with equal ones, for up to 50 differences. 1
 * where there are none.
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

/** Twice the mean ranks: whole numbers. */
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

/** P(sum of the ranks with a plus <= most) when each sign is a fair coin. */
function lowerTail(ranks: readonly number[], most: number): number {
  const share = new Float64Array(most + 1);
  share[0] = 1;
  for (const rank of ranks)
    for (let sum = most; sum >= 0; sum--) share[sum] = (share[sum]! + (sum >= rank ? share[sum - rank]! : 0)) / 2;
  return share.reduce((total, each) => total + each, 0);
}

/** Corrected for continuity: half a step of the doubled sum is 1. */
function normalLowerTail(ranks: readonly number[], small: number, all: number): number {
  const deviation = Math.sqrt(ranks.reduce((sum, rank) => sum + rank * rank, 0)) / 2;
  return normalTail((all / 2 - small - 1) / deviation);
}
