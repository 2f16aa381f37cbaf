import type { VersionId } from "../../core/versions/digest.ts";
import { isFailure } from "../../core/failures/failure.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** The version that runs belong to. */
export interface Link {
  readonly version?: VersionId;
  /** Whether the tree has changes that no version holds. */
  readonly dirty?: boolean;
}

/** Outside of a repository, and before its first commit, runs belong to no version. */
async function lookUpHead(workspace: Workspace): Promise<Link> {
  try {
    const vcs = await workspace.vcs();
    return { version: await vcs.head(), dirty: await vcs.isDirty() };
  } catch (error) {
    if (isFailure(error, "not-a-repository") || isFailure(error, "no-versions-yet") || isFailure(error, "vcs-missing"))
      return {};
    throw error;
  }
}

/**
 * The version system is asked while something else waits for another thread; a failure is told to whoever waits for the
 * answer.
 */
export function startHeadLookup(workspace: Workspace): Promise<Link> {
  const link = new Promise<void>((resolve) => setImmediate(resolve)).then(() => lookUpHead(workspace));
  link.catch(() => {});
  return link;
}
