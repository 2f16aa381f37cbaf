import { isDegradation, type Change } from "../core/change.ts";
import type { VersionId } from "../core/digest.ts";
import { Failure } from "../core/errors.ts";
import { textAt } from "../core/json.ts";
import type { ListedProfile } from "../core/profile-order.ts";
import type { Run } from "../core/run.ts";
import type { MinorVersion } from "../core/version.ts";
import type { Checker } from "../plugins/checkers/checker.ts";
import { Locator, type Confirm } from "../workspace/locate.ts";
import { readRun } from "../workspace/read-run.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** One profile of a version compared with the nearest earlier comparable one. */
export interface ProfileCheck {
  readonly profile: ListedProfile;
  /** null: no ancestor has a comparable profile, so nothing is known. */
  readonly baseline: { readonly version: VersionId; readonly profile: ListedProfile } | null;
  readonly changes: readonly Change[];
  /** True when the two were measured on different machines, or it cannot be told. */
  readonly otherMachine: boolean;
}

export interface VersionCheck {
  readonly version: MinorVersion;
  readonly checks: readonly ProfileCheck[];
}

const defaultMethod = "average-amount";

/** Checks one version: each configuration against its nearest predecessor that has a comparable profile. */
export async function checkHead(workspace: Workspace, revision: string | undefined, method = defaultMethod): Promise<VersionCheck> {
  const vcs = await workspace.vcs();
  const id = revision === undefined ? await vcs.head() : await vcs.resolve(revision);
  const checker = await workspace.registry.get("checker", method);
  for await (const check of checkFrom(workspace, id, checker, 1)) return check;
  throw new Failure("unknown-revision", { revision: revision ?? "HEAD" });
}

/** Checks every version with profiles, newest first. */
export async function* checkAll(workspace: Workspace, revision: string | undefined, method = defaultMethod): AsyncIterable<VersionCheck> {
  const vcs = await workspace.vcs();
  const id = revision === undefined ? await vcs.head() : await vcs.resolve(revision);
  yield* checkFrom(workspace, id, await workspace.registry.get("checker", method));
}

async function* checkFrom(
  workspace: Workspace,
  head: VersionId,
  checker: Checker,
  limit = Number.POSITIVE_INFINITY,
): AsyncIterable<VersionCheck> {
  const vcs = await workspace.vcs();
  const history: MinorVersion[] = [];
  for await (const batch of vcs.walkBatches(head)) history.push(...batch);
  const at = new Map(history.map((version) => [version.id, version]));
  const known = workspace.store().names();
  const runs = new RunCache(workspace);
  const profilesOf = (id: VersionId): readonly ListedProfile[] => (known.indexes.has(id) ? workspace.registered(id) : []);
  for (const version of history.slice(0, limit)) {
    const targets = latestOfEach(profilesOf(version.id));
    if (targets.length === 0 && version.id !== head) continue;
    yield { version, checks: targets.map((target) => checkOne(target, version, { at, profilesOf, runs, checker })) };
  }
}

interface History {
  readonly at: ReadonlyMap<VersionId, MinorVersion>;
  readonly profilesOf: (id: VersionId) => readonly ListedProfile[];
  readonly runs: RunCache;
  readonly checker: Checker;
}

function checkOne(target: ListedProfile, version: MinorVersion, history: History): ProfileCheck {
  const baseline = nearestComparable(target, version, history);
  if (!baseline) return { profile: target, baseline, changes: [], otherMachine: false };
  const [before, after] = [history.runs.get(baseline.profile.object), history.runs.get(target.object)];
  const changes = history.checker.check(before, after, new Map());
  return {
    profile: target,
    baseline,
    changes: changes.map((change) => ({ ...change, baseline: baseline.version, target: version.id })),
    otherMachine: differentMachines(before, after),
  };
}

