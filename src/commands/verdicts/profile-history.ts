import {
  configurationKey,
  isComparable,
  latestOfEach,
  type ListedProfile,
  type Run,
} from "../../core/profiles/index.ts";
import { groupBy } from "../../core/values/index.ts";
import type { Digest, VersionId, MinorVersion } from "../../core/versions/index.ts";
import { sameMachine } from "../../core/measurements/index.ts";
import { readComparable, VersionLookup } from "../../workspace/profiles/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { mixesMachines, type CheckMethod, type CheckMethods } from "./check-methods.ts";
import { machineOf } from "./compare-runs.ts";
import { LazyHistory } from "../history/index.ts";

/** The profile of an earlier commit. */
export interface Baseline {
  readonly version: VersionId;
  readonly profile: ListedProfile;
}

/** Profiles and runs along the history, read lazily and cached. */
export interface ProfileHistory {
  /** Starts at the requested commit. */
  readonly versions: LazyHistory;
  /** The newest profile of each configuration at a commit. */
  profilesOf(id: VersionId): readonly ListedProfile[];
  /** The profiles of a commit with the type, collector, command and workload of `target`, in index order. */
  groupOf(id: VersionId, target: ListedProfile): readonly ListedProfile[];
  runOf(profile: ListedProfile): Run;
  /** Whether changes are stored with the commit. */
  hasChanges(id: VersionId): boolean;
}

export async function historyFrom(workspace: Workspace, head: VersionId): Promise<ProfileHistory> {
  const vcs = await workspace.vcs();
  const stored = new VersionLookup(workspace);
  return {
    versions: new LazyHistory(vcs.walkBatches(head)),
    profilesOf: memoized((id: VersionId) => latestOfEach(stored.profiles(id)), Number.POSITIVE_INFINITY),
    groupOf: grouped((id) => stored.profiles(id)),
    runOf: byObject(
      memoized(
        (object: Digest) => readComparable(workspace, { kind: "object", name: object, digest: object }),
        mostRuns,
      ),
    ),
    hasChanges: (id) => stored.changes(id).length > 0,
  };
}

/** Maximum number of listed profiles in memory, of all commits together. */
const mostListed = 200_000;

/**
 * The profiles of commits by what comparable ones have in common. A check looks for the baseline and the noise of every
 * profile at the same commits: each of them is read and grouped once.
 */
function grouped(
  profilesOf: (id: VersionId) => readonly ListedProfile[],
): (id: VersionId, target: ListedProfile) => readonly ListedProfile[] {
  const groupsOf = memoized(
    (id: VersionId) => groupBy(profilesOf(id), sharedKey),
    mostListed,
    (groups) => [...groups.values()].reduce((sum, { length }) => sum + length, 1),
  );
  return (id, target) => groupsOf(id).get(sharedKey(target)) ?? [];
}

/** What comparable profiles have in common; their postprocessors may differ. */
function sharedKey(profile: ListedProfile): string {
  return JSON.stringify(configurationKey({ ...profile, postprocessors: [] }));
}

function byObject(read: (object: Digest) => Run): (profile: ListedProfile) => Run {
  return (profile) => read(profile.object as Digest);
}

/** Maximum number of cached runs: those of one target with its history, for a few configurations. */
const mostRuns = 32;

/**
 * LRU memoization of `find` with entries of `most` together, each of which counts as `sizeOf` says: a target is often
 * the next baseline.
 */
function memoized<K, V>(find: (key: K) => V, most: number, sizeOf: (value: V) => number = () => 1): (key: K) => V {
  const known = new Map<K, { readonly value: V; readonly size: number }>();
  let all = 0;
  const added = (key: K): { readonly value: V; readonly size: number } => {
    const value = find(key);
    const size = sizeOf(value);
    all += size;
    return { value, size };
  };
  return (key) => {
    const entry = known.get(key) ?? added(key);
    known.delete(key);
    known.set(key, entry);
    for (const [oldest, { size }] of known) {
      if (all <= most || oldest === key) break;
      known.delete(oldest);
      all -= size;
    }
    return entry.value;
  };
}

