import type { Change } from "../../core/verdicts/index.ts";
import { isComparable, latestOfEach, changingRows, type ListedProfile, type Run } from "../../core/profiles/index.ts";
import type { Digest, VersionId, MinorVersion } from "../../core/versions/index.ts";
import { Failure, isFailure } from "../../core/failures/index.ts";
import { sameMachine } from "../../core/measurements/index.ts";
import { printJson } from "../../formats/json/index.ts";
import { readRun, VersionLookup } from "../../workspace/profiles/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { checkMethods, mixesMachines, type CheckMethod, type CheckMethods } from "./check-methods.ts";
import {
  compareRuns,
  machineOf,
  differentMachines,
  emptyComparisonReason,
  type ProfileComparison,
} from "./compare-runs.ts";
import { storeChanges, toStoredComparison, type StoredComparison } from "./store-changes.ts";
import { LazyHistory } from "../history/index.ts";

/** One profile of a commit compared with the nearest earlier comparable profile. */
export interface ProfileCheck {
  readonly profile: ListedProfile;
  /** null: no ancestor has a comparable profile. */
  readonly baseline: Baseline | null;
  readonly changes: readonly Change[];
  /** The profiles were measured on different machines. */
  readonly otherMachine: boolean;
  /** The machine of exactly one of the profiles is unknown. */
  readonly unknownMachine: boolean;
  /** Why the profiles could not be compared; absent if they were. */
  readonly incomparable?: string;
}

export interface Baseline {
  readonly version: VersionId;
  readonly profile: ListedProfile;
}

export interface VersionCheck {
  readonly version: MinorVersion;
  readonly checks: readonly ProfileCheck[];
}

/**
 * Checks one commit (default: the head): compares each configuration with its nearest comparable predecessor. Stores
 * the changes with the commit and removes stored changes that no longer apply.
 */
export async function checkHead(
  workspace: Workspace,
  revision: string | undefined,
  method: CheckMethod,
): Promise<VersionCheck> {
  const head = await workspace.version(revision);
  const history = await historyFrom(workspace, head);
  try {
    const version = (await history.versions.get(head)) as MinorVersion;
    const { checks, comparisons } = await checkVersion(
      version,
      history,
      await configuredMethods(workspace, method),
      method,
    );
    storeChanges(workspace, version.id, comparisons);
    return { version, checks };
  } finally {
    await history.versions.close();
  }
}

/** Checks every commit with profiles, newest first; stores changes like `checkHead`. */
export async function* checkAll(
  workspace: Workspace,
  revision: string | undefined,
  method: CheckMethod,
): AsyncIterable<VersionCheck> {
  const history = await historyFrom(workspace, await workspace.version(revision));
  try {
    const checkers = await configuredMethods(workspace, method);
    for await (const version of history.versions) {
      const { checks, comparisons } = await checkVersion(version, history, checkers, method);
      if (comparisons.some(({ changes }) => changes.length > 0) || history.hasChanges(version.id))
        storeChanges(workspace, version.id, comparisons);
      if (checks.length > 0) yield { version, checks };
    }
  } finally {
    await history.versions.close();
  }
}

interface ProfileHistory {
  /** Starts at the requested commit. */
  readonly versions: LazyHistory;
  /** The newest profile of each configuration at a commit. */
  profilesOf(id: VersionId): readonly ListedProfile[];
  /** All profiles of a commit, newest first. */
  allProfilesOf(id: VersionId): readonly ListedProfile[];
  runOf(profile: ListedProfile): Run;
  /** Whether changes are stored with the commit. */
  hasChanges(id: VersionId): boolean;
}

async function historyFrom(workspace: Workspace, head: VersionId): Promise<ProfileHistory> {
  const vcs = await workspace.vcs();
  const stored = new VersionLookup(workspace);
  return {
    versions: new LazyHistory(vcs.walkBatches(head)),
    profilesOf: memoized((id: VersionId) => latestOfEach(stored.profiles(id)), Number.POSITIVE_INFINITY),
    allProfilesOf: (id) => stored.profiles(id).toSorted((a, b) => b.time - a.time),
    runOf: byObject(
      memoized((object: Digest) => readRun(workspace, { kind: "object", name: object, digest: object }), 16),
    ),
    hasChanges: (id) => stored.changes(id).length > 0,
  };
}

function byObject(read: (object: Digest) => Run): (profile: ListedProfile) => Run {
  return (profile) => read(profile.object as Digest);
}

/** LRU memoization of `find` with at most `most` entries: a target is often the next baseline. */
function memoized<K, V>(find: (key: K) => V, most: number): (key: K) => V {
  const values = new Map<K, V>();
  return (key) => {
    const value = values.has(key) ? (values.get(key) as V) : find(key);
    values.delete(key);
    values.set(key, value);
    if (values.size > most) values.delete(values.keys().next().value as K);
    return value;
  };
}

