import { Failure } from "../../core/failures/failure.ts";
import type { Digest, VersionId } from "../../core/versions/digest.ts";
import { normaliseProfile, type NormalisedProfile } from "../../formats/profile/profile.ts";
import type { IndexEntry } from "../../formats/store/version-index.ts";
import { checkProfileName } from "../../store/pending/pending.ts";
import { Locator, type Confirm, type Located } from "../../workspace/profiles/locate.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface AddOptions {
  readonly profiles: readonly string[];
  /** Version to register at; the head when absent. */
  readonly minor?: string;
  readonly keepProfile: boolean;
  /** Register although the origin is another version, or is missing. */
  readonly force: boolean;
  /** Register although the profile was measured in a dirty tree. */
  readonly allowDirty: boolean;
  readonly confirm: Confirm | null;
}

export interface Added {
  readonly name: string;
  readonly object: Digest;
  readonly version: VersionId;
  /** present: the same profile was there before. */
  readonly state: "added" | "present";
}

export interface AddResult {
  readonly added: readonly Added[];
  /** Profiles that were not registered, each still where it was. */
  readonly failed: readonly FailedProfile[];
}

interface FailedProfile {
  readonly name: string;
  readonly failure: Failure;
}

/** So many profiles go into the index of the version in one step, for each step writes all of it anew. */
const together = 100;

/**
 * Registers profiles at a version by the seed's steps: load and verify, compare the origin, store the object, add the
 * entry to the index, remove the file. A kill between two steps loses nothing: files go last, and adding again
 * finishes.
 */
export async function add(workspace: Workspace, options: AddOptions): Promise<AddResult> {
  const version = await workspace.version(options.minor);
  const added: Added[] = [];
  const failed: FailedProfile[] = [];
  const located = await locateAll(workspace, options, failed);
  for (let at = 0; at < located.length; at += together) {
    const stored = each(located.slice(at, at + together), failed, (profile) =>
      store(workspace, profile, version, options),
    );
    const registered = registerAll(workspace, version, stored, failed);
    added.push(...each(registered, failed, (profile) => finished(workspace, profile, version, options)));
  }
  return { added, failed };
}

/** What came of those with which it could be done; of the others it is noted why not. */
function each<T extends { readonly name: string }, R>(
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

/**
 * Everything is looked up before the first is added: each addition takes a file away, and tags count the files that are
 * there.
 */
async function locateAll(workspace: Workspace, options: AddOptions, failed: FailedProfile[]): Promise<Located[]> {
  const locator = new Locator(workspace, options.confirm);
  const found = new Map<string, Located>();
  for (const word of options.profiles) {
    for (const located of await collectOrRecord(locator, word, failed))
      found.set(located.kind === "file" ? located.path : located.digest, located);
  }
  return [...found.values()];
}

async function collectOrRecord(locator: Locator, word: string, failed: FailedProfile[]): Promise<Located[]> {
  try {
    return await locator.toAdd([word]);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    failed.push({ name: word, failure: error });
    return [];
  }
}

/** A profile whose object is stored. */
interface Stored {
  readonly name: string;
  readonly path: string;
  readonly entry: IndexEntry;
}

interface Registered extends Stored {
  readonly state: Added["state"];
}

function store(workspace: Workspace, located: Located, version: VersionId, options: AddOptions): Stored {
  if (located.kind !== "file") throw new Failure("profile-not-found", { profile: located.name });
  const { path } = located;
  const name = checkProfileName(located.name);
  const facts = workspace.files.inspect(path);
  const profile = normaliseProfile(workspace.files.read(path), name);
  checkOrigin(profile, name, version, options);
  const { digest } = workspace.store().objects.put("profile", profile.type, profile.body);
  const { type, cmd, workload, collector, postprocessors } = profile;
  return {
    name,
    path,
    entry: { name, time: facts?.modified ?? 0, digest, type, cmd, workload, collector, postprocessors },
  };
}

/** All of them, or none when the index cannot be read or written. */
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

function finished(
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
  /** Version whose index is meant; the head when absent. */
  readonly minor?: string;
}

interface Removed {
  readonly name: string;
  /** null: it was pending. The object of a registered profile stays in the store. */
  readonly version: VersionId | null;
}

/**
 * Takes entries out of the index of a version, or deletes pending profiles. Everything is looked up before anything is
 * removed.
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

/** All of them are entries of the one version that was asked for. */
function removeRegistered(workspace: Workspace, found: readonly Located[]): void {
  const picks = found.flatMap((profile) => (profile.kind === "object" ? [profile] : []));
  const version = picks[0]?.version;
  if (version === undefined) return;
  const { versions } = workspace.store();
  versions.remove(version, ({ name, digest, time }) =>
    picks.some((pick) => pick.name === name && pick.digest === digest && pick.entry?.time === time),
  );
}
