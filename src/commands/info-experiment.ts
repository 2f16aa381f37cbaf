import type { Experiment } from "../core/experiment.ts";
import { printExperiment } from "../formats/experiment-print.ts";
import type { RunSummary } from "../store/experiment-lists.ts";
import { experimentHome, withExperiments } from "../workspace/experiments.ts";
import type { Workspace } from "../workspace/workspace.ts";

export interface InfoOptions {
  readonly experiment: string;
  /** Also runs that were deleted. */
  readonly deleted: boolean;
  readonly database?: string;
}

export interface ExperimentInfo {
  readonly experiment: Experiment;
  readonly runs: readonly RunSummary[];
  /** The description as it can be given to create again. */
  readonly text: string;
}

/** An experiment as it was described, and its runs with the files they came from. */
export async function infoExperiment(workspace: Workspace, options: InfoOptions): Promise<ExperimentInfo> {
  return withExperiments(workspace, experimentHome(workspace, options.database), "read", async (experiments) => {
    const stored = await experiments.find(options.experiment);
    return {
      experiment: stored.experiment,
      runs: await experiments.runs(stored, options.deleted),
      text: printExperiment(stored.experiment),
    };
  });
}
