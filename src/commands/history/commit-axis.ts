import { counted } from "../../core/text/plural.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import { isFailure } from "../../core/failures/failure.ts";
import type { CommitLabelStyle } from "../../core/versions/version.ts";
import type { Table } from "../../core/tables/table.ts";
import { rowsOf } from "../../core/tables/table.ts";
import { commitLabels, commitsIn } from "../../query/history/commit-labels.ts";
import { inHistoryOrder } from "../../query/history/history-order.ts";
import type { Output, Query } from "../../query/plan/query.ts";
import { VersionGraph } from "../../query/history/version-graph.ts";
import { restrictsHistory, type History, type CommitSelection } from "./history.ts";

/** Versions of an answer in the order of history. */
export interface CommitAxis {
  /** The oldest first; what the history does not know stands last. */
  readonly order: readonly VersionId[];
  readonly labels: ReadonlyMap<VersionId, string>;
}

export interface OrderedAnswer {
  readonly table: Table;
  readonly axis: CommitAxis;
  /** What the user should know: versions that have no place in the history. */
  readonly notes: readonly string[];
}

/**
 * Brings the versions of an answer into the order of the history of a branch (the head's without one) and names them;
 * no history: only that.
 */
export async function alongHistory(
  history: History | undefined,
  answer: { readonly table: Table; readonly outputs: readonly Output[]; readonly query: Query },
  { branch, style }: { readonly branch: string | undefined; readonly style: CommitLabelStyle },
): Promise<OrderedAnswer> {
  const { order, notes } = history === undefined ? { order: [], notes: [] } : await orderOf(history, branch);
  const table = history === undefined ? answer.table : inHistoryOrder(answer.table, answer.query, order);
  const present = new Set(commitsIn(table, answer.outputs));
  const placed = order.filter((id) => present.delete(id));
  const strangers = [...present].sort();
  const isTold = strangers.length > 0 && notes.length === 0 && history !== undefined;
  const told = isTold
    ? [`${describeCommits(strangers)} not in the history of ${branch ?? "the head"}: behind the others`]
    : notes;
  const ids = [...placed, ...strangers];
  const tags = style === "tag" && history !== undefined ? await history.tags() : new Map<VersionId, string>();
  return {
    table,
    axis: { order: ids, labels: commitLabels(ids, style, history?.graph ?? new VersionGraph(), tags) },
    notes: told,
  };
}

/** Experiments live outside of repositories too: their versions are then in the order of their ids. */
export async function orderOf(
  history: History,
  branch: string | undefined,
): Promise<{ order: VersionId[]; notes: string[] }> {
  try {
    return { order: await history.inOrder(branch), notes: [] };
  } catch (error) {
    if (branch !== undefined || !isFailure(error) || !["not-a-repository", "no-versions-yet"].includes(error.code))
      throw error;
    return { order: [], notes: [`versions are in the order of their ids: ${error.message}`] };
  }
}

/**
 * What is left out by a choice of history without the user having meant it: runs without a version, and of versions
 * elsewhere.
 */
export function skippedRunNotes(counts: Table, choice: CommitSelection, history: History): string[] {
  if (!restrictsHistory(choice)) return [];
  const all = rowsOf(counts);
  const nameless = all.find(([id]) => id === null)?.[1];
  const elsewhere = all.filter(([id]) => id !== null && !history.graph.has(id as VersionId));
  const runs = elsewhere.reduce((sum, [, count]) => sum + Number(count), 0);
  const notes = [];
  if (nameless !== undefined) notes.push(`left out: ${counted(Number(nameless), "run")} without a version`);
  if (runs > 0) {
    const ids = elsewhere.map(([id]) => id as VersionId);
    notes.push(
      `left out: ${counted(runs, "run")}, as ${describeCommits(ids)} not in the history of ${choice.branch ?? "the head"}`,
    );
  }
  return notes;
}

const maxNamed = 3;

function describeCommits(ids: readonly VersionId[]): string {
  const named = ids.slice(0, maxNamed).map((id) => id.slice(0, 8));
  const list = [...named, ...(ids.length > maxNamed ? ["…"] : [])].join(", ");
  return `${counted(ids.length, "version")} (${list}) ${ids.length === 1 ? "is" : "are"}`;
}
