import { Failure } from "../core/errors.ts";
import type { Experiment } from "../core/experiment.ts";
import { printExperiment } from "../formats/experiment-print.ts";
import { compilePattern } from "../formats/pattern.ts";
import type { Values } from "../core/value.ts";
import type { Variable } from "../core/variable.ts";
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
  /** Only these runs. */
  readonly runs?: readonly number[];
  /** The contents of this parameter set, too. */
  readonly parameterSet?: string;
  readonly database?: string;
}

export interface ExperimentInfo {
  /** With the variables asked for. */
  readonly experiment: Experiment;
  readonly allVariables: readonly Variable[];
  readonly runs: readonly RunSummary[];
  /** The description as it can be given to create again. */
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** Names of the parameter sets. */
  readonly parameterSets: readonly string[];
  /** Contents of the parameter set asked for. */
  readonly contents?: Values;
}

/** An experiment as it was described, and its runs with the files they came from. Fails with `unknown-run`, `unknown-parameter-set`. */
export async function infoExperiment(workspace: Workspace, options: InfoOptions): Promise<ExperimentInfo> {
  const wanted = options.variables === undefined ? undefined : compilePattern(options.variables);
  return withExperiments(workspace, experimentHome(workspace, options.database), "read", async (experiments) => {
    const stored = await experiments.find(options.experiment);
    const { experiment } = stored;
    const set = options.parameterSet;
    return {
      experiment: wanted ? { ...experiment, variables: experiment.variables.filter(({ name }) => wanted.test(name)) } : experiment,
      runs: chosen(await experiments.runs(stored, options.deleted), options.runs, experiment.name),
      allVariables: experiment.variables,
      text: printExperiment(experiment),
      attachments: await experiments.attachments(stored),
      parameterSets: await experiments.parameterSets(stored),
      ...(set === undefined ? {} : { contents: await experiments.parameterSet(stored, set) }),
    };
  });
}

function chosen(all: readonly RunSummary[], wanted: readonly number[] | undefined, experiment: string): readonly RunSummary[] {
  const missing = wanted?.find((run) => all.every(({ number }) => number !== run));
  if (missing !== undefined) throw new Failure("unknown-run", { experiment, run: missing });
  return wanted === undefined ? all : all.filter(({ number }) => wanted.includes(number));
}
