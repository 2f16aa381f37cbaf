import type { Subject } from "../../core/measurements/index.ts";
import { conversion, convert, sameDimension } from "../../core/values/index.ts";
import type { Measured, Measurements, Verdict } from "../../core/verdicts/index.ts";
import { geometricMean, moments, median } from "../../math/descriptive/index.ts";
import { studentQuantile } from "../../math/distributions/index.ts";
import { medianInterval, signedRankTest } from "../../math/hypothesis-tests/index.ts";
import {
  judge,
  withFalseDiscovery,
  type JudgeOptions,
  type Sample,
  confidence,
  decide,
  leastValues,
  undecided,
  sideOf,
} from "./judge.ts";

/** Power of the detectable change, and efficiency of ranks relative to Student's test. */
const power = 0.8;
const efficiency = 3 / Math.PI;

/**
 * Compares two sides measured in pairs, such as alternately in each round: drift affects both values of a pair equally,
 * so their ratios are more precise than the pooled values. The change is the median of the ratios less 1 with its
 * interval; the test is Wilcoxon's signed-rank test of the logarithms. Falls back to `judge` if some value is not
 * positive. `before` and `after` have the same length.
 */
export function judgePairs(
  subject: Subject,
  before: Float64Array,
  after: Float64Array,
  options: JudgeOptions,
): Verdict {
  const isPositive = [before, after].every((side) => side.every((value) => value > 0));
  if (!isPositive || before.length < leastValues) return judge(subject, [before], [after], options);
  const ratios = after.map((value, at) => value / before[at]!).sort();
  const { low, high } = medianInterval(ratios, confidence);
  const logarithms = ratios.map(Math.log);
  const known = {
    ...undecided,
    subject,
    before: sideOf(before),
    after: sideOf(after),
    delta: median(ratios) - 1,
    deltaLow: Number.isNaN(low) ? null : low - 1,
    deltaHigh: Number.isNaN(high) ? null : high - 1,
    p: signedRankTest(logarithms),
    test: "signed-rank",
    detectable: detectableIn(logarithms, options),
  };
  return { ...known, ...decide(subject, known, false, options) };
}

/**
 * (t(1 - alpha/2) + t(0.8)) * s / sqrt(n * 3/pi) of the logarithms of ratios; null if even ratios all on one side have
 * a greater p.
 */
function detectableIn(logarithms: Float64Array, { alpha, minEffect }: JudgeOptions): number | null {
  const { count, variance } = moments(logarithms);
  if (2 ** (1 - count) > alpha) return null;
  const reach = studentQuantile(1 - alpha / 2, count - 1) + studentQuantile(power, count - 1);
  return Math.max(minEffect, Math.expm1(reach * Math.sqrt(variance / (count * efficiency))));
}

export interface CompareOptions extends JudgeOptions {
  /** Overrides the direction of the unit. */
  readonly better?: "lower" | "higher";
  /**
   * Least effects of individual subjects and the name of their source. Paired comparisons, which have less noise,
   * ignore them.
   */
  readonly own?: { readonly of: string; minEffectOf(subject: Subject): number | undefined };
}

export interface ComparedRow {
  readonly verdict: Verdict;
  /** The unit of all its numbers. */
  readonly unit: string;
}

/** Geometric mean of the centers of the subjects of one unit on both sides. */
export interface GeometricMeans {
  readonly unit: string;
  readonly old: number;
  readonly new: number;
  readonly delta: number;
  readonly rows: number;
}

export interface Compared {
  readonly rows: readonly ComparedRow[];
  readonly means: readonly GeometricMeans[];
}

