import type { Change, ChangeResult } from "../../core/verdicts/index.ts";
import { exclusiveTimes, type ExclusiveTime, type Run } from "../../core/profiles/index.ts";
import {
  floatText,
  convertFactor,
  formatUnit,
  parseUnit,
  sameDimension,
  type Unit,
  type Values,
} from "../../core/values/index.ts";
import { outliers, type Outlier } from "../../math/descriptive/index.ts";
import { roundToEven } from "../../math/numerics/index.ts";
import { textSimilarity } from "../../core/text/index.ts";
import { numberWithin, option } from "../plugin.ts";
import { compatOption, type Checker } from "./checker.ts";

const method = "exclusive_time_outliers";

/** Detects functions whose exclusive time changed more than that of the others. */
export const exclusiveTimeOutliers = Object.freeze<Checker>({
  kind: "checker",
  name: "exclusive-time-outliers",
  aliases: ["eto"],
  synopsis: "functions whose exclusive time changed more than that of the others",
  options: [
    option("cutoff", "float", 0, "minimum change to report, in percent of the total time"),
    option("total-threshold", "float", 5, "minimum change of the total to report, in percent of the total time"),
    compatOption,
  ],
  method,
  types: ["time"],
  check,
});

/** A function on both sides; null: absent. */
interface Pair {
  readonly uid: string;
  readonly location: string;
  readonly before: number | null;
  readonly after: number | null;
  readonly delta: number;
}

function check(
  baseline: Run,
  target: Run,
  values: Values,
  isSelected?: (location: string) => boolean,
): readonly Change[] {
  const isPerun = values.get("compat") === "perun";
  const cutoff = values.has("cutoff") ? numberWithin(exclusiveTimeOutliers, values, "cutoff", 0, 100) : 0;
  const minimum = values.has("total-threshold")
    ? numberWithin(exclusiveTimeOutliers, values, "total-threshold", 0, 1e9)
    : 5;
  const pairs = pairsOf(scaled(baseline, isPerun, isSelected), scaled(target, isPerun, isSelected), isPerun);
  const [before, after] = (["before", "after"] as const).map((side) => total(pairs.map((pair) => pair[side] ?? 0)));
  const totalTime = isPerun ? (after ?? 0) : Math.max(before ?? 0, after ?? 0);
  const share = (delta: number): number => (delta === 0 ? 0 : (delta / totalTime) * 100);
  const write = (time: number | null): string => floatText(roundToEven(time ?? 0, 3)) + (isPerun ? "" : unitOf(target));
  const reported = functions(pairs, isPerun).filter(({ pair }) => Math.abs(share(pair.delta)) >= cutoff);
  const changes = reported.map(({ pair, result, confidence }) => ({
    ...ends(pair, write),
    location: pair.uid,
    result,
    rate: pair.delta,
    relativeRate: share(pair.delta),
    confidence,
  }));
  return [...changes, ...totals(pairs, share, write, isPerun ? 0 : minimum, isPerun)]
    .map((change) => ({ ...change, type: "time", method }))
    .sort((a, b) => (a.location < b.location ? -1 : a.location > b.location ? 1 : 0));
}

function ends(
  pair: Pick<Pair, "before" | "after">,
  write: (time: number | null) => string,
): Pick<Change, "from" | "to"> {
  return { from: write(pair.before), to: write(pair.after) };
}

interface Judged {
  readonly pair: Pair;
  readonly result: ChangeResult;
  readonly confidence: Change["confidence"];
}

/** Outliers among functions present on both sides; the others are new or removed. */
function functions(pairs: readonly Pair[], isPerun: boolean): Judged[] {
  const both = pairs.filter((pair) => pair.before !== null && pair.after !== null);
  const outlierResults = outliers(
    Float64Array.from(both, (pair) => pair.delta),
    isPerun,
  );
  const common = both.map((pair, i) => ({
    pair,
    result: resultOf(outlierResults[i], pair.delta),
    confidence: confidenceOf(outlierResults[i], isPerun),
  }));
  const others = pairs.filter((pair) => pair.before === null || pair.after === null);
  return [
    ...common,
    ...others.map((pair): Judged => ({
      pair,
      result: pair.before === null ? "NotInBaseline" : "NotInTarget",
      confidence: { type: "no", rate: 0 },
    })),
  ];
}

function resultOf(outlier: Outlier | undefined, delta: number): ChangeResult {
  const rule = outlier?.rule ?? null;
  if (rule === null || delta === 0) return "NoChange";
  const severity = { z: "Severe", iqr: "", deviation: "Maybe" } as const;
  return `${severity[rule]}${delta > 0 ? "Degradation" : "Optimization"}`;
}

/** Perun reports no distance for outliers by z-score. */
function confidenceOf(outlier: Outlier | undefined, isPerun: boolean): Change["confidence"] {
  const round = (value: number): number => roundToEven(value, 2);
  if (outlier?.rule === "z") {
    return isPerun ? { type: "IQR_multiple", rate: Number.NaN } : { type: "modified_z_score", rate: round(outlier.z) };
  }
  if (outlier?.rule === "iqr") return { type: "IQR_multiple", rate: round(outlier.ranges) };
  return { type: "StdDev_multiple", rate: round(outlier?.deviations ?? 0) };
}

