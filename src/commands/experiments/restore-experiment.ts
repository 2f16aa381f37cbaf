import { requireExperimentName } from "../../core/experiments/index.ts";
import type { RestoredExperiment } from "../../store/dump/index.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface RestoreExperimentOptions {
  /** Path of the dump. */
  readonly from: string;
  /** Default: the original name. */
  readonly as?: string;
  readonly database?: string;
}

/**
 * Restores the experiment of a dump: same values, same run numbers, owned by the caller. All or nothing. Fails with
 * `unreadable-file`, `dump-damaged`, `dump-newer`, `experiment-exists`, `bad-name`.
 */
export async function restoreExperiment(
  workspace: Workspace,
  options: RestoreExperimentOptions,
): Promise<RestoredExperiment> {
  const { from, as } = options;
  if (as !== undefined) requireExperimentName(as);
  const owner = workspace.world.environment["USER"] || undefined;
  return withExperiments(workspace, experimentHome(workspace, options.database), "write", (experiments) =>
    experiments.restoreDump({
      from: workspace.files.resolve(from),
      ...(as === undefined ? {} : { as }),
      ...(owner === undefined ? {} : { owner }),
    }),
  );
}
