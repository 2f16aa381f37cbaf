import type { VersionId } from "../core/digest.ts";
import { Locator, type Located } from "../workspace/locate.ts";
import type { Workspace } from "../workspace/workspace.ts";

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

/** Takes entries out of the index of a version, or deletes pending profiles. Everything is looked up before anything is removed. */
export async function remove(workspace: Workspace, options: RemoveOptions): Promise<readonly Removed[]> {
  const vcs = await workspace.vcs();
  const version = (): Promise<VersionId> => (options.minor === undefined ? vcs.head() : vcs.resolve(options.minor));
  const found = await new Locator(workspace, null).toRemove(options.profiles, version);
  removeRegistered(workspace, found);
  for (const profile of found) if (profile.kind === "file") workspace.store().pending.remove(profile.name);
  return found.map((profile) => ({ name: profile.name, version: profile.kind === "file" ? null : (profile.version ?? null) }));
}

function removeRegistered(workspace: Workspace, found: readonly Located[]): void {
  const byVersion = new Map<VersionId, Extract<Located, { kind: "object" }>[]>();
  for (const profile of found) {
    if (profile.kind === "file" || profile.version === undefined) continue;
    byVersion.set(profile.version, [...(byVersion.get(profile.version) ?? []), profile]);
  }
  for (const [version, profiles] of byVersion) {
    const picks = profiles.map(({ name, digest, entry }) => ({ name, digest, time: entry?.time }));
    workspace
      .store()
      .versions.remove(version, (entry) =>
        picks.some((pick) => pick.name === entry.name && pick.digest === entry.digest && pick.time === entry.time),
      );
  }
}
