import { printExperiment, printExperimentXml } from "../../formats/descriptions/index.ts";
import { withExperiment } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

interface ShowExperimentOptions {
  readonly experiment: string;
  readonly spelling: "text" | "xml";
  readonly database?: string;
}

/** Description of an experiment, accepted by create. Fails with `unknown-experiment`, `not-in-xml`. */
export async function showExperiment(workspace: Workspace, options: ShowExperimentOptions): Promise<string> {
  const { experiment } = await withExperiment(workspace, options, "read", async (stored) => stored);
  return options.spelling === "xml" ? printExperimentXml(experiment) : printExperiment(experiment);
}
