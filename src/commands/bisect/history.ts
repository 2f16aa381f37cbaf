import type { VersionId, MinorVersion } from "../../core/versions/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { VersionGraph } from "../../query/history/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { History } from "../history/index.ts";

/** A line of commits, from good to bad. */
export type VersionLine = readonly VersionId[];

/** The searched history. */
export interface BisectHistory {
  readonly line: VersionLine;
  versionOf(id: VersionId): MinorVersion;
  /** Commits that a two-parent merge brought in, from the branch point to the merge; null for other commits. */
  linesInsideMerge(merge: VersionId): VersionLine | null;
}

/**
 * First-parent history from `good` to `bad`: merged commits are attributed to their merge. Fails with
 * `unknown-revision` and `bisect-ends`.
 */
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
    line: lineBetween(graph, good, bad),
    versionOf: (id) => graph.get(id)!,
    linesInsideMerge: (merge) => insideOf(graph, merge),
  };
}

function lineBetween(graph: VersionGraph, good: VersionId, bad: VersionId): VersionLine {
  const before = graph.ancestors(good);
  const after = [...graph.firstParents(bad)].filter((id) => !before.has(id));
  return [good, ...after.reverse()];
}

/** The branch point is the first parent of the first commit that only the branch has. */
function insideOf(graph: VersionGraph, merge: VersionId): VersionLine | null {
  const [main, side, ...more] = graph.get(merge)?.parents ?? [];
  if (main === undefined || side === undefined || more.length > 0) return null;
  const known = graph.ancestors(main);
  const own = [...graph.firstParents(side)].filter((id) => !known.has(id)).reverse();
  const base = own[0] === undefined ? undefined : graph.get(own[0])?.parents[0];
  return base === undefined || !graph.has(base) ? null : [base, ...own, merge];
}
