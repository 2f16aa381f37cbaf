import { Failure, isFailure } from "../../core/failures/index.ts";
import { joinVersionColumns, commitsIn, labelled, holdsCommits, isHistorical } from "../../query/history/index.ts";
import { plan, runsByCommit } from "../../query/plan/index.ts";
import type { Experiments } from "../../store/experiments/index.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { alongHistory, skippedRunNotes, type CommitAxis, History } from "../history/index.ts";
import { checkProfileColumns, profileColumns } from "./profile-columns.ts";
import {
  measuredVersions,
  nothingSelected,
  querySpecOf,
  selectedRuns,
  type QueryOptions,
  type QueryResult,
  type RawResult,
} from "./query-result.ts";

/** A result with commit ids. */
export interface VersionedResult extends QueryResult {
  /** Commits in the result; absent if not requested. */
  readonly axis?: CommitAxis;
}

/**
 * Queries one experiment; commits are in history order. Fails with `nothing-selected` if no row matches,
 * `unknown-revision`, and with failures of profiles.
 */
export async function query(workspace: Workspace, options: QueryOptions): Promise<QueryResult> {
  const { axis, ...result } = await versionedQuery(workspace, options);
  if (axis === undefined || (options.commitLabels ?? "id") === "id") return result;
  return { ...result, table: labelled(result.table, result.outputs, axis.labels) };
}

/** `wantsAxis`: compute the commit order even if rows are unordered. */
export async function versionedQuery(
  workspace: Workspace,
  options: QueryOptions,
  wantsAxis = false,
): Promise<VersionedResult> {
  const { profiles = [], commitLabels = "id", branch } = options;
  checkProfileColumns(profiles);
  const history = new History(workspace);
  const result = await queryRows(workspace, options, history);
  if (!result.outputs.some(holdsCommits)) {
    if (profiles.length > 0) throw noVersions();
    return result;
  }
  const isNeeded = wantsAxis || isHistorical(result.query) || !["id", "short"].includes(commitLabels);
  const ordered = await alongHistory(isNeeded ? history : undefined, result, { branch, style: commitLabels });
  const versions = commitsIn(ordered.table, result.outputs);
  const profileStatistics =
    profiles.length === 0 ? { columns: [], notes: [] } : profileColumns(workspace, profiles, versions);
  const { table, outputs } = joinVersionColumns(
    { table: ordered.table, outputs: result.outputs },
    profileStatistics.columns,
  );
  const notes = [...result.notes, ...ordered.notes, ...profileStatistics.notes];
  const { query: _, ...rest } = result;
  return { ...rest, table, outputs, notes, axis: ordered.axis };
}

/** The database's result. If ordered by commit, history order and the limit are still to be applied. */
export async function queryRows(workspace: Workspace, options: QueryOptions, history: History): Promise<RawResult> {
  const { experiment, database, join } = options;
  if (join !== undefined) return (await import("./join-query.ts")).joinedRows(workspace, { ...options, join }, history);
  const isChosen = [options.commits, options.branch, options.firstParent, options.since, options.until].some(
    (each) => each !== undefined,
  );
  const chosen = isChosen ? await history.select(options) : undefined;
  return withExperiments(workspace, experimentHome(workspace, database), "read", async (experiments) => {
    const answer = async (): Promise<RawResult> => {
      const stored = await experiments.find(experiment);
      const counts = chosen === undefined ? undefined : await experiments.select(stored, runsByCommit);
      const versions =
        chosen === undefined || counts === undefined ? {} : { versions: measuredVersions(counts, chosen) };
      const runs = await selectedRuns(experiments, stored, options);
      const query = plan({ ...querySpecOf(options), ...versions, ...runs }, stored.experiment);
      const { limit: _, ...unlimited } = query;
      const table = await experiments.select(stored, isHistorical(query) ? unlimited : query);
      if (table.length === 0) throw await nothingSelected(experiments, stored);
      const notes = counts === undefined ? [] : skippedRunNotes(counts, options, history);
      return { table, outputs: query.outputs, experiment: stored.experiment.name, notes, query };
    };
    return fromSnapshotIfPossible(experiments, answer);
  });
}

/** A statement refused by a server (e.g. variance overflow) ends the snapshot: it is retried alone in another form. */
async function fromSnapshotIfPossible<T>(experiments: Experiments, answer: () => Promise<T>): Promise<T> {
  try {
    return await experiments.inSnapshot(answer);
  } catch (error) {
    if (!isFailure(error, "database-refused")) throw error;
    return answer();
  }
}

function noVersions(): Failure {
  const instead = "ask for them with --by commit, or for the result commit";
  return new Failure("unusable-combination", { what: "profiles belong to commits, and the result has none", instead });
}
