// Runs programs in process groups, measures their resource usage, and manages private worktrees.
// Used by workspace.ts, src/workspace/jobs and src/workspace/fuzz.
// Never starts a program through a shell, nor leaves processes or worktrees after a run.

export { interruptible } from "./interruptible.ts";
export type { Interrupts } from "./process-group.ts";
export { openShell } from "./shell.ts";
export { StopRequest } from "./stop-request.ts";
export {
  type RecoveredRun,
  type RunPaths,
  hasDeadRun,
  recoverRuns,
  runPaths,
  withVersion,
  withVersions,
} from "./worktrees.ts";
