import { isFailure } from "../../core/failures/failure.ts";
import type { Experiment } from "../../core/experiments/experiment.ts";
import type { ExperimentSummary } from "../../store/catalogue/experiment-lists.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/experiments.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** All experiments in order of name; none where there is no database yet. */
export async function listExperiments(
  workspace: Workspace,
  options: { readonly database?: string },
): Promise<readonly ExperimentSummary[]> {
  return unlessNone(options, () =>
    withExperiments(workspace, experimentHome(workspace, options.database), "read", (experiments) =>
      experiments.list(),
    ),
  );
}

export interface DescribedExperiment {
  readonly experiment: Experiment;
  /** Grows with each experiment that is created. */
  readonly id: number;
  /** Who created it, where that is known. */
  readonly owner?: string;
  /** Active runs. */
  readonly runs: number;
}

/** All experiments with their descriptions, in order of name; none where there is no database yet. */
export async function describeExperiments(
  workspace: Workspace,
  options: { readonly database?: string },
): Promise<readonly DescribedExperiment[]> {
  return unlessNone(options, () =>
    withExperiments(workspace, experimentHome(workspace, options.database), "read", async (experiments) => {
      const described: DescribedExperiment[] = [];
      for (const { name, runs } of await experiments.list())
        described.push({ ...(await experiments.find(name)), runs });
      return described;
    }),
  );
}

/** Where no database was named, that there is none is no failure. */
async function unlessNone<T>(
  options: { readonly database?: string },
  work: () => Promise<readonly T[]>,
): Promise<readonly T[]> {
  try {
    return await work();
  } catch (error) {
    if (isFailure(error, "no-database") && options.database === undefined) return [];
    throw error;
  }
}
