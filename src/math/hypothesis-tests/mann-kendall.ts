import { normalTail } from "../distributions/index.ts";
import { inversions } from "./inversions.ts";

/** Minimum number of values to estimate autocorrelation. */
const fewest = 20;

/**
 * The factor by which first-order autocorrelation r increases the variance of a mean: (1 + r) / (1 - r) (Bayley and
 * Hammersley 1946), with r corrected for its bias (Marriott and Pope 1954). 1 if r is not significant (2 / √n), or with
 * fewer than 20 values. `residuals` are centred.
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

/** Kendall's S: rising pairs minus falling ones. */
export interface MannKendall {
  readonly s: number;
  /** Variance of S without a trend. */
  readonly variance: number;
  /** Two-sided p-value. */
  readonly p: number;
}

/** Maximum number of values for the exact distribution of S without ties. */
const exactCount = 50;

/**
 * The Mann-Kendall test (1945) for a monotonic trend: exact for up to 50 distinct values, otherwise by the normal
 * approximation with correction for ties and continuity. p is 1 for fewer than 3 values. `inflation`: factor of the
 * variance of S for dependent values (Hamed and Rao 1998).
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

/** Adds a value, which has 0 … size - 1 inversions with equal probability. */
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
