import type { Subject } from "../../core/measurements/index.ts";
import type { Measured, Verdict } from "../../core/verdicts/index.ts";
import type { Shift } from "../../math/hypothesis-tests/index.ts";
import { sideOf, undecided } from "./judge.ts";

/** The ratios of pairs, ascending; null if some value is not positive. */
export function ratiosOfPairs(before: Float64Array, after: Float64Array): Float64Array | null {
  const isPositive = [before, after].every((side) => side.every((value) => value > 0));
  return isPositive ? after.map((value, at) => value / before[at]!).sort() : null;
}

/** The verdict on pairs before it is decided, by the ratio of their sides. */
export function verdictOfPairs(
  subject: Subject,
  [before, after]: readonly [Float64Array, Float64Array],
  { shift: ratio, low, high }: Shift,
  test: Pick<Verdict, "p" | "test">,
): Verdict {
  return {
    ...undecided,
    subject,
    before: sideOf(before),
    after: sideOf(after),
    delta: ratio - 1,
    deltaLow: Number.isNaN(low) ? null : low - 1,
    deltaHigh: Number.isNaN(high) ? null : high - 1,
    ...test,
  };
}

/** Two sides measured in the same rounds, and the number of groups that were not. */
export interface SharedSessions {
  readonly old: Measured;
  readonly now: Measured;
  readonly omitted: number;
}

/**
 * The groups of both sides that the same runs measured, round by round, as one group each: equal positions are pairs.
 * Groups of other runs, at other times, are omitted: the machine may have been slower. null: they have no run in
 * common, or different numbers of values in it.
 */
export function sharedSessions(old: Measured, now: Measured): SharedSessions | null {
  const [before, after] = [old, now].map(bySession) as [Map<number, Float64Array>, Map<number, Float64Array>];
  const common = [...before.keys()].filter((session) => after.has(session)).sort((a, b) => a - b);
  if (common.length === 0) return null;
  if (common.some((session) => before.get(session)!.length !== after.get(session)!.length)) return null;
  const pairing = `sessions ${common.join(" ")}`;
  const omitted = old.groups.length + now.groups.length - 2 * common.length;
  return { old: joined(old, before, common, pairing), now: joined(now, after, common, pairing), omitted };
}

/** Fewer pairs cannot be significant by Wilcoxon's signed-rank test. */
const fewestPairs = 6;

/** The last group of each session. */
function bySession({ groups, sessions = [] }: Measured): Map<number, Float64Array> {
  return new Map(groups.flatMap((group, at) => (sessions[at] == null ? [] : [[sessions[at], group] as const])));
}

function joined(
  { sessions: _, ...measured }: Measured,
  groups: ReadonlyMap<number, Float64Array>,
  common: readonly number[],
  pairing: string,
): Measured {
  const values = common.flatMap((session) => [...groups.get(session)!]);
  const isPaired = values.length >= fewestPairs;
  return { ...measured, groups: [Float64Array.from(values)], ...(isPaired ? { pairing } : {}) };
}
