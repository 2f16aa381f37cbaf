import type { ExperimentFinding } from "../../store/experiments/index.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface CheckExperimentsOptions {
  /** Default: all experiments of the database. */
  readonly experiment?: string;
  /** Repair findings that can be repaired without data loss. */
  readonly fix: boolean;
  readonly database?: string;
}

export interface CheckedExperiments {
  readonly findings: readonly ExperimentFinding[];
  /** Repaired findings. */
  readonly repaired: readonly ExperimentFinding[];
}

/** Checks the consistency of data, catalogue and objects. Fails with `unknown-experiment`. */
export async function checkExperiments(
  workspace: Workspace,
  options: CheckExperimentsOptions,
): Promise<CheckedExperiments> {
  const home = experimentHome(workspace, options.database);
  return withExperiments(workspace, home, options.fix ? "write" : "read", async (experiments) => {
    const stored = options.experiment === undefined ? undefined : await experiments.find(options.experiment);
    const findings = await experiments.check(stored);
    return { findings, repaired: options.fix ? await experiments.repair(findings, workspace.time()) : [] };
  });
}
