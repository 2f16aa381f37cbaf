import { Failure, isFailure, valueOrFailure } from "../../core/failures/index.ts";
import { formatTimestamp, groupBy } from "../../core/values/index.ts";
import type { Digest, VersionId } from "../../core/versions/index.ts";
import { normaliseProfile, type NormalisedProfile } from "../../formats/profile/index.ts";
import type { IndexEntry } from "../../formats/store/index.ts";
import { checkProfileName } from "../../store/pending/index.ts";
import { Locator, type Confirm, type Located } from "../../workspace/profiles/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface AddOptions {
  /** Tags, files and names, or all pending profiles. */
  readonly profiles: readonly string[] | "pending";
  /** Commit to register at; default: the head, or with `atOrigin` the commit where each profile was measured. */
  readonly minor?: string;
  readonly atOrigin?: boolean;
  readonly keepProfile: boolean;
  /** Register profiles of another or unknown commit. */
  readonly force: boolean;
  /** Register profiles measured in a dirty tree. */
  readonly allowDirty: boolean;
  readonly confirm: Confirm | null;
}

export interface Added {
  readonly name: string;
  readonly object: Digest;
  readonly version: VersionId;
  /** present: the profile was already registered. */
  readonly state: "added" | "present";
}

export interface AddResult {
  readonly added: readonly Added[];
  /** Profiles that were not registered; their files are kept. */
  readonly failed: readonly FailedProfile[];
}

interface FailedProfile {
  readonly name: string;
  readonly failure: Failure;
}

/** Profiles and bytes that are registered together: with few syncs, and one rewrite of the index of each commit. */
const [maxProfiles, maxBytes] = [1000, 32 << 20] as const;

/**
 * Registers profiles at a commit like Perun: verify, compare the origin, store the object, add the index entry, remove
 * the file. Safe to kill at any step: files are removed last, and adding again finishes.
 */
export async function add(workspace: Workspace, options: AddOptions): Promise<AddResult> {
  const version = await workspace.version(options.minor);
  const added: Added[] = [];
  const failed: FailedProfile[] = [];
  for (const read of readBatches(workspace, await locateAll(workspace, options, failed), failed)) {
    const complete = options.force ? read : await withOrigins(workspace, read, failed);
    const targeted = await withTargets(workspace, complete, version, options);
    const allowed = attempt(targeted, failed, (profile) => checkOrigin(profile, options));
    const registered = registerAll(workspace, storeAll(workspace, allowed, failed), failed);
    added.push(...(options.keepProfile ? registered : removeFiles(workspace, registered, failed)).map(reported));
  }
  return { added, failed };
}

