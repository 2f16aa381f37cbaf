import type { VersionId } from "../../core/versions/digest.ts";
import { Failure } from "../../core/failures/failure.ts";
import type { MinorVersion } from "../../core/versions/version.ts";
import type { VersionGraph } from "../../query/history/version-graph.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { History } from "../history/history.ts";

/** Versions one after the other, the good one first and the bad one last. */
export type VersionLine = readonly VersionId[];

/** The history in which a change is looked for. */
export interface BisectHistory {
  readonly line: VersionLine;
  versionOf(id: VersionId): MinorVersion;
  /** What a merge of two brought in, from where that began to the merge itself; null for any other version. */
  insideOf(merge: VersionId): VersionLine | null;
}

/**
 * The versions from `good` to `bad`: of merges the first parents only, as what was merged comes in with the merge.
 * Fails with `unknown-revision` and `bisect-ends`.
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
      reason: good === bad ? "they are the same version" : `${ends.bad} does not come from ${ends.good}`,
    });
  return {
    line: lineBetween(graph, good, bad),
    versionOf: (id) => graph.get(id)!,
    insideOf: (merge) => insideOf(graph, merge),
  };
}

function lineBetween(graph: VersionGraph, good: VersionId, bad: VersionId): VersionLine {
  const before = graph.ancestors(good);
  const after = [...graph.firstParents(bad)].filter((id) => !before.has(id));
  return [good, ...after.reverse()];
}

/** The branch begins at the first parent of its first version that the other side does not have. */
function insideOf(graph: VersionGraph, merge: VersionId): VersionLine | null {
  const [main, side, ...more] = graph.get(merge)?.parents ?? [];
  if (main === undefined || side === undefined || more.length > 0) return null;
  const known = graph.ancestors(main);
  const own = [...graph.firstParents(side)].filter((id) => !known.has(id)).reverse();
  const base = own[0] === undefined ? undefined : graph.get(own[0])?.parents[0];
  return base === undefined || !graph.has(base) ? null : [base, ...own, merge];
}
