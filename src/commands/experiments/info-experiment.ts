import { Failure, isFailure } from "../../core/failures/index.ts";
import type { Experiment, RunName } from "../../core/experiments/index.ts";
import { printExperiment } from "../../formats/descriptions/index.ts";
import { compilePattern } from "../../formats/text/index.ts";
import type { Table } from "../../core/tables/index.ts";
import type { Values } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Attachment, RunSummary } from "../../store/catalogue/index.ts";
import type { Experiments } from "../../store/experiments/index.ts";
import { withExperiment } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { runValues, type ValueKind, type RunValues } from "./run-values.ts";
import { countsOf, rangesOf, setsOf, type ParameterSets, type ValueRange } from "./value-ranges.ts";

export interface InfoOptions {
  readonly experiment: string;
  /** Include deleted runs. */
  readonly deleted: boolean;
  /** Only variables whose names match this pattern. */
  readonly variables?: string;
  /** Only these runs. */
  readonly runs?: readonly RunName[];
  /** Include the values of this parameter set. */
  readonly parameterSet?: string;
  /** Include values of the runs. */
  readonly data?: ValueKind;
  /** Variables to report ranges for. */
  readonly ranges?: readonly string[];
  /** Count result values per combination of these parameters; empty: of all. */
  readonly countsBy?: readonly string[];
  /** Statistics of numeric results per combination of these parameters; empty: of all. */
  readonly setsBy?: readonly string[];
  /** Include ranges of all variables, and statistics per parameter set. */
  readonly summary?: boolean;
  readonly database?: string;
}

export interface ExperimentInfo {
  /** With the selected variables. */
  readonly experiment: Experiment;
  readonly allVariables: readonly Variable[];
  readonly runs: readonly RunSummary[];
  /** Description text, accepted by create. */
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** Names of the parameter sets. */
  readonly parameterSets: readonly string[];
  /** Values of the requested parameter set. */
  readonly setValues?: Values;
  /** Parallel to the runs. */
  readonly data?: readonly RunValues[];
  readonly ranges?: readonly ValueRange[];
  /** One row per parameter set; parameters first. */
  readonly counts?: Table;
  readonly sets?: ParameterSets;
}

/**
 * Description of an experiment, and its runs with their input files. Fails with `unknown-run`, `unknown-parameter-set`.
 */
export async function infoExperiment(workspace: Workspace, options: InfoOptions): Promise<ExperimentInfo> {
  const { runs: _, ...rest } = options;
  const wanted = options.variables === undefined ? undefined : compilePattern(options.variables);
  return withExperiment(workspace, options, "read", async (stored, experiments) => {
    const { experiment } = stored;
    const set = options.parameterSet;
    const variables = experiment.variables.filter(({ name }) => wanted?.test(name) ?? true);
    const named = await selected(experiments, stored, options);
    const runs = chosen(await experiments.runs(stored, options.deleted), named, experiment.name);
    return {
      experiment: { ...experiment, variables },
      runs,
      allVariables: experiment.variables,
      text: printExperiment(experiment),
      attachments: await experiments.attachments(stored),
      parameterSets: await experiments.parameterSets(stored),
      ...(set === undefined ? {} : { setValues: await experiments.parameterSet(stored, set) }),
      ...(await survey(
        experiments,
        stored,
        { ...summaryOptions(options, experiment), ...rest, ...(named === undefined ? {} : { runs: named }), variables },
        runs.map(({ number }) => number),
      )),
    };
  });
}

type Stored = Awaited<ReturnType<Experiments["find"]>>;

/** What a summary adds to the options. */
function summaryOptions(
  { summary = false }: InfoOptions,
  { variables }: Experiment,
): Pick<InfoOptions, "ranges" | "setsBy"> {
  return summary ? { ranges: variables.map(({ name }) => name), setsBy: [] } : {};
}

/** The numbers of the requested runs; labels are those of active runs, else of deleted ones on request. */
async function selected(
  experiments: Experiments,
  stored: Stored,
  { runs, deleted }: Pick<InfoOptions, "runs" | "deleted">,
): Promise<readonly number[] | undefined> {
  if (runs === undefined) return undefined;
  try {
    return await experiments.runNumbers(stored, runs);
  } catch (error) {
    if (!deleted || !isFailure(error, "unknown-run")) throw error;
    return experiments.runNumbers(stored, runs, true);
  }
}

/** The requested values, ranges and counts. */
async function survey(
  experiments: Experiments,
  stored: Stored,
  {
    data,
    ranges,
    countsBy,
    setsBy,
    runs: wanted,
    deleted,
    variables,
  }: Omit<InfoOptions, "variables" | "runs"> & {
    readonly variables: readonly Variable[];
    readonly runs?: readonly number[];
  },
  runs: readonly number[],
): Promise<Pick<ExperimentInfo, "data" | "ranges" | "counts" | "sets">> {
  const only = { deleted, ...(wanted === undefined ? {} : { runs }) };
  return {
    ...(data === undefined ? {} : { data: await runValues(experiments, stored, runs, variables, data) }),
    ...(ranges === undefined ? {} : { ranges: await rangesOf(experiments, stored, ranges, only) }),
    ...(countsBy === undefined ? {} : { counts: await countsOf(experiments, stored, countsBy, only) }),
    ...(setsBy === undefined ? {} : { sets: await setsOf(experiments, stored, setsBy, only) }),
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
