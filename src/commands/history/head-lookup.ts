import type { VersionId } from "../../core/versions/index.ts";
import { isFailure } from "../../core/failures/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Commit that runs belong to. */
export interface Link {
  readonly version?: VersionId;
  /** The working tree has uncommitted changes. */
  readonly dirty?: boolean;
}

/** Empty outside of a repository and before its first commit. */
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

/** Starts the VCS query in the background; failures are reported when the promise is awaited. */
export function startHeadLookup(workspace: Workspace): Promise<Link> {
  const link = new Promise<void>((resolve) => setImmediate(resolve)).then(() => lookUpHead(workspace));
  link.catch(() => {});
  return link;
}
