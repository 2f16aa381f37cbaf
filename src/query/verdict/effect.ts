import type { Verdict } from "../../core/verdicts/index.ts";
import { median } from "../../math/descriptive/index.ts";
import {
  medianInterval,
  noInterval,
  shiftBetween,
  type Interval,
  type Shift,
} from "../../math/hypothesis-tests/index.ts";
import { ratioInterval } from "../../math/sampling/index.ts";

/** Values of one side, grouped by process or run. */
export type Sample = readonly Float64Array[];

export const confidence = 0.95;

const resampling = 1;

/** The size of a change, its interval, and the estimator if it is not the ratio of the medians. */
export type Effect = Pick<Verdict, "delta" | "deltaLow" | "deltaHigh" | "effect">;

/** null: the old median is 0. */
export function ratioOfMedians(old: Float64Array, now: Float64Array): number | null {
  const [from, to] = [median(old), median(now)];
  if (from === 0) return to === 0 ? 0 : null;
  return (to - from) / Math.abs(from);
}

export function isConstant(values: Float64Array): boolean {
  return values.every((value) => value === values[0]);
}

export function isNested(before: Sample, after: Sample): boolean {
  return before.length > 1 && after.length > 1;
}

/** Share of the interval, from the shift to an end, beyond which the ratio of the medians does not stand for it. */
const farOut = 0.8;

/**
 * The ratio of the medians with the interval of the test. Between values at several levels a median may jump from one
 * to another, to where hardly any interval reaches: then the shift itself, of which that is the interval.
 */
export function effectOf(before: Sample, after: Sample, old: Float64Array, now: Float64Array): Effect {
  const delta = ratioOfMedians(old, now);
  if (isNested(before, after)) {
    const { low, high } = ratioInterval(before, after, { confidence, seed: resampling });
    return { delta, ...finiteEnds({ low: low - 1, high: high - 1 }) };
  }
  const found = shiftOf(old, now);
  const ends = finiteEnds(widened(found, old, now));
  const reach = delta !== null && delta > found.shift ? found.high : found.low;
  const isFar = delta !== null && Math.abs(delta - found.shift) > farOut * Math.abs(reach - found.shift);
  return isFar ? { delta: found.shift, ...ends, effect: "shift" } : { delta, ...ends };
}

export function finiteEnds({ low, high }: Interval): Pick<Verdict, "deltaLow" | "deltaHigh"> {
  return { deltaLow: Number.isFinite(low) ? low : null, deltaHigh: Number.isFinite(high) ? high : null };
}

/**
 * An interval without width, of values that vary, is an artefact of a coarse clock: the change may be as great as the
 * least difference between two values. Without an interval if that is the whole value.
 */
function widened(interval: Interval, old: Float64Array, now: Float64Array): Interval {
  if (interval.low !== interval.high || (isConstant(old) && isConstant(now))) return interval;
  const values = Float64Array.from([...old, ...now]).sort();
  const steps = values.subarray(1).map((value, at) => value - values[at]!);
  const step = steps.reduce((least, each) => (each > 0 ? Math.min(least, each) : least), Number.POSITIVE_INFINITY);
  const share = step / Math.abs(median(old));
  if (!(share < 1)) return noInterval;
  return { low: interval.low - share, high: interval.high + share };
}

/** Most pairs of values to enumerate. */
const mostPairs = 40_000;

export function arePositive(...sides: readonly Float64Array[]): boolean {
  return sides.every((side) => side.every((value) => value > 0));
}

/**
 * The test's own estimate and interval: of the shift of logarithms, that is of the ratio; if some values are not
 * positive, of the shift itself.
 */
function shiftOf(old: Float64Array, now: Float64Array): Shift {
  const shift = old.length * now.length > mostPairs ? shiftOfMedians : shiftBetween;
  if (!arePositive(old, now)) {
    const found = shift(old, now, confidence);
    const level = Math.abs(median(old));
    // Values that are never negative cannot fall by more than 100 %.
    const least = [old, now].every((values) => values.every((value) => value >= 0)) ? -1 : Number.NEGATIVE_INFINITY;
    return { shift: found.shift / level, low: Math.max(least, found.low / level), high: found.high / level };
  }
  return ratioOfShift(shift(old.map(Math.log), now.map(Math.log), confidence));
}

/** The relative change of a shift of logarithms. */
export function ratioOfShift({ shift, low, high }: Shift): Shift {
  return { shift: Math.expm1(shift), low: Math.expm1(low), high: Math.expm1(high) };
}

/** For many values: medians are then normal, so the squared widths of their intervals add up. */
function shiftOfMedians(old: Float64Array, now: Float64Array, wanted: number): Shift {
  const [before, after] = [old, now].map((values) => medianInterval(Float64Array.from(values).sort(), wanted)) as [
    Interval,
    Interval,
  ];
  const half = Math.hypot(before.high - before.low, after.high - after.low) / 2;
  const shift = median(now) - median(old);
  return { shift, low: shift - half, high: shift + half };
}
