import {
  cpuTimeMetric,
  type Direction,
  type Disturbance,
  type PointOrigin,
  type Subject,
} from "../../core/measurements/index.ts";
import { canaryFromJson, type Run } from "../../core/profiles/index.ts";
import { counted } from "../../core/text/index.ts";
import { groupBy, isObject, JsonNumber, type Json } from "../../core/values/index.ts";
import { percentText } from "../../core/verdicts/index.ts";
import { median, quantile } from "../../math/descriptive/index.ts";
import { type Doubt, type LevelCut, remedy } from "./doubt.ts";
import { type Line, lineAt, runLevel } from "./line.ts";

/** Least share of stolen processor time that disturbs. */
const mostStolen = 0.02;

/** What disturbed the machine during a measurement, by the regions `noise` and `machine`; null: nothing known. */
export function disturbanceOf(run: Run): Disturbance | null {
  const noise = run.extra.get("noise");
  const [load, stolen, throttled] = [numberAt(noise, "load"), numberAt(noise, "stolen"), numberAt(noise, "throttled")];
  const machine = isObject(run.machine) ? run.machine.get("cpu") : undefined;
  const processors = numberAt(machine, "total");
  if ((throttled ?? 0) > 0) return { kind: "heat", text: `throttled by heat ${counted(throttled ?? 0, "time")}` };
  if ((stolen ?? 0) > mostStolen)
    return { kind: "stolen", text: `${Math.round((stolen ?? 0) * 100)} % of processor time stolen` };
  if (load !== null && processors !== null && load > processors)
    return { kind: "load", text: `load ${load} on ${counted(processors, "processor")}` };
  return null;
}

/** The highest clock rate seen while a profile was measured, in MHz, by the region `noise`; null: unknown. */
export function clockRateOf(run: Run): number | null {
  const rate = numberAt(run.extra.get("noise"), "fastest");
  return rate !== null && rate > 0 ? rate : null;
}

/** The median time of the loop that perfkeep measured next to a profile, in seconds; null: none. */
export function canaryOf(run: Run): number | null {
  const seconds = canaryFromJson(run.extra.get("canary"));
  return seconds.length === 0 ? null : median(Float64Array.from(seconds));
}

/** Quantile of the clock rates of a machine that is its usual high one, and the share of it below which one is low. */
const [usualClock, lowClock] = [0.9, 0.9];

/** Points that series of a suite mostly share, so that they are examined once. */
const examined = new WeakMap<readonly PointOrigin[], readonly PointOrigin[]>();

/** The line with points at a low clock rate, for their machine, as disturbed; the line itself if there are none. */
export function withLowClocks(line: Line): Line {
  const origins = examined.get(line.origins) ?? markedLowClocks(line.origins);
  examined.set(line.origins, origins);
  return origins === line.origins ? line : { ...line, origins };
}

/** The origins themselves if no clock rate is low. */
function markedLowClocks(all: readonly PointOrigin[]): readonly PointOrigin[] {
  const timed = all.flatMap(({ machine, clock }) => (clock === undefined ? [] : [{ machine, clock }]));
  const highest = new Map(
    [...groupBy(timed, ({ machine }) => machine)].map(([machine, own]) => [
      machine,
      quantile(
        Float64Array.from(own, ({ clock }) => clock),
        usualClock,
      ),
    ]),
  );
  const isLow = ({ machine, clock, disturbance }: PointOrigin): boolean =>
    disturbance === undefined && clock !== undefined && clock < lowClock * (highest.get(machine) ?? 0);
  if (!all.some(isLow)) return all;
  return all.map((origin): PointOrigin => {
    if (!isLow(origin)) return origin;
    const text = `clock rate ${gigahertz(origin.clock ?? 0)}, usually ${gigahertz(highest.get(origin.machine) ?? 0)}`;
    return { ...origin, disturbance: { kind: "clock", text } };
  });
}

function gigahertz(megahertz: number): string {
  return `${Number((megahertz / 1000).toPrecision(2))} GHz`;
}

function numberAt(json: Json | undefined, name: string): number | null {
  const value = isObject(json) ? json.get(name) : undefined;
  return value instanceof JsonNumber && Number.isFinite(value.value) ? value.value : null;
}

/** Whether it makes processors slow, and so CPU time as well; load and stolen time make programs wait. */
function isSlowing({ kind }: Disturbance): boolean {
  return kind === "heat" || kind === "clock";
}

function isAffected({ metric }: Subject, disturbance: Disturbance | undefined): boolean {
  return disturbance !== undefined && (metric !== cpuTimeMetric || isSlowing(disturbance));
}

