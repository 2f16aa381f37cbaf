import { Failure, isFailure } from "../../core/failures/index.ts";
import type { Workspace } from "../workspace.ts";

/**
 * Looks for profiles by words that might have been revisions as well. If no profile has such a name, fails with why it
 * is no revision, such as a shallow clone, or with `profile-not-found` for something that is neither.
 */
export async function profileOrNeither<T>(workspace: Workspace, find: () => Promise<T>): Promise<T> {
  try {
    return await find();
  } catch (error) {
    throw await neitherFound(workspace, error);
  }
}

async function neitherFound(workspace: Workspace, error: unknown): Promise<unknown> {
  if (!isFailure(error, "profile-not-found")) return error;
  const profile = String(error.data["profile"]);
  try {
    await (await workspace.vcs()).resolve(profile);
  } catch (unknown) {
    if (isFailure(unknown, "unknown-revision") && unknown.data["reason"] !== undefined) return unknown;
  }
  return new Failure("profile-not-found", { profile, or: "commit" }, error);
}
