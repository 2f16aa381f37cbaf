import type { Subject } from "../../core/measurements/index.ts";
import type { Side, Verdict, VerdictOutcome } from "../../core/verdicts/index.ts";
import {
  detectableChange,
  leastP,
  shiftBetween,
  rankSumTest,
  medianInterval,
  noInterval,
  type Interval,
} from "../../math/hypothesis-tests/index.ts";
import { median } from "../../math/descriptive/index.ts";
import { ratioInterval } from "../../math/sampling/index.ts";

export interface JudgeOptions {
  /** Significance level. */
  readonly alpha: number;
  /** Smaller changes, as a share, do not count. */
  readonly minEffect: number;
  /**
   * Equivalence margin: an undecided result is `same` only if the interval excludes a change for the worse by this
   * share; else it is inconclusive.
   */
  readonly resolution: number;
  /** Values repeat exactly, such as instruction counts: any difference counts, whatever their number. */
  readonly exact: boolean;
}

export const judgeDefaults: JudgeOptions = { alpha: 0.05, minEffect: 0, resolution: 0.05, exact: false };

/** Values of one side, grouped by process or run. */
export type Sample = readonly Float64Array[];

/** Fewest values of a side for a decision: fewer may differ by chance alone. */
export const leastValues = 4;

export const confidence = 0.95;

/** From this number of groups on each side, the test compares their medians. */
const leastGroups = 4;

const resampling = 1;

/** The numbers of a subject, and how to decide on it. */
export interface Judgement {
  readonly verdict: Verdict;
  /**
   * Decides by an error rate: p of a single subject, q of one among several. null: no test is needed, or none is
   * possible.
   */
  readonly decide: ((rate: number) => Decision) | null;
}

/**
 * Judges a subject: significance by the Mann-Whitney test, effect size by the ratio of the medians with its interval.
 * `same` if the interval excludes being worse by `resolution`; otherwise inconclusive, with the reason.
 */
export function judge(
  subject: Subject,
  before: Sample | null,
  after: Sample | null,
  options: JudgeOptions = judgeDefaults,
): Verdict {
  return decided(estimate(subject, before, after, options));
}

/** The verdict on a subject that is judged alone. */
export function decided({ verdict, decide: by }: Judgement): Verdict {
  return by === null ? verdict : { ...verdict, ...by(verdict.p ?? 1) };
}

/** The numbers of a subject as `judge` computes them. */
export function estimate(
  subject: Subject,
  before: Sample | null,
  after: Sample | null,
  options: JudgeOptions,
): Judgement {
  const [old, now] = [pooled(before), pooled(after)];
  const base = { subject, before: sideOf(old), after: sideOf(now), ...undecided };
  const final = (verdict: Verdict): Judgement => ({ verdict, decide: null });
  if (old === null || now === null)
    return final({ ...base, reason: `only the ${old === null ? "new" : "old"} side has values` });
  const effect = effectOf(old, now);
  if (options.exact) return final({ ...base, ...effect, ...exactly(subject, old, now, effect.delta, options) });
  const interval = intervalOf(before!, after!, old, now);
  const known = { ...base, ...effect, ...interval, detectable: detectable(old, now, options) };
  if (Math.min(old.length, now.length) < leastValues)
    return final({
      ...known,
      ...tested(before!, after!, old, now),
      reason: `fewer than ${leastValues} values on a side`,
    });
  if (isConstant(old) && isConstant(now))
    return final({ ...known, ...constants(subject, old, now, effect.delta, options) });
  const verdict = { ...known, ...tested(before!, after!, old, now) };
  const nested = isNested(before!, after!);
  return { verdict, decide: (rate) => decide(verdict, rate, nested, options) };
}

export const undecided = {
  outcome: "inconclusive",
  delta: null,
  deltaLow: null,
  deltaHigh: null,
  p: null,
  test: "none",
  q: null,
  detectable: null,
  reason: null,
  since: null,
} as const;

export type Decision = Pick<Verdict, "outcome" | "reason"> & Partial<Pick<Verdict, "p" | "test" | "morePairs">>;

function pooled(sample: Sample | null): Float64Array | null {
  const values = sample === null ? [] : sample.flatMap((group) => [...group]);
  return values.length === 0 ? null : Float64Array.from(values);
}

export function sideOf(values: Float64Array | null): Side | null {
  if (values === null) return null;
  return { center: median(values), ...medianInterval(Float64Array.from(values).sort(), confidence), n: values.length };
}

function effectOf(old: Float64Array, now: Float64Array): Pick<Verdict, "delta"> {
  const [from, to] = [median(old), median(now)];
  if (from === 0) return { delta: to === 0 ? 0 : null };
  return { delta: (to - from) / Math.abs(from) };
}

export function isConstant(values: Float64Array): boolean {
  return values.every((value) => value === values[0]);
}

function isNested(before: Sample, after: Sample): boolean {
  return before.length > 1 && after.length > 1;
}

function tested(before: Sample, after: Sample, old: Float64Array, now: Float64Array): Pick<Verdict, "p" | "test"> {
  if (Math.min(before.length, after.length) < leastGroups) return { p: rankSumTest(old, now), test: "mann-whitney" };
  return { p: rankSumTest(medians(before), medians(after)), test: "mann-whitney of groups" };
}

