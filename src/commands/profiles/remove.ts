import type { VersionId } from "../../core/versions/digest.ts";
import { Locator, type Located } from "../../workspace/profiles/locate.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface RemoveOptions {
  readonly profiles: readonly string[];
  /** Version whose index is meant; the head when absent. */
  readonly minor?: string;
}

export interface Removed {
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
