import { counted } from "../../core/text/index.ts";
import type { VersionId, CommitLabelStyle } from "../../core/versions/index.ts";
import { isFailure } from "../../core/failures/index.ts";
import { type Table, rowsOf } from "../../core/tables/index.ts";
import { commitLabels, commitsIn, inHistoryOrder, VersionGraph } from "../../query/history/index.ts";
import type { Output, LogicalPlan } from "../../query/plan/index.ts";
import { restrictsHistory, type History, type CommitSelection } from "./history.ts";

/** Commits of a query result in history order. */
export interface CommitAxis {
  /** Oldest first; commits outside of the history last. */
  readonly order: readonly VersionId[];
  readonly labels: ReadonlyMap<VersionId, string>;
}

export interface OrderedAnswer {
  readonly table: Table;
  readonly axis: CommitAxis;
  /** Notes for the user: commits outside of the history. */
  readonly notes: readonly string[];
}

/**
 * Orders the commits of a query result by the history of a branch (default: the head) and labels them; without a
 * history, only labels them.
 */
export async function alongHistory(
  history: History | undefined,
  answer: { readonly table: Table; readonly outputs: readonly Output[]; readonly query: LogicalPlan },
  { branch, style }: { readonly branch: string | undefined; readonly style: CommitLabelStyle },
): Promise<OrderedAnswer> {
  const { order, notes } = history === undefined ? { order: [], notes: [] } : await orderOf(history, branch);
  const table = history === undefined ? answer.table : inHistoryOrder(answer.table, answer.query, order);
  const present = new Set(commitsIn(table, answer.outputs));
  const ordered = order.filter((id) => present.delete(id));
  const outside = [...present].sort();
  const isReported = outside.length > 0 && notes.length === 0 && history !== undefined;
  const reported = isReported
    ? [`${describeCommits(outside)} not in the history of ${branch ?? "the head"}: listed last`]
    : notes;
  const ids = [...ordered, ...outside];
  const tags = style === "tag" && history !== undefined ? await history.tags() : new Map<VersionId, string>();
  return {
    table,
    axis: { order: ids, labels: commitLabels(ids, style, history?.graph ?? new VersionGraph(), tags) },
    notes: reported,
  };
}

/** Commits in history order; empty with a note outside of a repository. */
export async function orderOf(
  history: History,
  branch: string | undefined,
): Promise<{ order: VersionId[]; notes: string[] }> {
  try {
    return { order: await history.inOrder(branch), notes: [] };
  } catch (error) {
    if (branch !== undefined || !isFailure(error) || !["not-a-repository", "no-versions-yet"].includes(error.code))
      throw error;
    return { order: [], notes: [`commits are ordered by id: ${error.message}`] };
  }
}

/** Notes about runs that a history selection skips: runs without a commit, and of commits elsewhere. */
export function skippedRunNotes(counts: Table, choice: CommitSelection, history: History): string[] {
  if (!restrictsHistory(choice)) return [];
  const all = rowsOf(counts);
  const withoutCommit = all.find(([id]) => id === null)?.[1];
  const outside = all.filter(([id]) => id !== null && !history.graph.has(id as VersionId));
  const runs = outside.reduce((sum, [, count]) => sum + Number(count), 0);
  const notes = [];
  if (withoutCommit !== undefined) notes.push(`skipped: ${counted(Number(withoutCommit), "run")} without a commit`);
  if (runs > 0) {
    const ids = outside.map(([id]) => id as VersionId);
    notes.push(
      `skipped: ${counted(runs, "run")}: ${describeCommits(ids)} not in the history of ${choice.branch ?? "the head"}`,
    );
  }
  return notes;
}

const maxNamed = 3;

function describeCommits(ids: readonly VersionId[]): string {
  const named = ids.slice(0, maxNamed).map((id) => id.slice(0, 8));
  const list = [...named, ...(ids.length > maxNamed ? ["…"] : [])].join(", ");
  return `${counted(ids.length, "commit")} (${list}) ${ids.length === 1 ? "is" : "are"}`;
}