/** Compares the subjects of both sides by key, in order of first appearance. */
export function compareMeasurements(old: Measurements, now: Measurements, options: CompareOptions): Compared {
  const [left, right] = [byKey(old), byKey(now)];
  const keys = new Set([...left.keys(), ...right.keys()]);
  const rows = [...keys].map((key) => row(left.get(key), right.get(key), options));
  const verdicts = withFalseDiscovery(rows.map(({ verdict }) => verdict));
  const all = rows.map(({ unit }, at) => ({ verdict: verdicts[at]!, unit }));
  return { rows: all, means: meansOf(all) };
}

function byKey({ measured }: Measurements): Map<string, Measured> {
  return new Map(measured.map((each) => [each.subject.key, each]));
}

function row(old: Measured | undefined, now: Measured | undefined, options: CompareOptions): ComparedRow {
  const { subject, unitText } = (old ?? now)!;
  const judged = options.better === undefined ? subject : { ...subject, better: options.better };
  const same = old !== undefined && now !== undefined ? inUnitOf(old, now) : now;
  if (old !== undefined && now !== undefined && same === undefined) {
    const verdict = judge(judged, old.groups, null, options);
    return { verdict: { ...verdict, reason: `the new side measures ${now.unitText || "no unit"}` }, unit: unitText };
  }
  const how = old?.exact === true && now?.exact === true ? { ...options, exact: true } : options;
  return {
    verdict: pairsOf(judged, old, same, how) ?? byThreshold(judged, old?.groups ?? null, same?.groups ?? null, how),
    unit: unitText,
  };
}

/** `judge` with the subject's own least effect, if any. */
function byThreshold(subject: Subject, old: Sample | null, now: Sample | null, options: CompareOptions): Verdict {
  const minEffect = options.exact ? undefined : options.own?.minEffectOf(subject);
  if (minEffect === undefined) return judge(subject, old, now, options);
  const verdict = judge(subject, old, now, { ...options, minEffect });
  const { p, delta, reason } = verdict;
  const isTooSmall = p !== null && p <= options.alpha && delta !== null && Math.abs(delta) < minEffect;
  const small = `less than the least effect of ${options.own?.of}, ${Number((minEffect * 100).toPrecision(3))} %`;
  const why = isTooSmall ? { reason: reason === null ? small : `${small}; ${reason}` } : {};
  return { ...verdict, ...why, threshold: { level: null, minEffect } };
}

/** Only if one run measured both sides and each value has its partner. */
function pairsOf(
  subject: Subject,
  old: Measured | undefined,
  now: Measured | undefined,
  options: CompareOptions,
): Verdict | null {
  if (options.exact || old?.pairing === undefined || old.pairing !== now?.pairing) return null;
  const [[before, ...moreBefore], [after, ...moreAfter]] = [old.groups, now.groups];
  if (
    before === undefined ||
    after === undefined ||
    moreBefore.length + moreAfter.length > 0 ||
    before.length !== after.length
  )
    return null;
  return judgePairs(subject, before, after, options);
}

/** The new side in the unit of the old one; undefined if the dimension differs. */
function inUnitOf(old: Measured, now: Measured): Measured | undefined {
  if (old.unitText === now.unitText) return now;
  const [to, from] = [old.subject.unit, now.subject.unit];
  if (to === undefined || from === undefined || !sameDimension(from, to)) return undefined;
  const factor = conversion(from, to);
  return { ...now, groups: now.groups.map((group) => group.map((value) => convert(value, factor))) };
}

function meansOf(rows: readonly ComparedRow[]): GeometricMeans[] {
  const matched = rows.filter(({ verdict: { before, after } }) => before !== null && after !== null);
  const units = [...new Set(matched.map(({ unit }) => unit))];
  return units.flatMap((unit) => {
    const own = matched.filter((each) => each.unit === unit);
    const [old, now] = [
      geometricMean(own.map(({ verdict }) => verdict.before!.center)),
      geometricMean(own.map(({ verdict }) => verdict.after!.center)),
    ];
    return Number.isNaN(old) || Number.isNaN(now)
      ? []
      : [{ unit, old, new: now, delta: now / old - 1, rows: own.length }];
  });
}
