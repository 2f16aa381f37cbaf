import type { VersionId } from "../core/digest.ts";
import { isFailure } from "../core/errors.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** Outside of a repository, and before its first commit, runs belong to no version. */
export async function currentVersion(workspace: Workspace): Promise<{ version?: VersionId; dirty?: boolean }> {
  try {
    const vcs = await workspace.vcs();
    return { version: await vcs.head(), dirty: await vcs.isDirty() };
  } catch (error) {
    if (isFailure(error, "not-a-repository") || isFailure(error, "no-versions-yet") || isFailure(error, "vcs-missing")) return {};
    throw error;
  }
}