/**
 * Breadth-first search over the parents, so the shorter of two lines of history wins. A baseline from another machine
 * is used only if there is no other.
 */
export async function nearestComparable(
  target: ListedProfile,
  version: MinorVersion,
  history: ProfileHistory,
  method: CheckMethod,
): Promise<Baseline | null> {
  const { versions, groupOf } = history;
  const { isCandidate, isOnOtherMachine } = conditionsFor(target, history, method);
  const seen = new Set<VersionId>(version.parents);
  const queue = [...version.parents];
  let otherMachineBaseline: Baseline | null = null;
  for (let i = 0; i < queue.length; i++) {
    const id = queue[i] as VersionId;
    const all = groupOf(id, target);
    const newest = latestOfEach(all).find(isCandidate);
    if (newest && !isOnOtherMachine(newest)) return { version: id, profile: newest };
    const other =
      newest && newestFirst(all).find((candidate) => isCandidate(candidate) && !isOnOtherMachine(candidate));
    if (other) return { version: id, profile: other };
    if (newest) otherMachineBaseline ??= { version: id, profile: newest };
    const unseen = ((await versions.get(id))?.parents ?? []).filter((parent) => !seen.has(parent));
    for (const parent of unseen) seen.add(parent);
    queue.push(...unseen);
  }
  return otherMachineBaseline;
}

function newestFirst(profiles: readonly ListedProfile[]): ListedProfile[] {
  return profiles.toSorted((a, b) => b.time - a.time);
}

interface Conditions {
  isCandidate(candidate: ListedProfile): boolean;
  isOnOtherMachine(candidate: ListedProfile): boolean;
}

function conditionsFor(target: ListedProfile, { runOf }: ProfileHistory, method: CheckMethod): Conditions {
  return {
    isCandidate: (candidate) => isComparable(candidate, target, method.compat === "perun"),
    isOnOtherMachine: (candidate) =>
      !mixesMachines(method) && sameMachine(machineOf(runOf(candidate)), machineOf(runOf(target))) === "other",
  };
}

/** Maximum number of profiles from which the noise is learned; fewer of profiles with many rows. */
const mostEarlier = 10;
const fewEarlier = 3;
const manyRows = 50_000;

/** Maximum number of commits searched for them. */
const mostSearched = 200;

/**
 * Comparable runs of the same machine at earlier commits, newest first, the first of them the baseline; only the
 * baseline if no method uses the history.
 */
export async function earlierRuns(
  checkers: CheckMethods,
  { target, baseline, runs: [first] }: { target: ListedProfile; baseline: Baseline; runs: readonly [Run, Run] },
  history: ProfileHistory,
  method: CheckMethod,
): Promise<readonly Run[]> {
  if (!checkers.for(first).some(({ usesHistory }) => usesHistory === true)) return [first];
  const { isCandidate, isOnOtherMachine } = conditionsFor(target, history, method);
  const most = first.data.length > manyRows ? fewEarlier : mostEarlier;
  const found = [first];
  const isBaseline = ({ object }: ListedProfile): boolean => object === baseline.profile.object;
  const seen = new Set<VersionId>([baseline.version]);
  const queue = [baseline.version];
  for (let i = 0; i < Math.min(queue.length, mostSearched) && found.length < most; i++) {
    const id = queue[i] as VersionId;
    const others = newestFirst(history.groupOf(id, target)).filter(
      (each) => isCandidate(each) && (i > 0 || !isBaseline(each)),
    );
    for (const profile of others.slice(0, most - found.length))
      if (!isOnOtherMachine(profile)) found.push(history.runOf(profile));
    const unseen = ((await history.versions.get(id))?.parents ?? []).filter((parent) => !seen.has(parent));
    for (const parent of unseen) seen.add(parent);
    queue.push(...unseen);
  }
  return found;
}
