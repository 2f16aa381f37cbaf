import { isFailure } from "../../core/failures/index.ts";
import type { Experiment } from "../../core/experiments/index.ts";
import type { ExperimentSummary } from "../../store/catalogue/index.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** All experiments by name; empty without a database. */
export async function listExperiments(
  workspace: Workspace,
  options: { readonly database?: string },
): Promise<readonly ExperimentSummary[]> {
  return emptyWithoutDatabase(options, () =>
    withExperiments(workspace, experimentHome(workspace, options.database), "read", (experiments) =>
      experiments.list(),
    ),
  );
}

export interface DescribedExperiment {
  readonly experiment: Experiment;
  /** Increases with each created experiment. */
  readonly id: number;
  /** Creator, if known. */
  readonly owner?: string;
  /** Number of active runs. */
  readonly runs: number;
}

/** All experiments with their descriptions, by name; empty without a database. */
export async function describeExperiments(
  workspace: Workspace,
  options: { readonly database?: string },
): Promise<readonly DescribedExperiment[]> {
  return emptyWithoutDatabase(options, () =>
    withExperiments(workspace, experimentHome(workspace, options.database), "read", async (experiments) => {
      const described: DescribedExperiment[] = [];
      for (const { name, runs } of await experiments.list())
        described.push({ ...(await experiments.find(name)), runs });
      return described;
    }),
  );
}

/** Treats a missing default database as empty. */
async function emptyWithoutDatabase<T>(
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
