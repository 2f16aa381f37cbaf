import { studentTail } from "../distributions/index.ts";

/** A step of a series whose level walks at random, under the walk that makes it least certain. */
export interface WalkStep {
  /** Its standard error, and the degrees of freedom. */
  readonly error: number;
  readonly freedom: number;
  /** Two-sided p at a known index. */
  readonly p: number;
  /** Share of the variance from point to point that is the walk's; 0: independent values. */
  readonly walk: number;
}

/** Shares of the walk in the variance. */
const shares = [0, 0.003, 0.01, 0.03, 0.07, 0.15, 0.3, 0.5, 0.7, 0.85, 1];

/** Largest difference of twice the log-likelihood of a plausible share: a one-sided interval of 90 %. */
const plausible = 1.64;

/** Most values on each side: distant ones say nothing about a step. */
const farthest = 64;

/**
 * The step of `values` at `cut` in the local level model: independent errors around a level that walks at random, and
 * one step (Harvey, "Forecasting, Structural Time Series Models and the Kalman Filter", 1989). The share of the walk is
 * fitted by restricted maximum likelihood; of all plausible shares, that with the greatest p counts. null: fewer than
 * three values on a side, or values without noise.
 */
export function stepInWalk(values: Float64Array, cut: number): WalkStep | null {
  if (cut < 3 || values.length - cut < 3) return null;
  const from = Math.max(0, cut - farthest);
  const own = values.subarray(from, Math.min(values.length, cut + farthest));
  const fits = shares.map((share) => fitted(own, cut - from, share));
  const best = Math.max(...fits.map(({ likelihood }) => likelihood));
  if (!Number.isFinite(best)) return null;
  const freedom = own.length - 2;
  let found: WalkStep | null = null;
  for (const [at, { likelihood, shift, error }] of fits.entries()) {
    if (!(2 * (best - likelihood) <= plausible) || !(error > 0)) continue;
    const p = Math.min(1, 2 * studentTail(Math.abs(shift) / error, freedom));
    if (found === null || p > found.p) found = { error, freedom, p, walk: shares[at] as number };
  }
  return found;
}

interface FittedStep {
  readonly shift: number;
  readonly error: number;
  /** Restricted log-likelihood, without constants. */
  readonly likelihood: number;
}

/** The Kalman filter of the values and of the step, with a diffuse first level. */
function fitted(values: Float64Array, cut: number, share: number): FittedStep {
  const n = values.length;
  let [level, step, variance] = [values[0] as number, 0, 1 - share];
  let [products, squares, total, logs] = [0, 0, 0, 0];
  for (let at = 1; at < n; at++) {
    const predicted = variance + share;
    const scale = predicted + 1 - share;
    const [rest, isAfter] = [(values[at] as number) - level, (at < cut ? 0 : 1) - step];
    const gain = predicted / scale;
    level += gain * rest;
    step += gain * isAfter;
    variance = predicted * (1 - gain);
    products += (rest * isAfter) / scale;
    squares += (isAfter * isAfter) / scale;
    total += (rest * rest) / scale;
    logs += Math.log(scale);
  }
  const shift = products / squares;
  const noise = (total - (products * products) / squares) / (n - 2);
  const likelihood = -((n - 2) * Math.log(noise) + logs + Math.log(squares)) / 2;
  return { shift, error: Math.sqrt(noise / squares), likelihood };
}
