import type { Digest, VersionId } from "../core/digest.ts";
import { Failure } from "../core/errors.ts";
import { normaliseProfile, type NormalisedProfile } from "../formats/profile.ts";
import { Locator, type Confirm, type Located } from "../workspace/locate.ts";
import type { Workspace } from "../workspace/workspace.ts";

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
  readonly failed: readonly { readonly name: string; readonly failure: Failure }[];
}

/**
 * Registers profiles at a version by the seed's steps: load and verify, compare the origin, store the object, add the entry to the index,
 * remove the file. A kill between two steps loses nothing: the file goes last, and adding again finishes.
 */
export async function add(workspace: Workspace, options: AddOptions): Promise<AddResult> {
  const version = await workspace.version(options.minor);
  const added: Added[] = [];
  const failed: { name: string; failure: Failure }[] = [];
  for (const located of await locateAll(workspace, options, failed)) {
    try {
      added.push(addOne(workspace, located, version, options));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failed.push({ name: located.name, failure: error });
    }
  }
  return { added, failed };
}

/** Everything is looked up before the first is added: each addition takes a file away, and tags count the files that are there. */
async function locateAll(
  workspace: Workspace,
  options: AddOptions,
  failed: { name: string; failure: Failure }[],
): Promise<Iterable<Located>> {
  const locator = new Locator(workspace, options.confirm);
  const found = new Map<string, Located>();
  for (const word of options.profiles) {
    for (const located of await collectOrRecord(locator, word, failed))
      found.set(located.kind === "file" ? located.path : located.digest, located);
  }
  return found.values();
}

async function collectOrRecord(locator: Locator, word: string, failed: { name: string; failure: Failure }[]): Promise<Located[]> {
  try {
    return await locator.toAdd([word]);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    failed.push({ name: word, failure: error });
    return [];
  }
}

function addOne(workspace: Workspace, located: Located, version: VersionId, options: AddOptions): Added {
  if (located.kind !== "file") throw new Failure("profile-not-found", { profile: located.name });
  const facts = workspace.files.inspect(located.path);
  const profile = normaliseProfile(workspace.files.read(located.path), located.name);
  checkOrigin(profile, located.name, version, options);
  const store = workspace.store();
  const { digest } = store.objects.put("profile", profile.type, profile.body);
  const { type, cmd, workload, collector, postprocessors } = profile;
  const entry = { name: located.name, time: facts?.modified ?? 0, digest, type, cmd, workload, collector, postprocessors };
  const [state = "added"] = store.versions.add(version, [entry]);
  if (!options.keepProfile) workspace.files.remove(located.path);
  return { name: located.name, object: digest, version, state };
}

function checkOrigin(profile: NormalisedProfile, name: string, version: VersionId, options: AddOptions): void {
  if (profile.dirty && !options.allowDirty) throw new Failure("dirty-profile", { profile: name });
  if (options.force || profile.origin === version) return;
  if (profile.origin === undefined) throw new Failure("missing-origin", { profile: name });
  throw new Failure("wrong-origin", { profile: name, origin: profile.origin, version });
}
