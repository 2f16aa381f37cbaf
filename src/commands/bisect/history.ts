import type { VersionId, MinorVersion } from "../../core/versions/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { candidatesBetween, lineBetween, type VersionLine } from "../../query/bisect/index.ts";
import type { VersionGraph } from "../../query/history/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { History } from "../history/index.ts";

/** The searched history. */
export interface BisectHistory {
  readonly graph: VersionGraph;
  /** First-parent history from good to bad. */
  readonly line: VersionLine;
  /** Number of commits that may have made the change, merged ones included. */
  readonly candidates: number;
  versionOf(id: VersionId): MinorVersion;
}

/** Reads the history between two revisions. Fails with `unknown-revision` and `bisect-ends`. */
export async function bisectHistory(
  workspace: Workspace,
  ends: { readonly good: string; readonly bad: string },
): Promise<BisectHistory> {
  const history = new History(workspace);
  const [good, bad] = [await history.resolve(ends.good), await history.resolve(ends.bad)];
  await history.inOrder(bad);
  const { graph } = history;
  if (good === bad || !graph.ancestors(bad).has(good))
    throw new Failure("bisect-ends", {
      ...ends,
      reason: good === bad ? "they are the same commit" : `${ends.bad} does not descend from ${ends.good}`,
    });
  return {
    graph,
    line: lineBetween(graph, good, bad),
    candidates: candidatesBetween(graph, good, bad).length,
    versionOf: (id) => graph.get(id)!,
  };
}
