import type { Change } from "../../core/verdicts/index.ts";
import { changingRows, type ListedProfile, type Run } from "../../core/profiles/index.ts";
import type { MinorVersion } from "../../core/versions/index.ts";
import { Failure, isFailure } from "../../core/failures/index.ts";
import { printJson } from "../../formats/json/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { checkMethods, mixesMachines, type CheckMethod, type CheckMethods } from "./check-methods.ts";
import { compareRuns, differentMachines, emptyComparisonReason, type ProfileComparison } from "./compare-runs.ts";
import { earlierRuns, historyFrom, nearestComparable, type Baseline, type ProfileHistory } from "./profile-history.ts";
import { storeChanges, toStoredComparison, type StoredComparison } from "./store-changes.ts";

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
    const earlier = await earlierRuns(checkers, { target: profile, baseline, runs }, history, method);
    const found = compareIfComparable(checkers, runs, earlier, method);
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
  earlier: readonly Run[],
  method: CheckMethod,
): ProfileComparison {
  try {
    if (method.compat !== "perun") requireSameRows(...runs);
    const found = compareRuns(checkers, ...runs, method.compat, earlier);
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