type Total = Omit<Change, "type" | "method">;

/** One total per binary. Perun reports every difference as a change, and no difference as an optimization. */
function totals(
  pairs: readonly Pair[],
  share: (delta: number) => number,
  write: (time: number) => string,
  minimum: number,
  isPerun: boolean,
): Total[] {
  return [...new Set(pairs.map((pair) => pair.location))].map((location) => {
    const own = pairs.filter((pair) => pair.location === location);
    const [before, after] = (["before", "after"] as const).map((side) => total(own.map((pair) => pair[side] ?? 0)));
    const delta = total(own.map((pair) => pair.delta));
    const isSmall = !isPerun && Math.abs(share(delta)) < minimum;
    const result = isSmall ? "NoChange" : share(delta) > 0 ? "TotalDegradation" : "TotalOptimization";
    const name = location === "" ? "total" : location;
    const confidence = { type: "N/A", rate: 0 };
    return {
      location: name,
      result,
      from: write(before ?? 0),
      to: write(after ?? 0),
      rate: delta,
      relativeRate: share(delta),
      confidence,
    };
  });
}

const milliseconds = parseUnit("ms");

/**
 * Times in milliseconds; other costs, such as instructions, unchanged. Perun treats all times as nanoseconds.
 */
function scaled(
  run: Run,
  isPerun: boolean,
  isSelected: ((location: string) => boolean) | undefined,
): readonly ExclusiveTime[] {
  const unit = costUnit(run);
  const factor = sameDimension(unit, milliseconds) ? convertFactor(unit, milliseconds) : 1;
  return exclusiveTimes(run, isSelected).map((each) => ({
    ...each,
    time: isPerun ? each.time / 1e6 : each.time * factor,
  }));
}

function unitOf(run: Run): string {
  const unit = costUnit(run);
  return sameDimension(unit, milliseconds) ? "ms" : formatUnit(unit);
}

function costUnit({ data }: Run): Unit | undefined {
  const named = (name: string): Unit | undefined => data.variables.find((variable) => variable.name === name)?.unit;
  return named("exclusive") ?? named("amount");
}

/** Pairs functions of both sides. Perun uses a left join from the target, so that it misses removed functions. */
function pairsOf(baseline: readonly ExclusiveTime[], target: readonly ExclusiveTime[], isPerun: boolean): Pair[] {
  const names = matchNames(locationsOf(baseline), locationsOf(target), isPerun);
  const key = ({ uid, location }: ExclusiveTime): string => `${uid}\0${names.get(location) ?? location}`;
  const old = new Map(baseline.map((each) => [key(each), each]));
  const seen = new Set(target.map(key));
  const common = target.map((each) => pairOf(old.get(key(each)), each, names));
  const removed = isPerun
    ? []
    : baseline.filter((each) => !seen.has(key(each))).map((each) => pairOf(each, undefined, names));
  return [...common, ...removed];
}

function pairOf(
  old: ExclusiveTime | undefined,
  now: ExclusiveTime | undefined,
  names: ReadonlyMap<string, string>,
): Pair {
  const { uid, location } = (now ?? old) as ExclusiveTime;
  const [before, after] = [old?.time ?? null, now?.time ?? null];
  return { uid, location: names.get(location) ?? location, before, after, delta: (after ?? 0) - (before ?? 0) };
}

function locationsOf(times: readonly ExclusiveTime[]): string[] {
  return [...new Set(times.map((each) => each.location))];
}

/**
 * Limits for matching binaries whose names changed, such as with their version: number and length of names, since all
 * pairs are compared, and minimum similarity.
 */
const maxNames = 50;
const maxNameLength = 300;
const minSimilarity = 0.6;

/** Common names for similar binaries that exist on one side only; for Perun their common prefix. */
function matchNames(
  baseline: readonly string[],
  target: readonly string[],
  isPerun: boolean,
): ReadonlyMap<string, string> {
  const isShort = (name: string): boolean => name.length <= maxNameLength;
  const unmatched = new Set(baseline.filter((name) => !target.includes(name) && isShort(name)).slice(0, maxNames));
  const names = new Map<string, string>();
  for (const name of target.filter((each) => !baseline.includes(each) && isShort(each)).slice(0, maxNames)) {
    const [best] = [...unmatched]
      .map((other) => ({ other, similarity: textSimilarity(other, name) }))
      .toSorted((a, b) => b.similarity - a.similarity);
    const prefix = best === undefined ? "" : commonPrefix(best.other, name);
    if (best === undefined || best.similarity < minSimilarity || prefix === "") continue;
    unmatched.delete(best.other);
    for (const each of [best.other, name]) names.set(each, isPerun ? prefix : name);
  }
  return names;
}

function commonPrefix(a: string, b: string): string {
  let length = 0;
  while (length < Math.min(a.length, b.length) && a[length] === b[length]) length++;
  return a.slice(0, length);
}

function total(values: readonly number[]): number {
  return values.reduce((all, each) => all + each, 0);
}
