import type { RunSelection } from "../../core/experiments/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { printQueryText, printQueryXml } from "../../formats/descriptions/index.ts";
import { describeQuery } from "../../query/description/index.ts";
import { withExperiment } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { selectedRuns, type QueryOptions } from "./query-result.ts";

/** The query as a description, as text or XML. Fails like the query. */
export async function queryText(
  workspace: Workspace,
  options: QueryOptions,
  spelling: "text" | "xml",
): Promise<string> {
  if (options.join !== undefined)
    throw new Failure("unusable-combination", {
      what: "--print with --join: a description has the rows of one experiment",
      instead: "use --explain",
    });
  const query = await withExperiment(workspace, options, "read", async (stored, experiments) => {
    const { runs: _, ...question } = options;
    const runs = await selectedRuns(experiments, stored, options);
    return describeQuery({ ...question, ...runs }, stored.experiment, selectionOf(options));
  });
  return spelling === "xml" ? printQueryXml(query) : printQueryText(query);
}

function selectionOf({ commits, branch, firstParent, since, until }: QueryOptions): Omit<RunSelection, "id" | "index"> {
  return {
    ...(commits === undefined ? {} : { commit: commits }),
    ...(branch === undefined ? {} : { branch }),
    ...(firstParent === undefined ? {} : { firstParent }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  };
}
