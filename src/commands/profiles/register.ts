import { Failure, isFailure } from "../../core/failures/index.ts";
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

/** Profiles per index update: each update rewrites the index. */
const batchSize = 100;

/**
 * Registers profiles at a commit like Perun: verify, compare the origin, store the object, add the index entry, remove
 * the file. Safe to kill at any step: files are removed last, and adding again finishes.
 */
export async function add(workspace: Workspace, options: AddOptions): Promise<AddResult> {
  const version = await workspace.version(options.minor);
  const added: Added[] = [];
  const failed: FailedProfile[] = [];
  const located = await locateAll(workspace, options, failed);
  for (let at = 0; at < located.length; at += batchSize) {
    const read = attempt(located.slice(at, at + batchSize), failed, (profile) => readProfile(workspace, profile));
    const groups = groupBy(
      options.force ? read : await withOrigins(workspace, read, failed),
      ({ profile }) => originOf(profile, options) ?? version,
    );
    for (const [origin, profiles] of groups) {
      const target = origin === version || (await isCommit(workspace, origin)) ? origin : version;
      const stored = attempt(profiles, failed, (profile) => store(workspace, profile, target, options));
      const registered = registerAll(workspace, target, stored, failed);
      added.push(...attempt(registered, failed, (profile) => finish(workspace, profile, target, options)));
    }
  }
  return { added, failed };
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

/** The commit of a profile, if profiles are registered there. */
function originOf({ origin }: NormalisedProfile, { minor, atOrigin = false }: AddOptions): VersionId | undefined {
  return atOrigin && minor === undefined ? origin : undefined;
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

/** Applies an action to each profile, collecting failures. */
function attempt<T extends { readonly name: string }, R>(
  profiles: readonly T[],
  failed: FailedProfile[],
  action: (profile: T) => R,
): R[] {
  return profiles.flatMap((profile) => {
    try {
      return [action(profile)];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failed.push({ name: profile.name, failure: error });
      return [];
    }
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

/** A profile with a stored object. */
interface Stored {
  readonly name: string;
  readonly path: string;
  readonly entry: IndexEntry;
}

interface Registered extends Stored {
  readonly state: Added["state"];
}

interface ReadFile {
  readonly name: string;
  readonly path: string;
  readonly time: number;
  readonly profile: NormalisedProfile;
}

function readProfile(workspace: Workspace, located: Located): ReadFile {
  if (located.kind !== "file") throw new Failure("profile-not-found", { profile: located.name });
  const { path } = located;
  const name = checkProfileName(located.name);
  const time = indexTime(path, workspace.files.inspect(path)?.modified ?? 0);
  return { name, path, time, profile: normaliseProfile(workspace.files.read(path), name) };
}

function store(
  workspace: Workspace,
  { name, path, time, profile }: ReadFile,
  version: VersionId,
  options: AddOptions,
): Stored {
  checkOrigin(profile, name, version, options);
  const { digest } = workspace.store().objects.put("profile", profile.type, profile.body);
  const { type, cmd, workload, collector, postprocessors } = profile;
  return {
    name,
    path,
    entry: { name, time, digest, type, cmd, workload, collector, postprocessors },
  };
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

/** Registers all, or none if the index cannot be read or written. */
function registerAll(
  workspace: Workspace,
  version: VersionId,
  stored: readonly Stored[],
  failed: FailedProfile[],
): Registered[] {
  const entries = stored.map(({ entry }) => entry);
  try {
    const states = entries.length === 0 ? [] : workspace.store().versions.add(version, entries);
    return stored.map((profile, at) => ({ ...profile, state: states[at] ?? "added" }));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    for (const { name } of stored) failed.push({ name, failure: error });
    return [];
  }
}

function finish(
  workspace: Workspace,
  { name, path, entry, state }: Registered,
  version: VersionId,
  { keepProfile }: AddOptions,
): Added {
  if (!keepProfile) workspace.files.remove(path);
  return { name, object: entry.digest, version, state };
}

function checkOrigin(profile: NormalisedProfile, name: string, version: VersionId, options: AddOptions): void {
  if (profile.dirty && !options.allowDirty) throw new Failure("dirty-profile", { profile: name });
  if (options.force || profile.origin === version) return;
  if (profile.origin === undefined) throw new Failure("missing-origin", { profile: name });
  throw new Failure("wrong-origin", { profile: name, origin: profile.origin, version });
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
