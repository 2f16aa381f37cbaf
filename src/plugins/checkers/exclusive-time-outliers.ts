import type { Change, ChangeResult } from "../../core/verdicts/change.ts";
import { exclusiveTimes, type ExclusiveTime } from "../../core/profiles/location-points.ts";
import { floatText } from "../../core/values/json.ts";
import type { Run } from "../../core/profiles/run.ts";
import { convertFactor, formatUnit, parseUnit, sameDimension, type Unit } from "../../core/values/unit.ts";
import type { Values } from "../../core/values/value.ts";
import { outliers, type Outlier } from "../../math/descriptive/robust-statistics.ts";
import { roundToEven } from "../../math/numerics/rounding.ts";
import { textSimilarity } from "../../core/text/name-suggestions.ts";
import { numberWithin, option } from "../plugin.ts";
import { compatOption, type Checker } from "./checker.ts";

const method = "exclusive_time_outliers";

/** Finds the functions whose own time changed more than that of the others. */
export const exclusiveTimeOutliers = Object.freeze<Checker>({
  kind: "checker",
  name: "exclusive-time-outliers",
  aliases: ["eto"],
  synopsis: "functions whose own time changed more than that of the others",
  options: [
    option("cutoff", "float", 0, "share of the total time in percent that a change must have to be told"),
    option(
      "total-threshold",
      "float",
      5,
      "share of the total time in percent from which on the whole is told as changed",
    ),
    compatOption,
  ],
  method,
  types: ["time"],
  check,
});

/** One function on both sides; null: it is not there. */
interface Pair {
  readonly uid: string;
  readonly location: string;
  readonly before: number | null;
  readonly after: number | null;
  readonly delta: number;
}

function check(baseline: Run, target: Run, values: Values, isWanted?: (place: string) => boolean): readonly Change[] {
  const isPerun = values.get("compat") === "perun";
  const cutoff = values.has("cutoff") ? numberWithin(exclusiveTimeOutliers, values, "cutoff", 0, 100) : 0;
  const least = values.has("total-threshold")
    ? numberWithin(exclusiveTimeOutliers, values, "total-threshold", 0, 1e9)
    : 5;
  const pairs = pairsOf(scaled(baseline, isPerun, isWanted), scaled(target, isPerun, isWanted), isPerun);
  const [before, after] = (["before", "after"] as const).map((side) => total(pairs.map((pair) => pair[side] ?? 0)));
  const whole = isPerun ? (after ?? 0) : Math.max(before ?? 0, after ?? 0);
  const share = (delta: number): number => (delta === 0 ? 0 : (delta / whole) * 100);
  const write = (time: number | null): string => floatText(roundToEven(time ?? 0, 3)) + (isPerun ? "" : unitOf(target));
  const told = functions(pairs, isPerun).filter(({ pair }) => Math.abs(share(pair.delta)) >= cutoff);
  const changes = told.map(({ pair, result, confidence }) => ({
    ...ends(pair, write),
    location: pair.uid,
    result,
    rate: pair.delta,
    relativeRate: share(pair.delta),
    confidence,
  }));
  return [...changes, ...totals(pairs, share, write, isPerun ? 0 : least, isPerun)]
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

/** Outliers among the functions that both sides have; the others are new or gone. */
function functions(pairs: readonly Pair[], isPerun: boolean): Judged[] {
  const both = pairs.filter((pair) => pair.before !== null && pair.after !== null);
  const found = outliers(
    Float64Array.from(both, (pair) => pair.delta),
    isPerun,
  );
  const kept = both.map((pair, i) => ({
    pair,
    result: resultOf(found[i], pair.delta),
    confidence: confidenceOf(found[i], isPerun),
  }));
  const others = pairs.filter((pair) => pair.before === null || pair.after === null);
  return [
    ...kept,
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

/** Perun knows no distance for what the z-score finds. */
function confidenceOf(outlier: Outlier | undefined, isPerun: boolean): Change["confidence"] {
  const round = (value: number): number => roundToEven(value, 2);
  if (outlier?.rule === "z") {
    return isPerun ? { type: "IQR_multiple", rate: Number.NaN } : { type: "modified_z_score", rate: round(outlier.z) };
  }
  if (outlier?.rule === "iqr") return { type: "IQR_multiple", rate: round(outlier.ranges) };
  return { type: "StdDev_multiple", rate: round(outlier?.deviations ?? 0) };
}

type Total = Omit<Change, "type" | "method">;

/** One for each binary. Perun takes every difference of it for a change, and none for an optimization. */
function totals(
  pairs: readonly Pair[],
  share: (delta: number) => number,
  write: (time: number) => string,
  least: number,
  isPerun: boolean,
): Total[] {
  return [...new Set(pairs.map((pair) => pair.location))].map((location) => {
    const own = pairs.filter((pair) => pair.location === location);
    const [before, after] = (["before", "after"] as const).map((side) => total(own.map((pair) => pair[side] ?? 0)));
    const delta = total(own.map((pair) => pair.delta));
    const isSmall = !isPerun && Math.abs(share(delta)) < least;
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
 * Times in milliseconds; costs of another kind, such as instructions, as they are. Perun takes every time for
 * nanoseconds.
 */
function scaled(
  run: Run,
  isPerun: boolean,
  isWanted: ((place: string) => boolean) | undefined,
): readonly ExclusiveTime[] {
  const unit = costUnit(run);
  const factor = sameDimension(unit, milliseconds) ? convertFactor(unit, milliseconds) : 1;
  return exclusiveTimes(run, isWanted).map((each) => ({
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

/** Perun joins what the target has with the baseline, so that it never learns of functions that are gone. */
function pairsOf(baseline: readonly ExclusiveTime[], target: readonly ExclusiveTime[], isPerun: boolean): Pair[] {
  const names = likeNames(places(baseline), places(target), isPerun);
  const key = ({ uid, location }: ExclusiveTime): string => `${uid}\0${names.get(location) ?? location}`;
  const old = new Map(baseline.map((each) => [key(each), each]));
  const seen = new Set(target.map(key));
  const kept = target.map((each) => pairOf(old.get(key(each)), each, names));
  const gone = isPerun
    ? []
    : baseline.filter((each) => !seen.has(key(each))).map((each) => pairOf(each, undefined, names));
  return [...kept, ...gone];
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

function places(times: readonly ExclusiveTime[]): string[] {
  return [...new Set(times.map((each) => each.location))];
}

/**
 * Binaries whose names changed with their version: alike enough to be one. At most so many and so long, since each is
 * compared with each.
 */
const mostNames = 50;
const longestName = 300;
const likeEnough = 0.6;

/** A name for those of one side that the other lacks, but has alike: what both begin with. */
function likeNames(
  baseline: readonly string[],
  target: readonly string[],
  isPerun: boolean,
): ReadonlyMap<string, string> {
  const fits = (name: string): boolean => name.length <= longestName;
  const lost = new Set(baseline.filter((name) => !target.includes(name) && fits(name)).slice(0, mostNames));
  const names = new Map<string, string>();
  for (const name of target.filter((each) => !baseline.includes(each) && fits(each)).slice(0, mostNames)) {
    const [best] = [...lost]
      .map((other) => ({ other, like: textSimilarity(other, name) }))
      .toSorted((a, b) => b.like - a.like);
    const prefix = best === undefined ? "" : commonPrefix(best.other, name);
    if (best === undefined || best.like < likeEnough || prefix === "") continue;
    lost.delete(best.other);
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
