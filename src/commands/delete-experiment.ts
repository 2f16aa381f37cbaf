import { experimentHome, withExperiments } from "../workspace/experiments.ts";
import type { Workspace } from "../workspace/workspace.ts";

export interface DeleteOptions {
  readonly experiment: string;
  /** Only this run; the whole experiment when absent. */
  readonly run?: number;
  readonly database?: string;
}

export interface Deleted {
  /** In the spelling of its description. */
  readonly experiment: string;
  readonly run?: number;
}

/** Removes an experiment with all its runs, or hides one run; asking whether that is meant is up to the caller. */
export async function deleteExperiment(workspace: Workspace, options: DeleteOptions): Promise<Deleted> {
  const { run } = options;
  return withExperiments(workspace, experimentHome(workspace, options.database), "write", async (experiments) => {
    const stored = await experiments.find(options.experiment);
    const { name } = stored.experiment;
    if (run === undefined) await experiments.remove(stored, workspace.world.now() * 1000);
    else await experiments.removeRuns(stored, [run], workspace.world.now() * 1000);
    return run === undefined ? { experiment: name } : { experiment: name, run };
  });
}
