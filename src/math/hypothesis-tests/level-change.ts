import { median, robustScale } from "../descriptive/index.ts";
import { studentQuantile, studentTail } from "../distributions/index.ts";

/** Noise that is assumed as long as it was not measured, as standard deviations of logarithms. */
export interface AssumedNoise {
  /** Between the levels of two measurements of the same program. */
  readonly between: number;
  /** Of a measurement that is a single value. */
  readonly single: number;
  /** True: levels of the history are no evidence of the noise, since they may have changed. */
  readonly isFixed?: true;
}

/** The change between the levels of two measurements, on the log scale. */
export interface LevelChange {
  readonly shift: number;
  /** Standard error of the shift, and its degrees of freedom. */
  readonly error: number;
  readonly freedom: number;
}

/** Degrees of freedom of an assumption. */
const assumedFreedom = 6;

/** Weight of the assumed variance against the measured one, in degrees of freedom. */
const assumedWeight = 1;

/** Variance of a median over that of a mean, for normal values: π/2. */
const medianVariance = Math.PI / 2;

/** Greatest weighted deviation from a median, in robust standard deviations. */
const greatestDeviation = 3;

/** E[(x - m)²] of a standard normal x, the median m of x and its two neighbours. */
const neighbourVariance = 0.782;

/**
 * The change from `before` to `after`, of which each holds the positive values of one measurement; `history`: earlier
 * measurements, newest first, the first of them `before`. The variance of a level is that of the median within a
 * measurement (pooled over all of them) plus the variance between measurements, which is taken from the history if it
 * has at least three levels, else assumed. `resolution`: the step of the values; 0: none.
 */
export function levelChange(
  before: Float64Array,
  after: Float64Array,
  history: readonly Float64Array[],
  assumed: AssumedNoise,
  resolution = 0,
): LevelChange {
  const logs = [after, before, ...history.slice(1)].map((values) => values.map(Math.log));
  const within = withinVariance(logs);
  const errors = logs.map((values) => errorWithin(values.length, within, assumed));
  const levels = Float64Array.from(logs, median);
  const [noise, freedom] = betweenVariance(levels.subarray(1), mean(errors.slice(1)), assumed);
  const rounding = [after, before].map((values) => resolution ** 2 / 12 / Math.max(median(values), resolution) ** 2);
  const variance = 2 * noise + errors[0]! + errors[1]! + (resolution === 0 ? 0 : rounding[0]! + rounding[1]!);
  return { shift: levels[0]! - levels[1]!, error: Math.sqrt(variance), freedom };
}

/**
 * The change between values measured in pairs, at equal positions: the median of the ratios, on the log scale. What
 * both values of a pair share does not count.
 */
export function pairedChange(before: Float64Array, after: Float64Array): LevelChange {
  const ratios = before.map((value, at) => Math.log((after[at] as number) / value));
  const error = Math.sqrt((medianVariance * withinVariance([ratios])) / ratios.length);
  return { shift: median(ratios), error, freedom: ratios.length - 1 };
}

/** The variance of single values around the median of their measurement; 0 if none has two values. */
export function withinVariance(logs: readonly Float64Array[]): number {
  const repeated = logs.filter((values) => values.length > 1);
  if (repeated.length === 0) return 0;
  const deviations = repeated.map((values) => {
    const middle = median(values);
    return values.map((value) => value - middle);
  });
  const scale = robustScale(Float64Array.from(deviations.flatMap((own) => [...own])));
  const most = greatestDeviation * scale;
  let [squares, freedom] = [0, 0];
  for (const own of deviations) {
    for (const each of own) squares += Math.min(Math.abs(each), most) ** 2;
    freedom += own.length - 1;
  }
  return squares / freedom;
}

function errorWithin(count: number, within: number, { single, between }: AssumedNoise): number {
  if (count === 1) return within > 0 ? within : Math.max(0, single ** 2 - between ** 2);
  return (count > 2 ? medianVariance : 1) * (within / count);
}

/**
 * The variance between the levels of measurements, without that within them, and its degrees of freedom. Steps stay
 * out of it, since a level differs from both neighbours only if it is noise; a drift counts by its successive steps.
 */
function betweenVariance(
  levels: Float64Array,
  within: number,
  { between, isFixed }: AssumedNoise,
): readonly [number, number] {
  if (levels.length < 3 || isFixed) return [between ** 2, assumedFreedom];
  let squares = 0;
  const steps = new Float64Array(levels.length - 1);
  for (let at = 1; at < levels.length; at++) steps[at - 1] = levels[at]! - levels[at - 1]!;
  for (let at = 1; at < levels.length - 1; at++)
    squares += (levels[at]! - median(levels.slice(at - 1, at + 2))) ** 2 / neighbourVariance;
  const measured = Math.max(squares / (levels.length - 2), median(steps.map(Math.abs)) ** 2 * steadyFactor);
  const weight = (levels.length - 2) * independence;
  const noise = (assumedWeight * between ** 2 + weight * Math.max(0, measured - within)) / (assumedWeight + weight);
  return [noise, assumedFreedom + weight];
}

/** Factor from the squared median of the sizes of steps to the variance of a level: 1.4826² / 2. */
const steadyFactor = 1.482602218505602 ** 2 / 2;

/** Overlapping windows of three levels hold less evidence than separate ones. */
const independence = 0.75;

/** Two-sided p of a change of at most `limit` on the log scale. */
export function pBeyond({ shift, error, freedom }: LevelChange, limit: number): number {
  const distance = Math.abs(shift) - limit;
  if (distance <= 0) return 1;
  return Math.min(1, 2 * studentTail(distance / error, freedom));
}

/** The interval of the shift that holds the true one with this confidence. */
export function shiftInterval(
  change: LevelChange,
  confidence: number,
): { readonly low: number; readonly high: number } {
  const reach = change.error * studentQuantile((1 + confidence) / 2, change.freedom);
  return { low: change.shift - reach, high: change.shift + reach };
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, each) => sum + each, 0) / values.length;
}