function medians(groups: Sample): Float64Array {
  return Float64Array.from(groups, median);
}

function intervalOf(
  before: Sample,
  after: Sample,
  old: Float64Array,
  now: Float64Array,
): Pick<Verdict, "deltaLow" | "deltaHigh"> {
  const { low, high } = isNested(before, after)
    ? less(ratioInterval(before, after, { confidence, seed: resampling }), 1)
    : widened(shiftInterval(old, now), old, now);
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

function less({ low, high }: Interval, by: number): Interval {
  return { low: low - by, high: high - by };
}

/** Most pairs of values to enumerate. */
const mostPairs = 40_000;

/**
 * The test's own interval: of the shift of logarithms, that is of the ratio; if some values are not positive, of the
 * shift itself.
 */
function shiftInterval(old: Float64Array, now: Float64Array): Interval {
  const isPositive = old.every((value) => value > 0) && now.every((value) => value > 0);
  const shift = old.length * now.length > mostPairs ? shiftOfMedians : shiftBetween;
  if (!isPositive) {
    const { low, high } = shift(old, now, confidence);
    const level = Math.abs(median(old));
    return { low: low / level, high: high / level };
  }
  const { low, high } = shift(old.map(Math.log), now.map(Math.log), confidence);
  return { low: Math.expm1(low), high: Math.expm1(high) };
}

/** For many values: medians are then normal, so the squared widths of their intervals add up. */
function shiftOfMedians(old: Float64Array, now: Float64Array, wanted: number): Interval {
  const [before, after] = [old, now].map((values) => medianInterval(Float64Array.from(values).sort(), wanted)) as [
    Interval,
    Interval,
  ];
  const half = Math.hypot(before.high - before.low, after.high - after.low) / 2;
  const shift = median(now) - median(old);
  return { low: shift - half, high: shift + half };
}

function detectable(old: Float64Array, now: Float64Array, { alpha, minEffect }: JudgeOptions): number | null {
  const least = detectableChange(old, now, median(old), alpha);
  return least === null ? null : Math.max(least, minEffect);
}

function exactly(
  subject: Subject,
  old: Float64Array,
  now: Float64Array,
  delta: number | null,
  options: JudgeOptions,
): Decision {
  if (isConstant(old) && isConstant(now)) return constants(subject, old, now, delta, options);
  return { outcome: "inconclusive", reason: "the values of one side differ, so they are not exact", test: "exact" };
}

/** Constant values need no test. */
function constants(
  subject: Subject,
  [old]: Float64Array,
  [now]: Float64Array,
  delta: number | null,
  options: JudgeOptions,
): Decision {
  const p = old === now ? 1 : 0;
  if (old === now || (delta !== null && Math.abs(delta) < options.minEffect))
    return { outcome: "same", reason: null, p, test: "exact" };
  return { outcome: direction(subject, now! - old!), reason: null, p, test: "exact" };
}

/**
 * Decides by an error rate, which is p or q, by effect and interval. `nested`: the interval accounts for groups, unlike
 * p, and must agree.
 */
export function decide(
  known: Omit<Verdict, "outcome">,
  rate: number,
  nested: boolean,
  options: JudgeOptions,
): Decision {
  const { subject, delta, deltaLow, deltaHigh, p } = known;
  const difference = delta ?? (known.after?.center ?? 0) - (known.before?.center ?? 0);
  const isChange = difference !== 0 && !(nested && (deltaLow === null || (deltaLow <= 0 && deltaHigh! >= 0)));
  const counts = isChange && (delta === null || Math.abs(delta) >= options.minEffect);
  if (counts && rate <= options.alpha) return { outcome: direction(subject, difference), reason: null };
  const chance = counts && p! <= options.alpha ? "p alone is small, q over all rows is not" : null;
  const worst = worstChange(known);
  const limit = Math.max(options.resolution, options.minEffect);
  if (worst !== null && worst <= limit) return { outcome: "same", reason: chance };
  const reason = whyNot(known, worst, options);
  return { outcome: "inconclusive", reason: chance === null ? reason : `${chance}; ${reason}` };
}

/** The end of the interval for the worse, as a share; null: unknown. */
export function worstChange({ subject, deltaLow, deltaHigh }: Omit<Verdict, "outcome">): number | null {
  return subject.better === "lower" ? deltaHigh : deltaLow === null ? null : -deltaLow;
}

function direction({ better }: Subject, difference: number): VerdictOutcome {
  return difference > 0 === (better === "lower") ? "worse" : "better";
}

function whyNot(
  { before, after, detectable: least, test }: Omit<Verdict, "outcome">,
  worst: number | null,
  { alpha }: JudgeOptions,
): string {
  const possible = test === "signed-rank" ? 2 ** (1 - (before?.n ?? 0)) : leastP(before?.n ?? 0, after?.n ?? 0);
  if (possible > alpha) return "too few values for this alpha";
  const seen = least === null ? "no change would have been seen" : `could have seen >= ${percent(least)}`;
  return worst === null ? seen : `${seen}; may be worse by ${percent(worst)}`;
}

function percent(share: number): string {
  return `${(share * 100).toPrecision(share >= 0.1 ? 3 : 2)} %`;
}
