import { normalTail } from "../distributions/normal-and-chi-square.ts";
import { inversions } from "./inversions.ts";

/** Below so many values nothing can be said of how they hang together. */
const fewest = 20;

/**
 * By how much the variance of a mean grows since each value depends on the one before it: (1 + r) / (1 - r) of the
 * first autocorrelation r, as for an autoregressive process of order one (Bayley and Hammersley 1946), with r corrected
 * for its bias (Marriott and Pope 1954). 1 where r is not beyond what independent values have by chance (2 / √n), or
 * where there are fewer than 20. `residuals` have no level any more.
 */
export function varianceInflation(residuals: Float64Array): number {
  const n = residuals.length;
  if (n < fewest) return 1;
  let [products, squares] = [0, 0];
  for (let at = 0; at < n; at++) {
    squares += (residuals[at] as number) ** 2;
    if (at > 0) products += (residuals[at] as number) * (residuals[at - 1] as number);
  }
  const found = products / squares;
  if (!(found > 2 / Math.sqrt(n))) return 1;
  const r = Math.min(0.99, found + (1 + 3 * found) / n);
  return (1 + r) / (1 - r);
}

/** Kendall's S of values in order: rising pairs less falling ones. */
export interface MannKendall {
  readonly s: number;
  /** Of S when nothing trends. */
  readonly variance: number;
  /** Two-sided: how likely so strong a trend is where there is none. */
  readonly p: number;
}

/** Up to here the distribution of S is counted out where no values are equal. */
const exactCount = 50;

/**
 * The test of Mann (1945) and Kendall for a monotonic trend: exact for up to 50 different values, by the normal
 * distribution with correction for ties and continuity otherwise. p is 1 below 3 values. `inflation`: by how much the
 * variance of S is greater than that of independent values (Hamed and Rao 1998).
 */
export function mannKendall(values: Float64Array, inflation = 1): MannKendall {
  const n = values.length;
  const { descending, equal, ties } = inversions(values);
  const s = (n * (n - 1)) / 2 - equal - 2 * descending;
  const spread = (size: number): number => size * (size - 1) * (2 * size + 5);
  const variance = (inflation * (spread(n) - ties.reduce((sum, size) => sum + spread(size), 0))) / 18;
  if (n < 3 || variance === 0) return { s, variance, p: 1 };
  if (equal === 0 && n <= exactCount && inflation === 1) return { s, variance, p: exactTail(Math.abs(s), n) };
  return { s, variance, p: Math.min(1, 2 * normalTail(Math.max(0, Math.abs(s) - 1) / Math.sqrt(variance))) };
}

/** 2 P(S >= s): permutations by their number of inversions, of which S = s has (n (n - 1) / 2 - s) / 2 or fewer. */
function exactTail(s: number, n: number): number {
  const most = ((n * (n - 1)) / 2 - s) / 2;
  let shares = Float64Array.of(1);
  for (let size = 2; size <= n; size++) shares = withOneMore(shares, size, most);
  return Math.min(1, 2 * shares.reduce((sum, share) => sum + share, 0));
}

/** The last of `size` values stands in front of 0 … size - 1 others, all equally likely. */
function withOneMore(shares: Float64Array, size: number, most: number): Float64Array<ArrayBuffer> {
  const next = new Float64Array(Math.min((size * (size - 1)) / 2, Math.floor(most)) + 1);
  let window = 0;
  for (let k = 0; k < next.length; k++) {
    window += shares[k] ?? 0;
    if (k >= size) window -= shares[k - size] ?? 0;
    next[k] = window / size;
  }
  return next;
}
