import {
  isUndecided,
  percentText,
  type Change,
  type ChangeEvidence,
  type ChangeResult,
} from "../../core/verdicts/index.ts";
import { metricOfSubtype, parsedUnit, type RowKind, type Run } from "../../core/profiles/index.ts";
import { cpuTimeMetric } from "../../core/measurements/index.ts";
import { floatText, parseUnit, sameDimension, type Values } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { areEqualCounts, areRepeatedCounts, median, sum } from "../../math/descriptive/index.ts";
import {
  falseDiscovery,
  type LevelChange,
  levelChange,
  pairedChange,
  pBeyond,
  shiftInterval,
} from "../../math/hypothesis-tests/index.ts";
import type { Checker } from "./checker.ts";
import {
  cpuTimes,
  type LevelSubject,
  levelSubjects,
  sampledNoise,
  samplingError,
  tooFewSamples,
  withoutParts,
} from "./models/amounts-by-kind.ts";
import { assumedNoise, repeatsExactly, resolutionOf, steadyNoise } from "./models/level-noise.ts";

const method = "statistics";
const share = { role: "parameter", occurrence: "once", type: "float" } as const;

const options: readonly Variable[] = [
  { ...share, name: "min-effect", default: 0.01, synopsis: "relative change up to which none is a regression" },
  { ...share, name: "resolution", default: 0.05, synopsis: "relative change to exclude before reporting no change" },
  { ...share, name: "fdr", default: 0.02, synopsis: "false-discovery rate of all locations" },
];

/**
 * Judges the level of each location by its noise: that of the repetitions within profiles and that between earlier
 * profiles of the history. Counts that repeat exactly are compared exactly.
 */
export const statistics = Object.freeze<Checker>({
  kind: "checker",
  name: "statistics",
  aliases: ["stat"],
  synopsis: "levels per location, judged by the noise within and between profiles; counts exactly",
  options,
  method,
  usesHistory: true,
  check,
});

interface Limits {
  readonly minEffect: number;
  readonly resolution: number;
  readonly fdr: number;
}

function check(
  baseline: Run,
  target: Run,
  values: Values,
  _isSelected?: (location: string) => boolean,
  history: readonly Run[] = [],
): readonly Change[] {
  const [minEffect, resolution, fdr] = options.map(({ name, default: fallback }) =>
    Number(values.get(name) ?? fallback),
  ) as [number, number, number];
  const limits = { minEffect, resolution, fdr };
  const type = String(target.fixed.get("type") ?? "-");
  const runs = [baseline, target, history] as const;
  const changes = judgedTogether(levelSubjects(...runs, withoutParts), type, limits);
  const undecided = new Set(changes.filter(isUndecided).map(({ location }) => location));
  if (undecided.size === 0) return changes;
  const cpu = judgedTogether(levelSubjects(...runs, cpuTimes), type, limits)
    .filter(({ location, result }) => undecided.has(location) && result !== "Unknown")
    .map((change) => ({
      ...change,
      metric: cpuTimeMetric,
      note: change.note ?? "judged, since wall time is undecided",
    }));
  return [...changes, ...cpu].toSorted((a, b) => (a.location < b.location ? -1 : a.location > b.location ? 1 : 0));
}

/** The changes of subjects with a common false-discovery rate, in order of their locations. */
function judgedTogether(all: readonly LevelSubject[], type: string, limits: Limits): Change[] {
  const subjects = all.toSorted((a, b) => (a.location < b.location ? -1 : 1));
  const estimates = subjects.map((subject) => estimateOf(subject, limits));
  const noisy = estimates.filter(({ isExact, p }) => !isExact && p !== null);
  const rates = falseDiscovery(Float64Array.from(noisy, ({ p }) => p as number));
  const discovery = new Map(noisy.map((estimate, at) => [estimate, rates[at] as number]));
  return subjects.map((subject, at) => {
    const estimate = estimates[at]!;
    const q = discovery.get(estimate) ?? estimate.p ?? 1;
    const metric = metricOfSubtype(subject.kind.facts.get("subtype") ?? "");
    return { ...changeOf(subject, estimate, q, limits), type, metric, subject: subject.subject, method };
  });
}

