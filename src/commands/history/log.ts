import type { Change } from "../../core/verdicts/index.ts";
import type { ListedProfile } from "../../core/profiles/index.ts";
import type { MinorVersion } from "../../core/versions/index.ts";
import { VersionLookup } from "../../workspace/profiles/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** A commit with its stored profiles and changes. */
export interface LogEntry {
  readonly version: MinorVersion;
  readonly profiles: readonly ListedProfile[];
  readonly changes: readonly Change[];
}

export interface LogOptions {
  /** Start of the walk; default: the head. */
  readonly revision?: string;
  readonly limit?: number;
  /** Skip commits without profiles. */
  readonly onlyWithProfiles: boolean;
}

/** History from a commit, in VCS order and batches. Fails with `unknown-revision`, `index-damaged`. */
export async function* log(workspace: Workspace, options: LogOptions): AsyncIterable<readonly LogEntry[]> {
  const vcs = await workspace.vcs();
  const stored = new VersionLookup(workspace);
  const head = await workspace.version(options.revision);
  for await (const batch of vcs.walkBatches(head, options.limit, true)) {
    const entries = batch.map((version) => ({
      version,
      profiles: stored.profiles(version.id),
      changes: stored.changes(version.id),
    }));
    yield options.onlyWithProfiles ? entries.filter((entry) => entry.profiles.length > 0) : entries;
  }
}