/** Breadth first over the parents, so that of two lines of history the shorter way wins. */
function nearestComparable(target: ListedProfile, version: MinorVersion, { at, profilesOf }: History): ProfileCheck["baseline"] {
  const seen = new Set<VersionId>(version.parents);
  const queue = [...version.parents];
  for (let i = 0; i < queue.length; i++) {
    const id = queue[i] as VersionId;
    const profile = latestOfEach(profilesOf(id)).find((candidate) => isComparable(candidate, target));
    if (profile) return { version: id, profile };
    for (const parent of at.get(id)?.parents ?? []) {
      if (seen.has(parent)) continue;
      seen.add(parent);
      queue.push(parent);
    }
  }
  return null;
}

/** Same type, command, workload and collector; every postprocessor of the baseline was applied to the target too (Perun 0.21). */
function isComparable(baseline: ListedProfile, target: ListedProfile): boolean {
  const same = (["type", "cmd", "workload", "collector"] as const).every((key) => baseline[key] === target[key]);
  return same && baseline.postprocessors.every((name) => target.postprocessors.includes(name));
}

/** Of several profiles of one configuration the newest. */
function latestOfEach(profiles: readonly ListedProfile[]): ListedProfile[] {
  const key = (p: ListedProfile): string => JSON.stringify([p.collector, p.cmd, p.workload, p.postprocessors]);
  const latest = new Map<string, ListedProfile>();
  for (const profile of profiles) if ((latest.get(key(profile))?.time ?? -1) <= profile.time) latest.set(key(profile), profile);
  return [...latest.values()];
}

export interface CheckProfilesOptions {
  readonly baseline: string;
  readonly target: string;
  /** Version whose index names are looked up in; the head when absent. */
  readonly minor?: string;
  readonly method?: string;
  /** Compare although the configurations differ. */
  readonly force: boolean;
  readonly confirm: Confirm | null;
}

/** Compares any two profiles. Fails with `incompatible-profiles` when their configurations differ, unless forced. */
export async function checkProfiles(
  workspace: Workspace,
  options: CheckProfilesOptions,
): Promise<Omit<ProfileCheck, "profile" | "baseline">> {
  const checker = await workspace.registry.get("checker", options.method ?? defaultMethod);
  const locator = new Locator(workspace, options.confirm);
  const version = async (): Promise<VersionId> => {
    const vcs = await workspace.vcs();
    return options.minor === undefined ? vcs.head() : vcs.resolve(options.minor);
  };
  const before = readRun(workspace, await locator.one(options.baseline, version));
  const after = readRun(workspace, await locator.one(options.target, version));
  if (!options.force) requireComparable(before, after);
  return { changes: checker.check(before, after, new Map()), otherMachine: differentMachines(before, after) };
}

function requireComparable(before: Run, after: Run): void {
  const configuration = (run: Run): string =>
    JSON.stringify([...["type", "cmd", "workload"].map((key) => run.fixed.get(key)), run.steps.map((step) => step.name)]);
  const [a, b] = [configuration(before), configuration(after)];
  if (a !== b) throw new Failure("incompatible-profiles", { baseline: a, target: b });
}

function differentMachines(before: Run, after: Run): boolean {
  const [a, b] = [textAt(before.machine, "fingerprint"), textAt(after.machine, "fingerprint")];
  return a !== undefined && b !== undefined && a !== b;
}

/** Decoded profiles of the history: each is the target once and often a baseline soon after. */
class RunCache {
  readonly #workspace: Workspace;
  readonly #runs = new Map<string, Run>();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  get(object: string): Run {
    const found = this.#runs.get(object) ?? readRun(this.#workspace, { kind: "object", name: object, digest: object as never });
    this.#runs.delete(object);
    this.#runs.set(object, found);
    if (this.#runs.size > 16) this.#runs.delete(this.#runs.keys().next().value as string);
    return found;
  }
}

/** True when some change is a regression for certain (Maybe does not count). */
export function hasRegression(checks: readonly { readonly changes: readonly Change[] }[]): boolean {
  return checks.some((check) => check.changes.some((change) => isDegradation(change) && change.result !== "MaybeDegradation"));
}
