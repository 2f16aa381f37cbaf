import type { Experiment } from "../core/experiment.ts";
import { printExperiment } from "../formats/experiment-print.ts";
import { compilePattern } from "../formats/pattern.ts";
import type { Values } from "../core/value.ts";
import type { Attachment } from "../store/attachments.ts";
import type { RunSummary } from "../store/experiment-lists.ts";
import { experimentHome, withExperiments } from "../workspace/experiments.ts";
import type { Workspace } from "../workspace/workspace.ts";

export interface InfoOptions {
  readonly experiment: string;
  /** Also runs that were deleted. */
  readonly deleted: boolean;
  /** Only variables whose names this pattern finds. */
  readonly variables?: string;
  /** The contents of this parameter set, too. */
  readonly parameterSet?: string;
  readonly database?: string;
}

export interface ExperimentInfo {
  readonly experiment: Experiment;
  readonly runs: readonly RunSummary[];
  /** The description as it can be given to create again. */
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** Names of the parameter sets. */
  readonly parameterSets: readonly string[];
  /** Contents of the parameter set asked for. */
  readonly contents?: Values;
}

/** An experiment as it was described, and its runs with the files they came from. */
export async function infoExperiment(workspace: Workspace, options: InfoOptions): Promise<ExperimentInfo> {
  const wanted = options.variables === undefined ? undefined : compilePattern(options.variables);
  return withExperiments(workspace, experimentHome(workspace, options.database), "read", async (experiments) => {
    const stored = await experiments.find(options.experiment);
    const { experiment } = stored;
    const set = options.parameterSet;
    return {
      experiment: wanted ? { ...experiment, variables: experiment.variables.filter(({ name }) => wanted.test(name)) } : experiment,
      runs: await experiments.runs(stored, options.deleted),
      text: printExperiment(experiment),
      attachments: await experiments.attachments(stored),
      parameterSets: await experiments.parameterSets(stored),
      ...(set === undefined ? {} : { contents: await experiments.parameterSet(stored, set) }),
    };
  });
}
