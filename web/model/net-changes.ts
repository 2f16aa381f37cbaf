import type { VersionColumns } from "../../src/core/pages/index.ts";
import type { History } from "./series-lines.ts";

/** The change of a series up to now. */
export interface NetChange {
  /** `the start`, or the name of a tag. */
  readonly since: string;
  /** now / then - 1 of the medians of the levels; null: it was 0. */
  readonly delta: number | null;
}

/**
 * The changes since the first point and since the newest tag before the last one, from level to level: a level is what
 * lies between two changes. Empty for a series without changes.
 */
export function netChanges(history: History, { facts }: VersionColumns): NetChange[] {
  const points = history.center.length;
  const starts = [0, ...history.changes.filter((at) => at > 0)].toSorted((a, b) => a - b);
  if (starts.length === 1) return [];
  const levelOf = (point: number): number => {
    const start = starts.findLast((at) => at <= point) ?? 0;
    return middleOf(history, start, starts.find((at) => at > point) ?? points);
  };
  const now = levelOf(points - 1);
  const deltaOf = (then: number): number | null => (then === 0 ? null : now / then - 1);
  const tagged = facts.tags.findLast(([index]) => index < (history.version[points - 1] ?? -1));
  const before = tagged === undefined ? -1 : lastUntil(history, tagged[0]);
  return [
    { since: "the start", delta: deltaOf(levelOf(0)) },
    ...(tagged === undefined || before < 0 ? [] : [{ since: tagged[1], delta: deltaOf(levelOf(before)) }]),
  ];
}

/** The newest point of this commit or an earlier one; -1: none. */
function lastUntil({ version }: History, index: number): number {
  for (let at = version.length - 1; at >= 0; at--) {
    const known = version[at] ?? -1;
    if (known >= 0 && known <= index) return at;
  }
  return -1;
}

function middleOf({ center }: History, from: number, to: number): number {
  const sorted = Float64Array.from({ length: to - from }, (_, at) => center[from + at] ?? Number.NaN).sort();
  const half = sorted.length >> 1;
  const [low, high] = [sorted[half - (sorted.length % 2 === 0 ? 1 : 0)] ?? Number.NaN, sorted[half] ?? Number.NaN];
  return (low + high) / 2;
}
