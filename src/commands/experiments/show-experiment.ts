import { printExperiment } from "../../formats/descriptions/experiment/experiment-print.ts";
import { printExperimentXml } from "../../formats/descriptions/experiment/experiment-xml-print.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/experiments.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface ShowExperimentOptions {
  readonly experiment: string;
  readonly spelling: "text" | "xml";
  readonly database?: string;
}

/**
 * The description of an experiment, which create makes the same experiment of. Fails with `unknown-experiment`,
 * `not-in-xml`.
 */
export async function showExperiment(workspace: Workspace, options: ShowExperimentOptions): Promise<string> {
  const { experiment } = await withExperiments(
    workspace,
    experimentHome(workspace, options.database),
    "read",
    (experiments) => experiments.find(options.experiment),
  );
  return options.spelling === "xml" ? printExperimentXml(experiment) : printExperiment(experiment);
}