/** Fewest undisturbed points, and the largest share of disturbed ones, that are left out. */
const [fewestCalm, mostDisturbed] = [6, 1 / 3];

/**
 * A line without the points at which the machine was disturbed, if these are few; otherwise the line itself. Keeps at
 * least one point of those `isIn` selects.
 */
export function calmLine(subject: Subject, line: Line, isIn: (at: number) => boolean): Line {
  const calm = line.origins.flatMap(({ disturbance }, at) => (isAffected(subject, disturbance) ? [] : [at]));
  const count = line.origins.length;
  if (calm.length === count || calm.length < fewestCalm || count - calm.length > mostDisturbed * count) return line;
  return calm.some(isIn) ? lineAt(line, calm) : line;
}

/** Points of a side that show its level, least share of a change, and least difference of the disturbed shares. */
const [fewest, leastShare, leastMore] = [3, 0.5, 0.25];

/**
 * A change to a slower level at which more points were disturbed than before, or back, is the machine's unless the
 * undisturbed points, or those of the CPU time if the processors were no slower, show at least half of it. A low clock
 * rate has to explain half of it.
 */
export function loadDoubt(subject: Subject, line: Line, { from, cut, to }: LevelCut): Doubt | null {
  const isDisturbed = (at: number): boolean => isAffected(subject, line.origins[at]?.disturbance);
  const sides = [pointsIn(from, cut), pointsIn(cut, to)] as const;
  const [before, after] = sides.map((points) => points.filter(isDisturbed)) as [number[], number[]];
  const change = runLevel(line, cut, to) / runLevel(line, from, cut) - 1;
  const more = after.length / sides[1].length - before.length / sides[0].length;
  if (Math.abs(more) < leastMore || isSlower(change, subject.better) !== more > 0) return null;
  const isShared = (share: number | null): boolean => share !== null && share / change >= leastShare;
  const calm = sides.map((points) => points.filter((at) => !isDisturbed(at))) as [number[], number[]];
  if (calm.every(({ length }) => length >= fewest) && isShared(changeOf(line, calm))) return null;
  const disturbances = [...before, ...after].flatMap((at) => line.origins[at]?.disturbance ?? []);
  if (disturbances.every(({ kind }) => kind === "clock") && !isShared(changeOfClock(line, sides, subject.better)))
    return null;
  const cpu =
    line.cpuTime === undefined || disturbances.some(isSlowing)
      ? null
      : changeOf(
          line.cpuTime,
          sides.map((points) => alike(line, points)),
        );
  if (isShared(cpu)) return null;
  const [example] = (more > 0 ? after : before).map((at) => line.origins[at]?.disturbance?.text);
  const counts = `${before.length} of ${sides[0].length} points before and ${after.length} of ${sides[1].length} after`;
  const unchanged = cpu === null ? "" : `; ${cpuTimeMetric} changed by ${percentText(cpu)}`;
  return {
    kind: "load",
    disturbed: { before: before.length, after: after.length },
    reason: [
      `${subject.metric} follows the load of the machine: ${counts} disturbed (${example})${unchanged}`,
      remedy,
    ].join("; "),
  };
}

/** The relative change of a metric that the clock rates at the points of both sides explain; null: unknown. */
function changeOfClock({ origins }: Line, sides: readonly (readonly number[])[], better: Direction): number | null {
  const [before, after] = sides.map((points) =>
    median(Float64Array.from(points.flatMap((at) => origins[at]?.clock ?? []))),
  );
  if (before === undefined || after === undefined || !(before > 0 && after > 0)) return null;
  return better === "lower" ? before / after - 1 : after / before - 1;
}

function pointsIn(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}

function isSlower(change: number, better: Direction): boolean {
  return change > 0 === (better === "lower");
}

/** The relative change between the medians at two sets of points; null: one is empty. */
function changeOf({ values, medians = values }: Line, sides: readonly (readonly number[])[]): number | null {
  const [before, after] = sides.map((points) => Float64Array.from(points, (at) => medians[at] as number));
  if (before === undefined || after === undefined || before.length === 0 || after.length === 0) return null;
  return median(after) / median(before) - 1;
}

/** Points of the CPU time at the versions of points of a line. */
function alike({ origins, cpuTime }: Line, points: readonly number[]): number[] {
  const versions = new Set(points.map((at) => origins[at]?.version ?? null));
  return (cpuTime?.origins ?? []).flatMap(({ version }, at) => (version !== null && versions.has(version) ? [at] : []));
}
