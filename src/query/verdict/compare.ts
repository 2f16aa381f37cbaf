import { counted } from "../../core/text/index.ts";
import { estimateSequential } from "./sequential-pairs.ts";
import { areEventCounts, type Direction, type Subject } from "../../core/measurements/index.ts";
import { conversion, convert, groupBy, sameDimension } from "../../core/values/index.ts";
import {
  type Measured,
  type Measurements,
  metricsByUnit,
  statusDifference,
  type Verdict,
} from "../../core/verdicts/index.ts";
import { areRepeatedCounts, geometricMean, moments } from "../../math/descriptive/index.ts";
import { studentQuantile } from "../../math/distributions/index.ts";
import { correlationTest, falseDiscovery, signedRankShift, signedRankTest } from "../../math/hypothesis-tests/index.ts";
import { type Decision, decide, type JudgeOptions, type Judgement } from "./decision.ts";
import { confidence, isConstant, type Sample } from "./effect.ts";
import { estimate, leastValues } from "./judge.ts";
import { ratiosOfPairs, sharedSessions, verdictOfPairs } from "./pair-ratios.ts";

/** Power of the detectable change, and efficiency of ranks relative to Student's test. */
const power = 0.8;
const efficiency = 3 / Math.PI;

/**
 * Compares two sides measured in pairs, such as alternately in each round: drift affects both values of a pair equally,
 * so their ratios are more precise than the pooled values. The test is Wilcoxon's signed-rank test of the logarithms of
 * the ratios; the change and its interval are those of this test. Falls back to `estimate` if some value is not
 * positive. `before` and `after` have the same length.
 */
