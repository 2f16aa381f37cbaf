import type { Measured, Measurements } from "../../core/verdicts/samples.ts";
import type { Subject } from "../../core/measurements/series.ts";
import { conversion, convert, sameDimension } from "../../core/values/unit.ts";
import type { Verdict } from "../../core/verdicts/verdict.ts";
import { geometricMean } from "../../math/descriptive/geometric-mean.ts";
import { judgePairs } from "./judge-pairs.ts";
import { judge, withFalseDiscovery, type JudgeOptions, type Sample } from "./judge.ts";

export interface CompareOptions extends JudgeOptions {
  /** Instead of what the unit says. */
  readonly better?: "lower" | "higher";
  /**
   * The least effect of subjects that have one of their own, and whose it is. What is judged by pairs has less noise,
   * and is not held to it.
   */
  readonly own?: { readonly of: string; minEffectOf(subject: Subject): number | undefined };
}

export interface ComparedRow {
  readonly verdict: Verdict;
  /** The unit of all its numbers. */
  readonly unit: string;
}

/** Geometric mean of the centers of those subjects of one unit that both sides have. */
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

/** Subjects of both sides by key, in the order in which they first come. */
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

/** `judge` with the least effect of the subject's own, if it has one. */
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

/** Only where one run measured both sides, and each value has its partner. */
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

/** Numbers of the new side in the unit of the old one; undefined where they measure something else. */
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