/** The only supported value of Perun's `selection_method`. */
const wholeRepositorySelection = "whole_repository_selection";

/** Fails with `bad-config-value` for any other `selection_method`, and like `checkMethods`. */
async function configuredMethods(workspace: Workspace, method: CheckMethod): Promise<CheckMethods> {
  const [key, file] = ["selection_method", "configuration"];
  const value = (await workspace.config()).text(key, wholeRepositorySelection);
  if (value !== wholeRepositorySelection)
    throw new Failure("bad-config-value", { file, key, value, expected: wholeRepositorySelection });
  return checkMethods(workspace.registry, () => workspace.config(), method);
}

interface CheckedVersion {
  readonly checks: readonly ProfileCheck[];
  readonly comparisons: readonly StoredComparison[];
}

async function checkVersion(
  version: MinorVersion,
  history: ProfileHistory,
  checkers: CheckMethods,
  method: CheckMethod,
): Promise<CheckedVersion> {
  const checks: ProfileCheck[] = [];
  const comparisons: StoredComparison[] = [];
  for (const profile of history.profilesOf(version.id)) {
    const baseline = await nearestComparable(profile, version, history, method);
    if (!baseline) {
      checks.push({ profile, baseline, ...noComparison });
      continue;
    }
    const runs = [history.runOf(baseline.profile), history.runOf(profile)] as const;
    const found = compareIfComparable(checkers, runs, method);
    if (found.incomparable !== undefined) {
      checks.push({ profile, baseline, ...found });
      continue;
    }
    comparisons.push(toStoredComparison(checkers, runs, found.changes, baseline.version));
    const ends = { baseline: baseline.version, target: version.id };
    checks.push({ profile, baseline, ...found, changes: found.changes.map((change) => ({ ...change, ...ends })) });
  }
  return { checks, comparisons };
}

const noComparison: ProfileComparison = { changes: [], otherMachine: false, unknownMachine: false };

/** Failures that concern one pair only: they are reported, and checking continues. */
const pairFailures = ["incompatible-profiles", "not-numbers", "unit-mismatch", "unknown-column"] as const;

/** Compares two runs, or returns the reason why they are not comparable. */
function compareIfComparable(
  checkers: CheckMethods,
  runs: readonly [Run, Run],
  method: CheckMethod,
): ProfileComparison {
  try {
    if (method.compat !== "perun") requireSameRows(...runs);
    const found = compareRuns(checkers, ...runs, method.compat);
    const why =
      found.otherMachine && !mixesMachines(method)
        ? differentMachines
        : emptyComparisonReason(checkers, runs[0], found, method.compat);
    return why === undefined ? found : { ...found, changes: [], incomparable: why };
  } catch (error) {
    if (isFailure(error) && pairFailures.some((code) => code === error.code))
      return { ...noComparison, incomparable: error.message };
    throw error;
  }
}

/** Compares options too: the same postprocessor may have kept different rows. */
function requireSameRows(before: Run, after: Run): void {
  const [baseline, target] = [before, after].map(rowSteps) as [string, string];
  if (baseline !== target) throw new Failure("incompatible-profiles", { baseline, target });
}

function rowSteps({ steps }: Run): string {
  const changing = steps.filter(({ kind, name }) => kind === "postprocessor" && changingRows([name]).length > 0);
  return changing.map(({ name, params }) => `${name} ${new TextDecoder().decode(printJson(params))}`).join(", ");
}

/**
 * Breadth-first search over the parents, so the shorter of two lines of history wins. A baseline from another machine
 * is used only if there is no other.
 */
async function nearestComparable(
  target: ListedProfile,
  version: MinorVersion,
  history: ProfileHistory,
  method: CheckMethod,
): Promise<Baseline | null> {
  const { versions, profilesOf, allProfilesOf, runOf } = history;
  const isCandidate = (candidate: ListedProfile): boolean => isComparable(candidate, target, method.compat === "perun");
  const isOnOtherMachine = (candidate: ListedProfile): boolean =>
    !mixesMachines(method) && sameMachine(machineOf(runOf(candidate)), machineOf(runOf(target))) === "other";
  const seen = new Set<VersionId>(version.parents);
  const queue = [...version.parents];
  let otherMachineBaseline: Baseline | null = null;
  for (let i = 0; i < queue.length; i++) {
    const id = queue[i] as VersionId;
    const newest = profilesOf(id).find(isCandidate);
    if (newest && !isOnOtherMachine(newest)) return { version: id, profile: newest };
    const other =
      newest && allProfilesOf(id).find((candidate) => isCandidate(candidate) && !isOnOtherMachine(candidate));
    if (other) return { version: id, profile: other };
    if (newest) otherMachineBaseline ??= { version: id, profile: newest };
    const unseen = ((await versions.get(id))?.parents ?? []).filter((parent) => !seen.has(parent));
    for (const parent of unseen) seen.add(parent);
    queue.push(...unseen);
  }
  return otherMachineBaseline;
}
