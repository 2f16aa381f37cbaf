import { printExperiment, printExperimentXml } from "../../formats/descriptions/index.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

interface ShowExperimentOptions {
  readonly experiment: string;
  readonly spelling: "text" | "xml";
  readonly database?: string;
}

/** Description of an experiment, accepted by create. Fails with `unknown-experiment`, `not-in-xml`. */
export async function showExperiment(workspace: Workspace, options: ShowExperimentOptions): Promise<string> {
  const { experiment } = await withExperiments(
    workspace,
    experimentHome(workspace, options.database),
    "read",
    (experiments) => experiments.find(options.experiment),
  );
  return options.spelling === "xml" ? printExperimentXml(experiment) : printExperiment(experiment);
}
