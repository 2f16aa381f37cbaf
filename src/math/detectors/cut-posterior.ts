import { type Noise, noiseAbout } from "./noise.ts";

/** Sums of squares below this share of all are rounding errors. */
const rounding = 1e-13;

/**
 * The posterior probability of each position of the one change of level in `values[from, to)`, given that there is one:
 * item i is that of a change at `from + 1 + i`. Normal errors with unknown variance, unknown levels, and a uniform
 * prior on the position (Smith 1975, A Bayesian approach to inference about a change-point). `noise` is that of all
 * levels: the errors outside of the two levels help to know the variance. As the sum of n correlated errors says less
 * than n independent ones, the evidence counts by the effective number of values.
 */
export function cutPosterior(values: Float64Array, from: number, to: number, noise: Noise): Float64Array {
  const count = to - from;
  const own = values.subarray(from, to);
  const squares = sumsOfSquares(own);
  const least = squares.reduce((smaller, each) => Math.min(smaller, each), Infinity);
  const outside = Math.max(0, noise.variance * noise.freedom - least);
  const floor = rounding * Math.max(noiseAbout(own, []).variance * count, Number.MIN_VALUE);
  const freedom = Math.max(1, (noise.freedom * (1 - noise.correlation)) / (1 + noise.correlation));
  const weights = squares.map((each, at) => {
    const balance = Math.log((at + 1) * (count - at - 1)) / 2;
    return -balance - (freedom / 2) * Math.log(Math.max(floor, outside + each));
  });
  const most = weights.reduce((greater, each) => Math.max(greater, each), -Infinity);
  const shares = weights.map((weight) => Math.exp(weight - most));
  const total = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => share / total);
}

/** The squared deviations of both levels from their means, summed, for each position of the change. */
function sumsOfSquares(values: Float64Array): Float64Array {
  const sums = new Float64Array(values.length - 1);
  const add = (order: (at: number) => number, slot: (count: number) => number): void => {
    let [mean, sum] = [0, 0];
    for (let count = 1; count < values.length; count++) {
      const value = values[order(count - 1)] as number;
      const distance = value - mean;
      mean += distance / count;
      sum += distance * (value - mean);
      const at = slot(count);
      sums[at] = (sums[at] as number) + sum;
    }
  };
  add(
    (at) => at,
    (count) => count - 1,
  );
  add(
    (at) => values.length - 1 - at,
    (count) => values.length - 1 - count,
  );
  return sums;
}

/** The fewest items whose shares sum to at least `wanted`, by their indices in ascending order, and that sum. */
export function credibleSet(
  shares: Float64Array,
  wanted: number,
): { readonly items: readonly number[]; readonly probability: number } {
  const items: number[] = [];
  let probability = 0;
  const byShare = Array.from(shares, (share, at) => ({ share, at })).sort((a, b) => b.share - a.share || a.at - b.at);
  for (const { share, at } of byShare) {
    if (probability >= wanted) break;
    items.push(at);
    probability += share;
  }
  return { items: items.sort((a, b) => a - b), probability: Math.min(1, probability) };
}
