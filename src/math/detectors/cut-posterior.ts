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

/** Most items that are looked for one by one, which takes less time than ordering all. */
const mostSearched = 12;

/** The fewest items whose shares sum to at least `wanted`, by their indices in ascending order, and that sum. */
export function credibleSet(
  shares: Float64Array,
  wanted: number,
): { readonly items: readonly number[]; readonly probability: number } {
  const items: number[] = [];
  let probability = 0;
  for (const at of inDescendingOrder(shares)) {
    if (probability >= wanted) break;
    items.push(at);
    probability += shares[at] as number;
  }
  return { items: items.sort((a, b) => a - b), probability: Math.min(1, probability) };
}

/** The indices of shares, the largest first; of equal ones the first. */
function* inDescendingOrder(shares: Float64Array): Generator<number> {
  const rest = shares.slice();
  for (let found = 0; found < mostSearched; found++) {
    const at = indexOfGreatest(rest);
    if (at < 0) break;
    yield at;
    rest[at] = -1;
  }
  const order = Array.from(rest.keys()).filter((at) => rest[at] !== -1);
  yield* order.sort((a, b) => (rest[b] as number) - (rest[a] as number) || a - b);
}

/** -1: none is at least 0. */
function indexOfGreatest(shares: Float64Array): number {
  let [at, greatest] = [-1, -1];
  for (let i = 0; i < shares.length; i++) {
    const share = shares[i] as number;
    if (share > greatest) [at, greatest] = [i, share];
  }
  return at;
}