export function estimatePairs(
  subject: Subject,
  before: Float64Array,
  after: Float64Array,
  options: JudgeOptions,
): Judgement {
  const ratios = ratiosOfPairs(before, after);
  if (ratios === null || before.length < leastValues) return estimate(subject, [before], [after], options);
  const logarithms = ratios.map(Math.log);
  const tested = { p: signedRankTest(logarithms), test: "signed-rank" } as const;
  const { shift, low, high } = signedRankShift(logarithms, confidence);
  const ratio = { shift: Math.exp(shift), low: Math.exp(low), high: Math.exp(high) };
  const verdict = {
    ...verdictOfPairs(subject, [before, after], ratio, tested),
    detectable: detectableIn(logarithms, options),
  };
  return { verdict, decide: (rate) => decide(verdict, rate, false, options) };
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

/** Geometric mean of the centers of the subjects of one unit on both sides; of one metric if several have the unit. */
export interface GeometricMeans {
  readonly unit: string;
  readonly metric?: string;
  readonly old: number;
  readonly new: number;
  readonly delta: number;
  readonly rows: number;
}

export interface Compared {
  readonly rows: readonly ComparedRow[];
  readonly means: readonly GeometricMeans[];
}

/**
 * Compares each of several sides with one baseline by the keys of subjects, in order of first appearance. q accounts
 * for the rows of all sides.
 */
export function compareAll(old: Measurements, others: readonly Measurements[], options: CompareOptions): Compared[] {
  const left = byKey(old);
  const judged = others.flatMap((now, side) => {
    const right = withKeysOf(left, byKey(now));
    const keys = [...new Set([...left.keys(), ...right.keys()])];
    return keys.map((key) => ({ side, ...row(left.get(key), right.get(key), options) }));
  });
  const verdicts = decideTogether(judged.map(({ judgement }) => judgement));
  return others.map((_, side) => {
    const rows = judged.flatMap(({ unit, side: own }, at) => (own === side ? [{ verdict: verdicts[at]!, unit }] : []));
    return { rows, means: meansOf(rows) };
  });
}

/** Decides on all subjects of a suite by q, so that the error rate holds for the suite. */
export function decideTogether(judgements: readonly Judgement[]): Verdict[] {
  const tested = judgements.filter(({ decide: by }) => by !== null);
  const rates = falseDiscovery(Float64Array.from(tested, ({ verdict }) => verdict.p ?? 1));
  const rateOf = new Map(tested.map((judgement, at) => [judgement, rates[at] ?? 1]));
  return judgements.map((judgement) => {
    const { verdict, decide: by } = judgement;
    const q = rateOf.get(judgement);
    if (by === null || q === undefined) return { ...verdict, q: verdict.test === "exact" ? verdict.p : null };
    return { ...verdict, q, ...by(q) };
  });
}

function byKey({ measured }: Measurements): Map<string, Measured> {
  return new Map(measured.map((each) => [each.subject.key, each]));
}

type ByKey = ReadonlyMap<string, Measured>;

/**
 * The new side by the keys of the old one. Metrics that are named by their unit have it in their key: `x` in s is
 * compared with `x` in ms, unless either side has several units of that dimension.
 */
function withKeysOf(old: ByKey, now: ByKey): ByKey {
  const [left, right] = [unmatched(old, now), unmatched(now, old)];
  if (left.length === 0 || right.length === 0) return now;
  const ofOld = groupBy(left, benchmarkOf);
  const ofNew = groupBy(right, benchmarkOf);
  const keys = new Map<string, string>();
  for (const each of right) {
    const partners = (ofOld.get(benchmarkOf(each)) ?? []).filter((other) => areAlike(each, other));
    const rivals = (ofNew.get(benchmarkOf(each)) ?? []).filter((other) => areAlike(each, other));
    const [partner] = partners;
    if (partner !== undefined && partners.length === 1 && rivals.length === 1)
      keys.set(each.subject.key, partner.subject.key);
  }
  return new Map([...now].map(([key, each]) => [keys.get(key) ?? key, each]));
}

function unmatched(own: ByKey, other: ByKey): Measured[] {
  return [...own.values()].filter(
    ({ subject: { source, key, metric, unit }, unitText }) =>
      source === "file" && metric === unitText && unit !== undefined && !other.has(key),
  );
}

function benchmarkOf({ subject }: Measured): string {
  return subject.benchmark;
}

function areAlike({ subject: one }: Measured, { subject: other }: Measured): boolean {
  return sameDimension(one.unit, other.unit);
}

function directed({ isDirectionAssumed: _, ...subject }: Subject, better: Direction): Subject {
  return { ...subject, better };
}

function row(
  old: Measured | undefined,
  now: Measured | undefined,
  options: CompareOptions,
): { readonly judgement: Judgement; readonly unit: string } {
  const { subject, unitText: unit } = (old ?? now)!;
  const judged = options.better === undefined ? subject : directed(subject, options.better);
  const same = old !== undefined && now !== undefined ? inUnitOf(old, now) : now;
  if (old !== undefined && now !== undefined && same === undefined) {
    const { verdict } = estimate(judged, old.groups, null, options);
    const reason = `the new side measures ${now.unitText || "no unit"}`;
    return { judgement: { verdict: { ...verdict, reason }, decide: null }, unit };
  }
  const how = old?.exact === true && now?.exact === true ? { ...options, exact: true } : options;
  const shared = old === undefined || same === undefined ? null : sharedSessions(old, same);
  const [left, right] = [shared?.old ?? old, shared?.now ?? same];
  const judgement =
    pairsOf(judged, left, right, how) ?? byThreshold(judged, left?.groups ?? null, right?.groups ?? null, how);
  const stated = withStatuses(judgement, old, now);
  return { judgement: shared === null ? stated : withOmitted(stated, shared.omitted), unit };
}

/** Inconclusive if the program fails on one side only. */
function withStatuses(judgement: Judgement, old: Measured | undefined, now: Measured | undefined): Judgement {
  const reason = statusDifference(old?.statuses, now?.statuses);
  if (reason === null) return judgement;
  return { verdict: { ...judgement.verdict, outcome: "inconclusive", reason }, decide: null };
}

/** States that profiles of other runs, at other times, were not compared. */
function withOmitted({ verdict, decide: by }: Judgement, omitted: number): Judgement {
  if (omitted === 0) return { verdict, decide: by };
  const note = `compared in the rounds of one run; ${counted(omitted, "profile")} of other times omitted`;
  const noted = <T extends Pick<Verdict, "reason">>(decision: T): T => {
    return { ...decision, reason: decision.reason === null ? note : `${decision.reason}; ${note}` };
  };
  return { verdict: noted(verdict), decide: by === null ? null : (rate) => noted(by(rate)) };
}

/** `estimate` with the subject's own least effect, if any. */
function byThreshold(subject: Subject, old: Sample | null, now: Sample | null, options: CompareOptions): Judgement {
  const minEffect = options.exact ? undefined : options.own?.minEffectOf(subject);
  if (minEffect === undefined) return estimate(subject, old, now, options);
  const judgement = estimate(subject, old, now, { ...options, minEffect });
  const verdict = { ...judgement.verdict, threshold: { level: null, minEffect } };
  const { delta } = verdict;
  const { decide: by } = judgement;
  const small = `less than the least effect of ${options.own?.of}, ${Number((minEffect * 100).toPrecision(3))} %`;
  if (by === null || delta === null || Math.abs(delta) >= minEffect) return { verdict, decide: by };
  const explained = (rate: number): Decision => {
    const decision = by(rate);
    if (rate > options.alpha) return decision;
    return { ...decision, reason: decision.reason === null ? small : `${small}; ${decision.reason}` };
  };
  return { verdict, decide: explained };
}

/**
 * Only if one run measured both sides and each value has its partner, or if values at equal positions correlate: then
 * both sides share the drift of the machine, as in interleaved measurements, and pairs are free of it.
 */
function pairsOf(
  subject: Subject,
  old: Measured | undefined,
  now: Measured | undefined,
  options: CompareOptions,
): Judgement | null {
  if (options.exact || old === undefined || now === undefined || old.pairing !== now.pairing) return null;
  const [[before, ...moreBefore], [after, ...moreAfter]] = [old.groups, now.groups];
  if (
    before === undefined ||
    after === undefined ||
    moreBefore.length + moreAfter.length > 0 ||
    before.length !== after.length
  )
    return null;
  if (old.pairing === undefined && !sharesDrift(before, after)) return null;
  if ([before, after].every((values) => areEventCounts(subject, values) && areRepeatedCounts(values))) return null;
  return (old.sequential ? estimateSequential : estimatePairs)(subject, before, after, options);
}

/** Fewest values to recognise pairs, and the greatest p of their correlation. */
const fewestPairs = 12;
const correlationLevel = 0.01;

function sharesDrift(before: Float64Array, after: Float64Array): boolean {
  if (before.length < fewestPairs || isConstant(before) || isConstant(after)) return false;
  return correlationTest(before, after) <= correlationLevel;
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
  const kinds = [...metricsByUnit(matched)].flatMap(([unit, metrics]) =>
    metrics.size === 1 ? [{ unit }] : [...metrics].map((metric) => ({ unit, metric })),
  );
  return kinds.flatMap((kind: Pick<GeometricMeans, "unit" | "metric">) => {
    const { unit, metric } = kind;
    const own = matched.filter(
      (each) => each.unit === unit && (metric === undefined || each.verdict.subject.metric === metric),
    );
    const [old, now] = [
      geometricMean(own.map(({ verdict }) => verdict.before!.center)),
      geometricMean(own.map(({ verdict }) => verdict.after!.center)),
    ];
    return Number.isNaN(old) || Number.isNaN(now)
      ? []
      : [{ ...kind, old, new: now, delta: now / old - 1, rows: own.length }];
  });
}
