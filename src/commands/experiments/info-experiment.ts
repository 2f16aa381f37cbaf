import { Failure } from "../../core/failures/failure.ts";
import type { Experiment } from "../../core/experiments/experiment.ts";
import { printExperiment } from "../../formats/descriptions/experiment/experiment-print.ts";
import { compilePattern } from "../../formats/text/pattern.ts";
import type { Table } from "../../core/tables/table.ts";
import type { Values } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { Attachment } from "../../store/catalogue/attachments.ts";
import type { RunSummary } from "../../store/catalogue/experiment-lists.ts";
import type { Experiments } from "../../store/experiments/experiments.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/experiments.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { runContents, type ContentKind, type RunContents } from "./run-values.ts";
import { countsOf, rangesOf, type ValueRange } from "./value-ranges.ts";

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
  /** Contents of the runs, too; for chosen ones. */
  readonly data?: ContentKind;
  /** Names of variables whose range is asked for. */
  readonly ranges?: readonly string[];
  /** Count the contents of results per set of contents of these parameters; none: of all. */
  readonly countsBy?: readonly string[];
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
  /** Parallel to the runs. */
  readonly data?: readonly RunContents[];
  readonly ranges?: readonly ValueRange[];
  /** A row per parameter set; parameters first. */
  readonly counts?: Table;
}

/**
 * An experiment as it was described, and its runs with the files they came from. Fails with `unknown-run`,
 * `unknown-parameter-set`.
 */
export async function infoExperiment(workspace: Workspace, options: InfoOptions): Promise<ExperimentInfo> {
  const wanted = options.variables === undefined ? undefined : compilePattern(options.variables);
  return withExperiments(workspace, experimentHome(workspace, options.database), "read", async (experiments) => {
    const stored = await experiments.find(options.experiment);
    const { experiment } = stored;
    const set = options.parameterSet;
    const variables = experiment.variables.filter(({ name }) => wanted?.test(name) ?? true);
    const runs = chosen(await experiments.runs(stored, options.deleted), options.runs, experiment.name);
    return {
      experiment: { ...experiment, variables },
      runs,
      allVariables: experiment.variables,
      text: printExperiment(experiment),
      attachments: await experiments.attachments(stored),
      parameterSets: await experiments.parameterSets(stored),
      ...(set === undefined ? {} : { contents: await experiments.parameterSet(stored, set) }),
      ...(await surveyed(
        experiments,
        stored,
        { ...options, variables },
        runs.map(({ number }) => number),
      )),
    };
  });
}

type Stored = Awaited<ReturnType<Experiments["find"]>>;

/** What of the contents themselves was asked for. */
async function surveyed(
  experiments: Experiments,
  stored: Stored,
  {
    data,
    ranges,
    countsBy,
    runs: wanted,
    deleted,
    variables,
  }: Omit<InfoOptions, "variables"> & { readonly variables: readonly Variable[] },
  runs: readonly number[],
): Promise<Pick<ExperimentInfo, "data" | "ranges" | "counts">> {
  const only = { deleted, ...(wanted === undefined ? {} : { runs }) };
  return {
    ...(data === undefined ? {} : { data: await runContents(experiments, stored, runs, variables, data) }),
    ...(ranges === undefined ? {} : { ranges: await rangesOf(experiments, stored, ranges, only) }),
    ...(countsBy === undefined ? {} : { counts: await countsOf(experiments, stored, countsBy, only) }),
  };
}

function chosen(
  all: readonly RunSummary[],
  wanted: readonly number[] | undefined,
  experiment: string,
): readonly RunSummary[] {
  const missing = wanted?.find((run) => all.every(({ number }) => number !== run));
  if (missing !== undefined) throw new Failure("unknown-run", { experiment, run: missing });
  return wanted === undefined ? all : all.filter(({ number }) => wanted.includes(number));
}
