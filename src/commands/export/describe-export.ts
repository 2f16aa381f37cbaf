import { asciiInput } from "../../formats/descriptions/input/ascii-input.ts";
import { printInput } from "../../formats/descriptions/input/input-print.ts";
import { runQueries } from "../../query/export/export-queries.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/experiments.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { ExportOptions } from "./export.ts";

/**
 * The input description that reads what the same export to ascii writes. Fails with `unknown-experiment`,
 * `unknown-variable`, `bad-condition`.
 */
export async function describeExport(workspace: Workspace, options: ExportOptions): Promise<string> {
  return withExperiments(workspace, experimentHome(workspace, options.database), "read", async (experiments) => {
    const { experiment } = await experiments.find(options.experiment);
    const { once, rows } = runQueries(options, experiment);
    const sources = (query: typeof once | undefined) =>
      (query?.outputs ?? []).slice(1).flatMap(({ source }) => source ?? []);
    return printInput(asciiInput(experiment, sources(once), sources(rows)));
  });
}
