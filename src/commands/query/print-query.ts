import { printQueryText } from "../../formats/descriptions/query-text-print.ts";
import { printQueryXml } from "../../formats/descriptions/query/query-xml-print.ts";
import type { RunSelection } from "../../core/experiments/query-description.ts";
import { describeQuestion } from "../../query/description/describe-question.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/experiments.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { QueryOptions } from "./query.ts";

/** A question as a query that can be kept, in one of the two spellings. Fails with what the question fails with. */
export async function questionText(
  workspace: Workspace,
  options: QueryOptions,
  spelling: "text" | "xml",
): Promise<string> {
  const query = await withExperiments(
    workspace,
    experimentHome(workspace, options.database),
    "read",
    async (experiments) => {
      const { experiment } = await experiments.find(options.experiment);
      return describeQuestion(options, experiment, selectionOf(options));
    },
  );
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
