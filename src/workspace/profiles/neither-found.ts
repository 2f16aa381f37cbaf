import { Failure, isFailure } from "../../core/failures/index.ts";
import type { Workspace } from "../workspace.ts";

/**
 * What to report of a word that might have been a revision as well, if no profile has that name: why it is no revision,
 * such as a shallow clone, or that it is neither. `error`: any error; others than `profile-not-found` are returned.
 */
export async function neitherFound(workspace: Workspace, error: unknown): Promise<unknown> {
  if (!isFailure(error, "profile-not-found")) return error;
  const profile = String(error.data["profile"]);
  try {
    await (await workspace.vcs()).resolve(profile);
  } catch (unknown) {
    if (isFailure(unknown, "unknown-revision") && unknown.data["reason"] !== undefined) return unknown;
  }
  return new Failure("profile-not-found", { profile, or: "commit" }, error);
}