/** Reads profiles in batches of limited size. */
function* readBatches(
  workspace: Workspace,
  located: readonly Located[],
  failed: FailedProfile[],
): Generator<readonly ReadFile[]> {
  let [batch, bytes]: [ReadFile[], number] = [[], 0];
  for (const each of located) {
    for (const file of attempt([each], failed, (profile) => readProfile(workspace, profile))) {
      batch.push(file);
      bytes += file.profile.body.length;
    }
    if (batch.length < maxProfiles && bytes < maxBytes) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  yield batch;
}

/** Profiles with their origins complete; fails for those whose short origin is of no or several commits. */
async function withOrigins(
  workspace: Workspace,
  profiles: readonly ReadFile[],
  failed: FailedProfile[],
): Promise<ReadFile[]> {
  const complete: ReadFile[] = [];
  for (const each of profiles) {
    const { origin, shortOrigin } = each.profile;
    try {
      const found = origin ?? (shortOrigin === undefined ? undefined : await workspace.version(shortOrigin));
      complete.push(found === undefined ? each : { ...each, profile: { ...each.profile, origin: found } });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failed.push({ name: each.name, failure: error.at(each.name) });
    }
  }
  return complete;
}

/** Profiles with the commit to register them at: where they were measured, if asked to and known here. */
async function withTargets(
  workspace: Workspace,
  profiles: readonly ReadFile[],
  version: VersionId,
  { minor, atOrigin = false }: AddOptions,
): Promise<TargetedFile[]> {
  const isAtOrigin = atOrigin && minor === undefined;
  const groups = groupBy(profiles, ({ profile }) => (isAtOrigin ? profile.origin : undefined) ?? version);
  const targeted: TargetedFile[] = [];
  for (const [origin, group] of groups) {
    const target = origin === version || (await isCommit(workspace, origin)) ? origin : version;
    targeted.push(...group.map((profile) => ({ ...profile, version: target })));
  }
  return targeted;
}

/** Whether this repository has a commit. */
async function isCommit(workspace: Workspace, version: VersionId): Promise<boolean> {
  try {
    return (await workspace.version(version)) === version;
  } catch (error) {
    if (isFailure(error, "unknown-revision")) return false;
    throw error;
  }
}

/** Applies an action to each profile, collecting failures that it throws or returns. */
function attempt<T extends { readonly name: string }, R>(
  profiles: readonly T[],
  failed: FailedProfile[],
  action: (profile: T, at: number) => R | Failure,
): R[] {
  return profiles.flatMap((profile, at) => {
    const result = valueOrFailure(() => action(profile, at));
    if (!(result instanceof Failure)) return [result];
    failed.push({ name: profile.name, failure: result });
    return [];
  });
}

/** Resolves all names before adding anything: adding removes files, which renumbers tags. */
async function locateAll(workspace: Workspace, options: AddOptions, failed: FailedProfile[]): Promise<Located[]> {
  const locator = new Locator(workspace, options.confirm);
  if (options.profiles === "pending") return locator.pending();
  const found = new Map<string, Located>();
  for (const word of options.profiles) {
    for (const located of await locateOrRecord(locator, word, failed))
      found.set(located.kind === "file" ? located.path : located.digest, located);
  }
  return [...found.values()];
}

async function locateOrRecord(locator: Locator, word: string, failed: FailedProfile[]): Promise<Located[]> {
  try {
    return await locator.toAdd([word]);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    failed.push({ name: word, failure: error });
    return [];
  }
}

interface ReadFile {
  readonly name: string;
  readonly path: string;
  readonly time: number;
  readonly profile: NormalisedProfile;
}

interface TargetedFile extends ReadFile {
  readonly version: VersionId;
}

/** A profile with a stored object. */
interface Stored extends TargetedFile {
  readonly entry: IndexEntry;
}

interface Registered extends Stored {
  readonly state: Added["state"];
}

function readProfile(workspace: Workspace, located: Located): ReadFile {
  if (located.kind !== "file") throw new Failure("profile-not-found", { profile: located.name });
  const { path } = located;
  const name = checkProfileName(located.name);
  const time = indexTime(path, workspace.files.inspect(path)?.modified ?? 0);
  return { name, path, time, profile: normaliseProfile(workspace.files.read(path), name) };
}

/** Checks unix seconds against the 32 bits of an index. Fails with `time-out-of-range`. */
function indexTime(path: string, time: number): number {
  if (time >= 0 && time <= 0xffff_ffff) return time;
  throw new Failure("time-out-of-range", {
    what: `the modification time of ${path}`,
    time: formatTimestamp(time * 1e6),
    years: "1970 to 2105",
    advice: `correct it with touch ${path}`,
  });
}

function checkOrigin(file: TargetedFile, options: AddOptions): TargetedFile {
  const { profile, name, version } = file;
  if (profile.dirty && !options.allowDirty) throw new Failure("dirty-profile", { profile: name });
  if (options.force || profile.origin === version) return file;
  if (profile.origin === undefined) throw new Failure("missing-origin", { profile: name });
  throw new Failure("wrong-origin", { profile: name, origin: profile.origin, version });
}

function storeAll(workspace: Workspace, files: readonly TargetedFile[], failed: FailedProfile[]): Stored[] {
  const objects = files.map(({ profile: { type, body } }) => ({ kind: "profile", type, body }) as const);
  const results = workspace.store().objects.putAll(objects);
  return attempt(files, failed, (file, at) => {
    const result = results[at] as (typeof results)[number];
    if (result instanceof Failure) return result;
    const { name, time } = file;
    const { type, cmd, workload, collector, postprocessors } = file.profile;
    const entry = { name, time, digest: result.digest, type, cmd, workload, collector, postprocessors };
    return { ...file, entry };
  });
}

/** Registers all profiles of a commit, or none if its index cannot be read or written. */
function registerAll(workspace: Workspace, stored: readonly Stored[], failed: FailedProfile[]): Registered[] {
  const groups = groupBy(stored, ({ version }) => version);
  const entries = new Map([...groups].map(([version, profiles]) => [version, profiles.map(({ entry }) => entry)]));
  const states = valueOrFailure(() => workspace.store().versions.addAll(entries));
  return [...groups].flatMap(([version, profiles]) => {
    const own = states instanceof Failure ? states : states.get(version);
    return attempt(profiles, failed, (profile, at) =>
      own instanceof Failure ? own : { ...profile, state: own?.[at] ?? "added" },
    );
  });
}

function removeFiles(workspace: Workspace, registered: readonly Registered[], failed: FailedProfile[]): Registered[] {
  const failures = workspace.files.removeEach(registered.map(({ path }) => path));
  return attempt(registered, failed, (profile) => failures.get(profile.path) ?? profile);
}

function reported({ name, entry, version, state }: Registered): Added {
  return { name, object: entry.digest, version, state };
}

interface RemoveOptions {
  readonly profiles: readonly string[];
  /** Commit to remove from; default: the head. */
  readonly minor?: string;
}

interface Removed {
  readonly name: string;
  /** null: it was pending. Objects of registered profiles stay in the store. */
  readonly version: VersionId | null;
}

/**
 * Removes registered profiles from the index of a commit, or deletes pending ones. Resolves all names before removing
 * anything.
 */
export async function remove(workspace: Workspace, options: RemoveOptions): Promise<readonly Removed[]> {
  const found = await new Locator(workspace, null).toRemove(options.profiles, () => workspace.version(options.minor));
  removeRegistered(workspace, found);
  for (const profile of found) if (profile.kind === "file") workspace.store().pending.remove(profile.name);
  return found.map((profile) => ({
    name: profile.name,
    version: profile.kind === "file" ? null : (profile.version ?? null),
  }));
}

/** All entries belong to one commit. */
function removeRegistered(workspace: Workspace, found: readonly Located[]): void {
  const picks = found.flatMap((profile) => (profile.kind === "object" ? [profile] : []));
  const version = picks[0]?.version;
  if (version === undefined) return;
  const { versions } = workspace.store();
  versions.remove(version, ({ name, digest, time }) =>
    picks.some((pick) => pick.name === name && pick.digest === digest && pick.entry?.time === time),
  );
}
