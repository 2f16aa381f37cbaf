import type { Subject } from "../../core/measurements/index.ts";
import type { Side, Verdict, VerdictOutcome } from "../../core/verdicts/index.ts";
import {
  detectableChange,
  leastP,
  shiftBetween,
  rankSumTest,
  falseDiscovery,
  medianInterval,
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
  const [old, now] = [pooled(before), pooled(after)];
  const base = { subject, before: sideOf(old), after: sideOf(now), ...undecided };
  if (old === null || now === null)
    return { ...base, reason: `only the ${old === null ? "new" : "old"} side has values` };
  const effect = effectOf(old, now);
  if (options.exact) return { ...base, ...effect, ...exactly(subject, old, now, effect.delta, options) };
  const interval = intervalOf(before!, after!, old, now);
  const known = { ...base, ...effect, ...interval, detectable: detectable(old, now, options) };
  if (Math.min(old.length, now.length) < leastValues)
    return { ...known, ...tested(before!, after!, old, now), reason: `fewer than ${leastValues} values on a side` };
  if (isConstant(old) && isConstant(now)) return { ...known, ...constants(subject, old, now, effect.delta, options) };
  const test = tested(before!, after!, old, now);
  return { ...known, ...test, ...decide(subject, { ...known, ...test }, isNested(before!, after!), options) };
}

/** q of each verdict with a p: the Benjamini-Hochberg false discovery rate. */
export function withFalseDiscovery(verdicts: readonly Verdict[]): Verdict[] {
  const q = falseDiscovery(Float64Array.from(verdicts.flatMap(({ p }) => (p === null ? [] : [p]))));
  let at = 0;
  return verdicts.map((verdict) => (verdict.p === null ? verdict : { ...verdict, q: q[at++] ?? null }));
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

type Decision = Pick<Verdict, "outcome" | "reason"> & Partial<Pick<Verdict, "p" | "test">>;

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

function isConstant(values: Float64Array): boolean {
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
    : shiftInterval(old, now);
  return { deltaLow: Number.isFinite(low) ? low : null, deltaHigh: Number.isFinite(high) ? high : null };
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

/** Decides by p, effect and interval. `nested`: the interval accounts for groups, unlike p, and must agree. */
export function decide(
  subject: Subject,
  known: Omit<Verdict, "outcome">,
  nested: boolean,
  options: JudgeOptions,
): Decision {
  const { delta, deltaLow, deltaHigh, p } = known;
  const difference = delta ?? (known.after?.center ?? 0) - (known.before?.center ?? 0);
  const isClear =
    p! <= options.alpha && difference !== 0 && !(nested && (deltaLow === null || (deltaLow <= 0 && deltaHigh! >= 0)));
  if (isClear && (delta === null || Math.abs(delta) >= options.minEffect))
    return { outcome: direction(subject, difference), reason: null };
  const worst = subject.better === "lower" ? deltaHigh : deltaLow === null ? null : -deltaLow;
  const limit = Math.max(options.resolution, options.minEffect);
  if (worst !== null && worst <= limit) return { outcome: "same", reason: null };
  return { outcome: "inconclusive", reason: whyNot(known, worst, options) };
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
