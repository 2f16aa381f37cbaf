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
  /** The step and its standard error under each plausible walk. */
  readonly estimates: readonly { readonly shift: number; readonly error: number }[];
}

/** Shares of the walk in the variance. */
const shares = [0, 0.003, 0.01, 0.03, 0.07, 0.15, 0.3, 0.5, 0.7, 0.85, 1];

/** Largest difference of twice the log-likelihood of a plausible share: a one-sided interval of 90 %. */
const plausible = 1.64;

/** Most values on each side: distant ones say nothing about a step. */
const farthest = 64;

/** Values with a step at an index. */
export interface SteppedValues {
  readonly values: Float64Array;
  readonly cut: number;
}

/**
 * The step that series have in common in the local level model: independent errors around levels that walk at random,
 * each on its own, and one step (Harvey, "Forecasting, Structural Time Series Models and the Kalman Filter", 1989). The
 * share of the walk is fitted by restricted maximum likelihood; of all plausible shares, that with the greatest p
 * counts. null: a side of a series has fewer than three values, or one has no noise.
 */
export function stepInWalks(all: readonly SteppedValues[]): WalkStep | null {
  if (all.some(({ values, cut }) => cut < 3 || values.length - cut < 3)) return null;
  const near = all.map(({ values, cut }) => {
    const from = Math.max(0, cut - farthest);
    return { values: values.subarray(from, Math.min(values.length, cut + farthest)), cut: cut - from };
  });
  const fits = shares.map((share) => pooled(near.map((own) => fitted(own, share))));
  const best = Math.max(...fits.map(({ likelihood }) => likelihood));
  if (!Number.isFinite(best)) return null;
  const freedom = near.reduce((sum, { values }) => sum + values.length - 2, 0);
  const likely = fits.flatMap((fit, at) => {
    if (!(2 * (best - fit.likelihood) <= plausible) || !(fit.error > 0)) return [];
    const p = Math.min(1, 2 * studentTail(Math.abs(fit.shift) / fit.error, freedom));
    return [{ ...fit, p, walk: shares[at] as number }];
  });
  const [first, ...rest] = likely;
  if (first === undefined) return null;
  const { error, p, walk } = rest.reduce((least, each) => (each.p > least.p ? each : least), first);
  return { error, freedom, p, walk, estimates: likely };
}

interface FittedStep {
  readonly shift: number;
  readonly error: number;
  /** Restricted log-likelihood, without constants. */
  readonly likelihood: number;
}

/** The mean of independent steps, weighted by their precision. */
function pooled(steps: readonly FittedStep[]): FittedStep {
  const [only] = steps;
  if (steps.length === 1 && only !== undefined) return only;
  let [weights, sum, likelihood] = [0, 0, 0];
  for (const { shift, error, likelihood: own } of steps) {
    weights += error ** -2;
    sum += shift * error ** -2;
    likelihood += own;
  }
  return { shift: sum / weights, error: 1 / Math.sqrt(weights), likelihood };
}

/** The Kalman filter of the values and of the step, with a diffuse first level. */
function fitted({ values, cut }: SteppedValues, share: number): FittedStep {
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
