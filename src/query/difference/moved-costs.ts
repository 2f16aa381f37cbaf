import type { CodeLocation, CostChange, Run } from "../../core/profiles/index.ts";
import { flatText } from "../../core/values/index.ts";
import { cellsOf } from "../profile/index.ts";
import { callsOf, locationKey } from "./call-frames.ts";
import { pooledDifference } from "./pooled-difference.ts";
import { profileDifference } from "./profile-difference.ts";

/**
 * Functions whose cost only moved to or from others, by the flattened uids of their rows, with the function that costs
 * as much as before. Empty for profiles without calls.
 */
export function movedCosts(before: Run, after: Run): ReadonlyMap<string, CodeLocation> {
  const options = { by: "function", isNormalised: false, minShare: 0, limit: Infinity } as const;
  return movedRows(
    profileDifference(before, after, options).flatMap((difference) => difference.rows),
    after,
  );
}

/** Columns of profiles with calls. */
const callColumns: ReadonlySet<string> = new Set(["trace", "caller", "exclusive"]);

/** Whether a profile has calls, without which no cost moves. */
export function hasCalls({ data }: Run): boolean {
  return data.variables.some(({ name }) => callColumns.has(name));
}

/** Like `movedCosts`, between the mean costs of two groups of profiles. */
export function movedBetween(before: readonly Run[], after: readonly Run[]): ReadonlyMap<string, CodeLocation> {
  const newest = after[0];
  if (newest === undefined) return new Map();
  const rows = pooledDifference(before, after, Infinity).flatMap((difference) => difference.rows);
  return movedRows(rows, newest);
}

/** Like `movedCosts`, of given rows; `after`: a profile with the uids of the rows after the change. */
function movedRows(rows: readonly CostChange[], after: Run): ReadonlyMap<string, CodeLocation> {
  const moved = new Map(
    rows.flatMap((row) => (row.movedWithin === null ? [] : [[locationKey(row), row.movedWithin] as const])),
  );
  if (moved.size === 0) return new Map();
  const [uid, location] = [cellsOf(after.data, "uid"), cellsOf(after.data, "location")];
  const found = new Map<string, CodeLocation>();
  for (let row = 0; row < after.data.length; row++) {
    const own = uid.at(row);
    if (own === undefined) continue;
    const call = callsOf(own, undefined, location.at(row)).at(-1);
    const within = call === undefined ? undefined : moved.get(locationKey(call));
    if (within !== undefined) found.set(flatText(own), within);
  }
  return found;
}
