import type { Change } from "../../core/verdicts/index.ts";
import type { VersionId, MinorVersion } from "../../core/versions/index.ts";
import type { ListedProfile } from "../../core/profiles/index.ts";
import { type RemoteStanding, hasShared } from "../../workspace/share/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** The head and its stored data. */
export interface Status {
  readonly head: VersionId;
  /** Branch name; the id if the head is detached. */
  readonly major: string;
  readonly version: MinorVersion;
  readonly registered: readonly ListedProfile[];
  readonly pending: readonly ListedProfile[];
  /** Names of pending files that are not profiles. */
  readonly unreadable: readonly string[];
  readonly changes: readonly Change[];
  /** Unshared data for each remote used so far; damaged state is skipped. */
  readonly sharing: readonly RemoteStanding[];
}

/** Read-only. Fails with `index-damaged` if the index of the head is damaged. */
export async function status(workspace: Workspace): Promise<Status> {
  const store = workspace.store();
  const vcs = await workspace.vcs();
  const head = await vcs.head();
  const unreadable: string[] = [];
  const sharing = sharingOf(workspace, head);
  const [major, version] = await Promise.all([vcs.majorHead(), vcs.info(head)]);
  return {
    head,
    major,
    version,
    registered: workspace.registered(head),
    pending: workspace.pending((name) => unreadable.push(name)),
    unreadable,
    changes: store.changes.read(head),
    sharing: await sharing,
  };
}

/** Loaded only if something was shared. */
async function sharingOf(workspace: Workspace, head: VersionId): Promise<readonly RemoteStanding[]> {
  if (!hasShared(workspace.perun())) return [];
  const { remoteStandings } = await import("../../workspace/share/remote-status.ts");
  return remoteStandings(workspace, head);
}
