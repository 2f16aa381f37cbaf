import { median } from "../../math/descriptive/index.ts";
import type { LevelChange } from "../../math/detectors/index.ts";
import { type Line, runsOf } from "./line.ts";

/** Most points by which a change is moved, and fewest points of a level. */
const [farthest, shortest] = [5, 3];

/**
 * Changes at the points where all runs fit the levels best, by the sum of absolute deviations: the runs of a disturbed
 * point show its level more clearly than their median. Unchanged for points with a single run.
 */
export function relocated(line: Line, changes: readonly LevelChange[]): readonly LevelChange[] {
  const { points, values } = line;
  if (changes.length === 0 || points === undefined || points.every(({ sample }) => sample.length === 1)) return changes;
  const cuts = [0, ...changes.map(({ index }) => index), values.length];
  for (let at = 1; at < cuts.length - 1; at++) {
    const [from, cut, to] = [cuts[at - 1] as number, cuts[at] as number, cuts[at + 1] as number];
    const first = Math.max(from + shortest, cut - farthest);
    const last = Math.min(to - shortest, cut + farthest);
    cuts[at] = bestCut(line, [median(values.slice(from, cut)), median(values.slice(cut, to))], { first, cut, last });
  }
  return changes.map((change, at) => ({ ...change, index: cuts[at + 1] as number }));
}

function bestCut(
  line: Line,
  [left, right]: readonly [number, number],
  { first, cut, last }: { readonly first: number; readonly cut: number; readonly last: number },
): number {
  // Cost of the points from `first` on at the new level, relative to the old one.
  let [sum, own, least, best] = [0, 0, Infinity, cut];
  for (let at = first; at <= last; at++) {
    if (at === cut) own = sum;
    if (sum < least) [least, best] = [sum, at];
    for (const run of runsOf(line, at, at + 1)) sum += Math.abs(run - left) - Math.abs(run - right);
  }
  return least < own ? best : cut;
}