/** A relative change, its interval on the log scale, and why there is none. */
interface Estimate {
  readonly isExact: boolean;
  readonly before: number;
  readonly after: number;
  /** after / before; NaN: there is none. */
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  /** p-value of a change beyond the minimum effect, and of any change; null: not estimated. */
  readonly p: number | null;
  readonly pAny: number;
  /** The noise between profiles is that within them. */
  readonly isSteady?: true;
  /** Of the ratios of pairs. */
  readonly isPaired?: true;
  /** Why nothing was estimated. */
  readonly reason?: string;
  /** One-sided 95 % bounds of the ratio, for excluding a relevant change. */
  readonly least: number;
  readonly most: number;
}

function estimateOf({ kind, profiles, sampled, isPaired }: LevelSubject, { minEffect, fdr }: Limits): Estimate {
  const [after, before, ...earlier] = profiles;
  const isCount =
    sampled === undefined && isCountUnit(kind) && profiles.every((values) => values.every(Number.isSafeInteger));
  if (isCount && repeatsExactly(profiles)) return exactEstimate(before, after, minEffect);
  const levels = { before: median(before), after: median(after) };
  const ratio = ratioOf(levels.before, levels.after);
  if (![before, after].every((values) => values.every((value) => value > 0))) {
    const isZero = [before, after].every((values) => values.every((value) => value === 0));
    return { ...levels, isExact: false, ...pointAt(isZero ? 1 : ratio), p: isZero ? 1 : null };
  }
  const reason = tooFewSamples(sampled);
  if (reason !== undefined) return { ...levels, isExact: false, ...pointAt(ratio), p: null, reason };
  const history = [before, ...earlier.filter((values) => values.every((value) => value > 0))];
  const steady = isCount ? steadyNoise(kind, [after, ...history]) : null;
  if (steady !== null) {
    const estimate = levelEstimate(levels, levelChange(before, after, history, steady), minEffect, fdr);
    return { ...estimate, isSteady: true };
  }
  const step = isCount ? 0 : resolutionOf([before, after]);
  const assumed = sampled ? sampledNoise : assumedNoise(kind, isCount, [before, after]);
  const level = levelChange(before, after, history, assumed, sampled ? 0 : step);
  const paired = isPaired && sampled === undefined ? pairedChange(before, after) : null;
  if (paired !== null && paired.error < level.error) {
    const change = { ...paired, error: Math.max(paired.error, step / levels.before) };
    return { ...levelEstimate(levels, change, minEffect, fdr), isPaired: true };
  }
  return levelEstimate(levels, { ...level, error: Math.hypot(level.error, samplingError(sampled)) }, minEffect, fdr);
}

function levelEstimate(
  levels: Pick<Estimate, "before" | "after">,
  change: LevelChange,
  minEffect: number,
  fdr: number,
): Estimate {
  const [interval, bounds] = [shiftInterval(change, 1 - fdr), shiftInterval(change, 0.9)];
  return {
    ...levels,
    isExact: false,
    ratio: Math.exp(change.shift),
    low: Math.exp(interval.low),
    high: Math.exp(interval.high),
    least: Math.exp(bounds.low),
    most: Math.exp(bounds.high),
    p: pBeyond(change, Math.log1p(minEffect)),
    pAny: pBeyond(change, 0),
  };
}

/** Exact counts of profiles with different values, such as sizes of allocations, are compared by their sum. */
function exactEstimate(before: Float64Array, after: Float64Array, minEffect: number): Estimate {
  const level = [before, after].every(areRepeatedCounts) ? median : sum;
  const levels = { before: level(before), after: level(after) };
  const ratio = ratioOf(levels.before, levels.after);
  const isBeyond = Math.abs(ratio - 1) > minEffect;
  const pAny = areEqualCounts(levels.before, levels.after) ? 1 : 0;
  return { ...levels, isExact: true, ...pointAt(ratio), p: isBeyond ? 0 : 1, pAny };
}

function pointAt(ratio: number): Pick<Estimate, "ratio" | "low" | "high" | "least" | "most" | "pAny"> {
  return { ratio, low: ratio, high: ratio, least: ratio, most: ratio, pAny: 1 };
}

/** 1 for two zeros, infinite for a baseline of zero, NaN for negative amounts. */
function ratioOf(from: number, to: number): number {
  if (from < 0 || to < 0) return Number.NaN;
  return from === 0 && to === 0 ? 1 : to / from;
}

