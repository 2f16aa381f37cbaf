import type { Swept } from "../../store/fsck/sweep.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { recoverRuns, runPlaces, type RecoveredRun } from "../../workspace/processes/worktrees.ts";

/** What killed commands had left, and what became of it. */
export interface RecoverResult extends Swept {
  /**
   * Runs in worktrees; those whose outcome is not `removed` were left alone, and `reason` tells why removing failed.
   */
  readonly runs: readonly RecoveredRun[];
}

/**
 * Removes everything that killed commands left: worktrees with their journals and processes, temporary files, a dead
 * lock.
 */
export async function recover(workspace: Workspace): Promise<RecoverResult> {
  const places = runPlaces(workspace.perun(), workspace.world.environment);
  // The runs first: their journals may still be unfinished, and what is unfinished is swept.
  const runs = await recoverRuns(places, await workspace.vcs());
  return { runs, ...workspace.store().sweep() };
}
