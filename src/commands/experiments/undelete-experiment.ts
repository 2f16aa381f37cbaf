import { requireExperimentName, type RunName } from "../../core/experiments/index.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface UndeleteOptions {
  readonly experiment: string;
  /** Default: the complete experiment. */
  readonly runs?: readonly RunName[];
  /** New name, if the original one is in use. */
  readonly name?: string;
  /** Restore runs although active runs came from the same files. */
  readonly force: boolean;
  readonly database?: string;
}

export interface Undeleted {
  readonly experiment: string;
  readonly runs?: readonly number[];
}

/**
 * Restores a deleted experiment or deleted runs. Fails with `unknown-experiment`, `unknown-deleted-run`,
 * `already-imported`, `experiment-exists`, `bad-name`.
 */
export async function undeleteExperiment(workspace: Workspace, options: UndeleteOptions): Promise<Undeleted> {
  const now = workspace.time();
  return withExperiments(workspace, experimentHome(workspace, options.database), "write", async (experiments) => {
    if (options.runs !== undefined) {
      const stored = await experiments.find(options.experiment);
      const runs = await experiments.runNumbers(stored, options.runs, true);
      await experiments.restoreRuns(stored, runs, options.force, now);
      return { experiment: stored.experiment.name, runs };
    }
    const deleted = await experiments.findDeleted(options.experiment);
    if (options.name !== undefined) requireExperimentName(options.name);
    const name = options.name ?? deleted.experiment.name;
    await experiments.restore(deleted, now, name);
    return { experiment: name };
  });
}
