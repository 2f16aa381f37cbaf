import type { Change } from "../../core/verdicts/change.ts";
import { isComparable, latestOfEach, rowChanging } from "../../core/profiles/comparable-profiles.ts";
import type { Digest, VersionId } from "../../core/versions/digest.ts";
import { Failure, isFailure } from "../../core/failures/failure.ts";
import { sameMachine } from "../../core/measurements/machine-relation.ts";
import type { ListedProfile } from "../../core/profiles/listed-profile.ts";
import type { Run } from "../../core/profiles/run.ts";
import type { MinorVersion } from "../../core/versions/version.ts";
import { printJson } from "../../formats/json/json.ts";
import { readRun } from "../../workspace/profiles/read-run.ts";
import { VersionLookup } from "../../workspace/profiles/version-lookup.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { checkMethods, mixesMachines, type CheckMethod, type CheckMethods } from "./check-methods.ts";
import { compareRuns, machineOf, machinesDiffer, nothingCompared, type Comparison } from "./compare-runs.ts";
import { keepChanges, keptComparison, type KeptComparison } from "./store-changes.ts";
import { WalkedVersions } from "../history/lazy-history.ts";

/** One profile of a version compared with the nearest earlier comparable one. */
export interface ProfileCheck {
  readonly profile: ListedProfile;
  /** null: no ancestor has a comparable profile, so nothing is known. */
  readonly baseline: Baseline | null;
  readonly changes: readonly Change[];
  /** True when the two were measured on different machines. */
  readonly otherMachine: boolean;
  /** True when of one of the two it is not known where it was measured, and of the other it is. */
  readonly unknownMachine: boolean;
  /** Why the two could not be compared; absent: they could. */
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
 * Checks one version (the head when absent): each configuration against its nearest predecessor that has a comparable
 * profile. What is found is stored with the version, and what was stored but is no longer true is removed.
 */
export async function checkHead(
  workspace: Workspace,
  revision: string | undefined,
  how: CheckMethod,
): Promise<VersionCheck> {
  const head = await workspace.version(revision);
  const history = await historyFrom(workspace, head);
  try {
    const version = (await history.versions.get(head)) as MinorVersion;
    const { checks, kept } = await checkVersion(version, history, await methodsOf(workspace, how), how);
    keepChanges(workspace, version.id, kept);
    return { version, checks };
  } finally {
    await history.versions.close();
  }
}

/** Checks every version with profiles, newest first, and stores what it finds as `checkHead` does. */
export async function* checkAll(
  workspace: Workspace,
  revision: string | undefined,
  how: CheckMethod,
): AsyncIterable<VersionCheck> {
  const history = await historyFrom(workspace, await workspace.version(revision));
  try {
    const methods = await methodsOf(workspace, how);
    for await (const version of history.versions) {
      const { checks, kept } = await checkVersion(version, history, methods, how);
      if (kept.some(({ changes }) => changes.length > 0) || history.hasChanges(version.id))
        keepChanges(workspace, version.id, kept);
      if (checks.length > 0) yield { version, checks };
    }
  } finally {
    await history.versions.close();
  }
}

interface History {
  /** The version asked for first. */
  readonly versions: WalkedVersions;
  /** The profiles of a version that count: the newest of each configuration. */
  profilesOf(id: VersionId): readonly ListedProfile[];
  /** All of them, the newest first. */
  allProfilesOf(id: VersionId): readonly ListedProfile[];
  runOf(profile: ListedProfile): Run;
  /** Whether a check stored something with the version. */
  hasChanges(id: VersionId): boolean;
}

async function historyFrom(workspace: Workspace, head: VersionId): Promise<History> {
  const vcs = await workspace.vcs();
  const stored = new VersionLookup(workspace);
  return {
    versions: new WalkedVersions(vcs.walkBatches(head)),
    profilesOf: remembered((id: VersionId) => latestOfEach(stored.profiles(id)), Number.POSITIVE_INFINITY),
    allProfilesOf: (id) => stored.profiles(id).toSorted((a, b) => b.time - a.time),
    runOf: byObject(
      remembered((object: Digest) => readRun(workspace, { kind: "object", name: object, digest: object }), 16),
    ),
    hasChanges: (id) => stored.changes(id).length > 0,
  };
}

function byObject(read: (object: Digest) => Run): (profile: ListedProfile) => Run {
  return (profile) => read(profile.object as Digest);
}

/** Each answer is kept for the next time, the `most` used last at the most: a target is a baseline soon after. */
function remembered<K, V>(find: (key: K) => V, most: number): (key: K) => V {
  const kept = new Map<K, V>();
  return (key) => {
    const value = kept.has(key) ? (kept.get(key) as V) : find(key);
    kept.delete(key);
    kept.set(key, value);
    if (kept.size > most) kept.delete(kept.keys().next().value as K);
    return value;
  };
}

/** Perun's choice of what is compared: everything. There is no other. */
const wholeRepository = "whole_repository_selection";

/** Fails with `bad-config-value` where another selection is configured, and like `checkMethods`. */
async function methodsOf(workspace: Workspace, how: CheckMethod): Promise<CheckMethods> {
  const [key, file] = ["selection_method", "configuration"];
  const value = (await workspace.config()).text(key, wholeRepository);
  if (value !== wholeRepository) throw new Failure("bad-config-value", { file, key, value, expected: wholeRepository });
  return checkMethods(workspace.registry, () => workspace.config(), how);
}

interface CheckedVersion {
  readonly checks: readonly ProfileCheck[];
  readonly kept: readonly KeptComparison[];
}

async function checkVersion(
  version: MinorVersion,
  history: History,
  methods: CheckMethods,
  how: CheckMethod,
): Promise<CheckedVersion> {
  const checks: ProfileCheck[] = [];
  const kept: KeptComparison[] = [];
  for (const profile of history.profilesOf(version.id)) {
    const baseline = await nearestComparable(profile, version, history, how);
    if (!baseline) {
      checks.push({ profile, baseline, ...uncompared });
      continue;
    }
    const runs = [history.runOf(baseline.profile), history.runOf(profile)] as const;
    const found = comparedIfPossible(methods, runs, how);
    if (found.incomparable !== undefined) {
      checks.push({ profile, baseline, ...found });
      continue;
    }
    kept.push(keptComparison(methods, runs, found.changes, baseline.version));
    const ends = { baseline: baseline.version, target: version.id };
    checks.push({ profile, baseline, ...found, changes: found.changes.map((change) => ({ ...change, ...ends })) });
  }
  return { checks, kept };
}

const uncompared: Comparison = { changes: [], otherMachine: false, unknownMachine: false };

/**
 * What a pair can be like that others of the history are not: it is told of, and the others are compared all the same.
 */
const ofOnePair = ["incompatible-profiles", "not-numbers", "unit-mismatch", "unknown-column"] as const;

/** With the reason where that cannot be. */
function comparedIfPossible(methods: CheckMethods, runs: readonly [Run, Run], how: CheckMethod): Comparison {
  try {
    if (how.compat !== "perun") requireSameRows(...runs);
    const found = compareRuns(methods, ...runs, how.compat);
    const why =
      found.otherMachine && !mixesMachines(how) ? machinesDiffer : nothingCompared(methods, runs[0], found, how.compat);
    return why === undefined ? found : { ...found, changes: [], incomparable: why };
  } catch (error) {
    if (isFailure(error) && ofOnePair.some((code) => code === error.code))
      return { ...uncompared, incomparable: error.message };
    throw error;
  }
}

/** Names alone do not tell it: a filter may have kept other rows. */
function requireSameRows(before: Run, after: Run): void {
  const [baseline, target] = [before, after].map(rowSteps) as [string, string];
  if (baseline !== target) throw new Failure("incompatible-profiles", { baseline, target });
}

function rowSteps({ steps }: Run): string {
  const changing = steps.filter(({ kind, name }) => kind === "postprocessor" && rowChanging([name]).length > 0);
  return changing.map(({ name, params }) => `${name} ${new TextDecoder().decode(printJson(params))}`).join(", ");
}

/**
 * Breadth first over the parents, so that of two lines of history the shorter way wins. What was measured on another
 * machine is no baseline, unless there is no other.
 */
async function nearestComparable(
  target: ListedProfile,
  version: MinorVersion,
  history: History,
  how: CheckMethod,
): Promise<Baseline | null> {
  const { versions, profilesOf, allProfilesOf, runOf } = history;
  const isFitting = (candidate: ListedProfile): boolean => isComparable(candidate, target, how.compat === "perun");
  const isElsewhere = (candidate: ListedProfile): boolean =>
    !mixesMachines(how) && sameMachine(machineOf(runOf(candidate)), machineOf(runOf(target))) === "other";
  const seen = new Set<VersionId>(version.parents);
  const queue = [...version.parents];
  let elsewhere: Baseline | null = null;
  for (let i = 0; i < queue.length; i++) {
    const id = queue[i] as VersionId;
    const newest = profilesOf(id).find(isFitting);
    if (newest && !isElsewhere(newest)) return { version: id, profile: newest };
    const other = newest && allProfilesOf(id).find((candidate) => isFitting(candidate) && !isElsewhere(candidate));
    if (other) return { version: id, profile: other };
    if (newest) elsewhere ??= { version: id, profile: newest };
    const unseen = ((await versions.get(id))?.parents ?? []).filter((parent) => !seen.has(parent));
    for (const parent of unseen) seen.add(parent);
    queue.push(...unseen);
  }
  return elsewhere;
}
