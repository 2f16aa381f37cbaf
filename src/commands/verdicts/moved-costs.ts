import { isFailure } from "../../core/failures/index.ts";
import type { Series } from "../../core/measurements/index.ts";
import { type CodeLocation, locationOfKey, type Run } from "../../core/profiles/index.ts";
import { groupBy } from "../../core/values/index.ts";
import type { Verdict } from "../../core/verdicts/index.ts";
import type { Digest, VersionId } from "../../core/versions/index.ts";
import { movedBetween } from "../../query/difference/index.ts";
import { readComparable } from "../../workspace/profiles/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Most profiles of each level, and most changes, whose calls are compared. */
const [mostProfiles, mostChanges] = [5, 100];

/**
 * Changes of functions whose cost only moved, below one that costs as much as before, are none. `withCalls`: the
 * profiles that have calls, without which no cost moves.
 */
export function withoutMoved(
  workspace: Workspace,
  verdicts: readonly Verdict[],
  all: readonly Series[],
  withCalls: ReadonlySet<string>,
): readonly Verdict[] {
  if (withCalls.size === 0) return verdicts;
  const known = new Map<string, ReadonlyMap<string, CodeLocation>>();
  const byKey = new Map(all.map((series) => [series.subject.key, series]));
  const movedWithin = ({ subject, levels }: Verdict): CodeLocation | undefined => {
    const location = locationOfKey(subject.key);
    const points = byKey.get(subject.key)?.points;
    if (location === null || points === undefined || levels === undefined) return undefined;
    const objectsAt = (versions: readonly VersionId[]): string[] => {
      const wanted = new Set(versions);
      return points.flatMap(({ version, evidence }) => (version !== null && wanted.has(version) ? evidence : []));
    };
    const sides = [objectsAt(levels.before).slice(-mostProfiles), objectsAt(levels.after).slice(0, mostProfiles)];
    if (!sides.flat().some((object) => withCalls.has(object))) return undefined;
    const key = JSON.stringify(sides);
    if (!known.has(key) && known.size >= mostChanges) return undefined;
    const moved = known.get(key) ?? movedIn(workspace, sides[0] ?? [], sides[1] ?? []);
    known.set(key, moved);
    return moved.get(location);
  };
  return verdicts.map((verdict) => {
    const isChange = verdict.outcome === "worse" || verdict.outcome === "better";
    const within = isChange ? movedWithin(verdict) : undefined;
    if (within === undefined) return verdict;
    const reason = `the cost moved within ${within.name}, which costs as much as before`;
    return { ...verdict, outcome: "same", since: null, movedWithin: within.name, reason };
  });
}

export function movedNotes(verdicts: readonly Verdict[]): string[] {
  const moved = groupBy(
    verdicts.filter(({ movedWithin }) => movedWithin !== undefined),
    ({ movedWithin }) => movedWithin,
  );
  return [...moved].map(([within, own]) => {
    const names = own.map(({ subject }) => subject.benchmark).join(", ");
    return `no change: cost moved within ${within}, which costs as much as before: ${names}`;
  });
}

/** The functions whose cost moved between groups of profiles, by their uids. */
function movedIn(
  workspace: Workspace,
  before: readonly string[],
  after: readonly string[],
): ReadonlyMap<string, CodeLocation> {
  const read = (objects: readonly string[]): Run[] =>
    objects.map((digest) => readComparable(workspace, { kind: "object", name: digest, digest: digest as Digest }));
  try {
    return movedBetween(read(before), read(after));
  } catch (failure) {
    // Cached numbers are judged although their profile is gone or damaged: fsck reports that.
    if (isFailure(failure)) return new Map();
    throw failure;
  }
}
