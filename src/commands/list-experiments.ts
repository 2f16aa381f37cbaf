import { isFailure } from "../core/errors.ts";
import type { ExperimentSummary } from "../store/experiment-lists.ts";
import { experimentHome, withExperiments } from "../workspace/experiments.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** All experiments in order of name; none where there is no database yet. */
export async function listExperiments(
  workspace: Workspace,
  options: { readonly database?: string },
): Promise<readonly ExperimentSummary[]> {
  try {
    return await withExperiments(workspace, experimentHome(workspace, options.database), "read", (experiments) => experiments.list());
  } catch (error) {
    if (isFailure(error, "no-database") && options.database === undefined) return [];
    throw error;
  }
}
