import type { VersionId } from "../../core/versions/index.ts";
import { isFailure } from "../../core/failures/index.ts";
import type { Since, Verdict } from "../../core/verdicts/index.ts";
import { Suspects, VersionGraph } from "../../query/history/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { walkBetween } from "../history/index.ts";

/** Commits of the two sides of a comparison; null: unknown or several. */
export interface ComparedVersions {
  readonly before: VersionId | null;
  readonly after: VersionId | null;
}

/**
 * Adds the suspect commits to rows that got worse or better. Adds nothing if a commit is unknown or `before` descends
 * from `after`.
 */
export async function withSuspects<Row extends { readonly verdict: Verdict }>(
  workspace: Workspace,
  rows: readonly Row[],
  versions: ComparedVersions,
): Promise<readonly Row[]> {
  if (rows.every(({ verdict }) => !isChange(verdict))) return rows;
  const since = await sinceOf(workspace, versions);
  if (since === null) return rows;
  return rows.map((row) => (isChange(row.verdict) ? { ...row, verdict: { ...row.verdict, since } } : row));
}

function isChange({ outcome: word }: Verdict): boolean {
  return word === "worse" || word === "better";
}

/** Commit range between two commits. If the repository lacks one of them, `after` is the only suspect. */
export async function sinceOf(workspace: Workspace, { before, after }: ComparedVersions): Promise<Since | null> {
  if (before === null || after === null || before === after) return null;
  try {
    const graph = new VersionGraph();
    await walkBetween(workspace, before, after, graph);
    if (!graph.has(before)) await walkBetween(workspace, after, before, graph);
    if (graph.ancestors(before).has(after)) return null;
    return { before, after, suspects: new Suspects(graph).between(before, after) };
  } catch (error) {
    if (!isFailure(error) || !["unknown-revision", "not-a-repository", "no-versions-yet"].includes(error.code))
      throw error;
    return { before, after, suspects: [after] };
  }
}