const time = parseUnit("s");

/** Events, bytes, calls; not times and rates. */
function isCountUnit({ unit, better }: RowKind): boolean {
  return better === "lower" && !sameDimension(parsedUnit(unit), time);
}

type Judged = Omit<Change, "type" | "metric" | "subject" | "method">;

function changeOf(
  { location, kind, profiles, sampled }: LevelSubject,
  estimate: Estimate,
  q: number,
  limits: Limits,
): Judged {
  const { before, after, ratio, low, high, isExact, isSteady, isPaired, p } = estimate;
  const isRate = kind.better === "higher";
  const { result, note } = judge(estimate, q, limits, {
    isRate,
    isCount: isCountUnit(kind),
    isAssumed: !isSteady && !isPaired && profiles.length < knownNoise,
  });
  const evidence: ChangeEvidence = {
    levels: [before, after],
    unit: kind.unit,
    delta: ratio - 1,
    deltaLow: low - 1,
    deltaHigh: high - 1,
    confidence: isExact ? 1 : 1 - limits.fdr,
    p: p ?? Number.NaN,
    q: p === null ? Number.NaN : q,
    values: sampled ? [sampled[1].count, sampled[0].count] : [profiles[1].length, profiles[0].length],
    history: isSteady || isPaired ? 0 : profiles.length - 1,
    ...(isPaired ? { isPaired } : {}),
  };
  return {
    location,
    result,
    from: levelText(before, kind.unit),
    to: levelText(after, kind.unit),
    rate: ratio,
    relativeRate: 0,
    confidence: isExact ? { type: "exact", rate: 1 } : { type: "q", rate: p === null ? 1 : Number(q.toPrecision(3)) },
    ...(note === undefined ? {} : { note }),
    evidence,
  };
}

interface Judgement {
  readonly result: ChangeResult;
  readonly note?: string;
}

/** Fewest profiles whose noise is not assumed: the target, the baseline and two earlier ones. */
const knownNoise = 4;

/** `isRate`: higher is better. `isAssumed`: the noise between profiles is not known. */
function judge(
  { ratio, least, most, p, pAny, low, high, reason }: Estimate,
  q: number,
  limits: Limits,
  { isRate, isCount, isAssumed }: { readonly isRate: boolean; readonly isCount: boolean; readonly isAssumed: boolean },
): Judgement {
  if (p === null || Number.isNaN(ratio))
    return { result: "Unknown", note: `inconclusive: ${reason ?? "no ratio of these amounts"}` };
  const isWorse = isRate ? ratio < 1 : ratio > 1;
  if (q <= limits.fdr && Math.abs(ratio - 1) > 0) return { result: isWorse ? "Degradation" : "Optimization" };
  const limit = `the limit of ${percentOf(limits.minEffect)}`;
  if (pAny <= limits.fdr) {
    const isBelow = low >= 1 - limits.minEffect && high <= 1 + limits.minEffect;
    const note = `${percentText(ratio - 1)}, ${isBelow ? `below ${limit}` : `not certain to be above ${limit}`}`;
    return { result: isWorse ? "MaybeDegradation" : "MaybeOptimization", note };
  }
  // The ratio by which it may be worse: a one-sided bound, not an end of the interval.
  const worst = isRate ? 1 / least : most;
  if (worst <= 1 + limits.resolution) return { result: "NoChange" };
  const bound = `${percentOf(worst - 1)} (95 % one-sided)`;
  const remedy = [
    "measure more repetitions",
    ...(isAssumed ? ["more commits, whose noise is unknown"] : []),
    ...(isCount ? [] : ["or counters"]),
  ].join(", ");
  return { result: "Unknown", note: `inconclusive: it may be worse by ${bound}; ${remedy}` };
}

function percentOf(part: number): string {
  return percentText(part).replace("+", "");
}

/** `93.0ms`, `1096000event`: integers exactly, others with four significant digits. */
function levelText(value: number, unit: string): string {
  const isCount = Number.isSafeInteger(value) && !sameDimension(parsedUnit(unit), time);
  return (isCount ? String(value) : floatText(Number(value.toPrecision(4)))) + unit;
}
