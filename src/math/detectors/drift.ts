import { studentTail } from "../distributions/index.ts";
import { blockMedians } from "./block-error.ts";

/** A slow change along a whole series. */
export interface Drift {
  /** Change per value, and its standard error with these degrees of freedom. */
  readonly slope: number;
  readonly error: number;
  readonly freedom: number;
  /** The value of the line at the first one. */
  readonly start: number;
  readonly p: number;
}

/** Fewest values, and blocks of the second test. */
const [fewest, blocks] = [12, 6];

/** Significance of the slope of the values, and of that of the medians of blocks, which may depend on each other. */
const [level, blockLevel] = [0.0005, 0.01];

/** No distribution of Student's is significant below it. */
const leastT = 3;

/** Least difference of the criteria: strong evidence after Kass and Raftery, "Bayes Factors" (1995). */
const preference = 6;

/**
 * A linear drift of `values`, if a line describes them better than levels do: by the criterion of Schwarz (1978), it
 * has to be preferable to the levels between `positions`, and to any single step. Its slope has to be significant by
 * Student's test with the autocorrelation of the residuals, and for the medians of six blocks. null: no drift.
 */
export function driftOf(values: Float64Array, positions: readonly number[]): Drift | null {
  const n = values.length;
  if (n < fewest) return null;
  const line = lineThrough(values);
  if (!(Math.abs(line.slope) > leastT * line.error)) return null;
  const p = 2 * studentTail(Math.abs(line.slope) / line.error, n - 2);
  if (!(p <= level) || !(line.squares > 0)) return null;
  const criterion = (squares: number, parameters: number): number =>
    n * Math.log(Math.max(squares, 1e-300) / n) + parameters * Math.log(n);
  const own = criterion(line.squares, 2) + preference;
  if (criterion(squaresAbout(values, positions), 2 * positions.length + 1) <= own) return null;
  if (criterion(leastSquaresOfStep(values), 3) <= own) return null;
  const middles = lineThrough(blockMedians(values, blocks));
  if (!(2 * studentTail(Math.abs(middles.slope) / middles.plainError, blocks - 2) <= blockLevel)) return null;
  return { slope: line.slope, error: line.error, freedom: n - 2, start: line.start, p };
}

interface FittedLine {
  readonly slope: number;
  readonly start: number;
  readonly squares: number;
  /** Standard error of the slope, with autocorrelated and with independent residuals. */
  readonly error: number;
  readonly plainError: number;
}

/** The least-squares line through values at 0, 1, 2, …. */
function lineThrough(values: Float64Array): FittedLine {
  const n = values.length;
  const centre = (n - 1) / 2;
  let [sum, products] = [0, 0];
  for (let at = 0; at < n; at++) {
    sum += values[at] as number;
    products += (at - centre) * (values[at] as number);
  }
  const spread = (n * (n * n - 1)) / 12;
  const slope = products / spread;
  const start = sum / n - slope * centre;
  let [squares, lagged, last] = [0, 0, 0];
  for (let at = 0; at < n; at++) {
    const rest = (values[at] as number) - start - slope * at;
    squares += rest * rest;
    lagged += rest * last;
    last = rest;
  }
  const plainError = Math.sqrt(squares / (n - 2) / spread);
  const found = squares > 0 ? lagged / squares : 0;
  const r = Math.max(0, Math.min(0.95, found + (1 + 3 * found) / n));
  return { slope, start, squares, plainError, error: plainError * Math.sqrt((1 + r) / (1 - r)) };
}

/** The sum of squares around the means between `positions`. */
function squaresAbout(values: Float64Array, positions: readonly number[]): number {
  let squares = 0;
  for (let at = 0; at <= positions.length; at++) {
    const own = values.subarray(positions[at - 1] ?? 0, positions[at] ?? values.length);
    const middle = own.reduce((sum, value) => sum + value / own.length, 0);
    for (const value of own) squares += (value - middle) ** 2;
  }
  return squares;
}

/** The least sum of squares around two levels. */
function leastSquaresOfStep(values: Float64Array): number {
  const n = values.length;
  const middle = values.reduce((sum, value) => sum + value / n, 0);
  let [left, gain, total] = [0, 0, 0];
  for (let at = 0; at < n; at++) {
    const rest = (values[at] as number) - middle;
    total += rest * rest;
    left += rest;
    if (at + 1 < n) gain = Math.max(gain, (left * left * n) / ((at + 1) * (n - at - 1)));
  }
  return Math.max(0, total - gain);
}
