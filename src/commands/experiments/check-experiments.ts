import type { ExperimentFinding } from "../../store/experiments/check-experiments.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/experiments.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface CheckExperimentsOptions {
  /** Only this one; all of the database when absent. */
  readonly experiment?: string;
  /** Mend what can be mended without losing contents. */
  readonly fix: boolean;
  readonly database?: string;
}

export interface CheckedExperiments {
  readonly findings: readonly ExperimentFinding[];
  /** Those of them that were mended. */
  readonly mended: readonly ExperimentFinding[];
}

/** Whether data, catalogue and kept objects fit together. Fails with `unknown-experiment`. */
export async function checkExperiments(
  workspace: Workspace,
  options: CheckExperimentsOptions,
): Promise<CheckedExperiments> {
  const home = experimentHome(workspace, options.database);
  return withExperiments(workspace, home, options.fix ? "write" : "read", async (experiments) => {
    const stored = options.experiment === undefined ? undefined : await experiments.find(options.experiment);
    const findings = await experiments.check(stored);
    return { findings, mended: options.fix ? await experiments.repair(findings, workspace.world.now() * 1000) : [] };
  });
}
