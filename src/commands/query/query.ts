import type { RunSelection } from "../../core/experiments/query-description.ts";
import { Failure, isFailure } from "../../core/failures/failure.ts";
import { rowsOf, type Table } from "../../core/tables/table.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import type { CommitLabelStyle } from "../../core/versions/version.ts";
import { printQueryText } from "../../formats/descriptions/query-text-print.ts";
import { printQueryXml } from "../../formats/descriptions/query/query-xml-print.ts";
import { describeQuery } from "../../query/description/describe-query.ts";
import { joinVersionColumns } from "../../query/history/commit-columns.ts";
import { commitsIn, labelled } from "../../query/history/commit-labels.ts";
import { holdsCommits, isHistorical } from "../../query/history/history-order.ts";
import { plan, runsByCommit, type Output, type Query, type QuerySpec as PlanOptions } from "../../query/plan/query.ts";
import type { StoredExperiment } from "../../store/catalogue/catalogue.ts";
import type { Experiments } from "../../store/experiments/experiments.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/experiments.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { alongHistory, skippedRunNotes, type CommitAxis } from "../history/commit-axis.ts";
import { History, type CommitSelection } from "../history/history.ts";
import { checkProfileColumns, profileColumns } from "./profile-columns.ts";

export interface QueryOptions extends Omit<PlanOptions, "versions">, CommitSelection {
  readonly experiment: string;
  readonly database?: string;
  /** Statistics of the profiles of each version, as in `time:amount:mean`; the versions have to be asked for too. */
  readonly profiles?: readonly string[];
  /** What stands in place of the ids of versions. */
  readonly commitLabels?: CommitLabelStyle;
}

export interface QueryResult {
  readonly table: Table;
  /** What the columns are, parallel to the table's: which statistic of which variable. */
  readonly outputs: readonly Output[];
  readonly experiment: string;
  /** What the user should know of the answer. */
  readonly notes: readonly string[];
}

/** An answer whose versions are ids. */
export interface VersionedResult extends QueryResult {
  /** The versions among its contents; absent where they are not asked for. */
  readonly axis?: CommitAxis;
}

/**
 * Answers a question to one experiment; versions are in the order of history. Fails with `nothing-selected` when no
 * data set fits, with `unknown-revision`, and with what profiles fail with.
 */
export async function query(workspace: Workspace, options: QueryOptions): Promise<QueryResult> {
  const { axis, ...result } = await versionedQuery(workspace, options);
  if (axis === undefined || (options.commitLabels ?? "id") === "id") return result;
  return { ...result, table: labelled(result.table, result.outputs, axis.labels) };
}

/** `wantsAxis`: the order of versions is needed although rows are not in it. */
export async function versionedQuery(
  workspace: Workspace,
  options: QueryOptions,
  wantsAxis = false,
): Promise<VersionedResult> {
  const { profiles = [], commitLabels = "id", branch } = options;
  checkProfileColumns(profiles);
  const history = new History(workspace);
  const found = await ask(workspace, options, history);
  if (!found.outputs.some(holdsCommits)) {
    if (profiles.length > 0) throw noVersions();
    return found;
  }
  const isNeeded = wantsAxis || isHistorical(found.query) || !["id", "short"].includes(commitLabels);
  const ordered = await alongHistory(isNeeded ? history : undefined, found, { branch, style: commitLabels });
  const versions = commitsIn(ordered.table, found.outputs);
  const joined = profiles.length === 0 ? { columns: [], notes: [] } : profileColumns(workspace, profiles, versions);
  const { table, outputs } = joinVersionColumns({ table: ordered.table, outputs: found.outputs }, joined.columns);
  const notes = [...found.notes, ...ordered.notes, ...joined.notes];
  return { table, outputs, experiment: found.experiment, notes, axis: ordered.axis };
}

export interface Asked extends QueryResult {
  readonly query: Query;
}

/**
 * The answer as the database gives it; where versions are in its order, their history and the limit still have to be
 * heeded.
 */
export async function ask(workspace: Workspace, options: QueryOptions, history: History): Promise<Asked> {
  const { experiment, database } = options;
  const isChosen = [options.commits, options.branch, options.firstParent, options.since, options.until].some(
    (each) => each !== undefined,
  );
  const chosen = isChosen ? await history.chosen(options) : undefined;
  return withExperiments(workspace, experimentHome(workspace, database), "read", async (experiments) => {
    const answer = async (): Promise<Asked> => {
      const stored = await experiments.find(experiment);
      const counts = chosen === undefined ? undefined : await experiments.select(stored, runsByCommit);
      const versions = chosen === undefined || counts === undefined ? {} : { versions: measured(counts, chosen) };
      const query = plan({ ...questionOf(options), ...versions }, stored.experiment);
      const { limit: _, ...whole } = query;
      const table = await experiments.select(stored, isHistorical(query) ? whole : query);
      if (table.length === 0) throw await nothingSelected(experiments, stored);
      const notes = counts === undefined ? [] : skippedRunNotes(counts, options, history);
      return { table, outputs: query.outputs, experiment: stored.experiment.name, notes, query };
    };
    return atOneMomentIfPossible(experiments, answer);
  });
}

/**
 * A statement that a server refuses, as where a variance overflows, ends the moment: it is asked in another way then,
 * by itself.
 */
async function atOneMomentIfPossible<T>(experiments: Experiments, answer: () => Promise<T>): Promise<T> {
  try {
    return await experiments.atOneMoment(answer);
  } catch (error) {
    if (!isFailure(error, "database-refused")) throw error;
    return answer();
  }
}

function questionOf({ results, by, where, statistics, runs, sort, limit }: QueryOptions): PlanOptions {
  const given = Object.entries({ results, by, where, statistics, runs, sort, limit }).filter(
    ([, each]) => each !== undefined,
  );
  return Object.fromEntries(given);
}

/** Of the chosen versions those that runs measured: a history may have more versions than a statement can name. */
function measured(counts: Table, chosen: ReadonlySet<VersionId>): VersionId[] {
  return rowsOf(counts).flatMap(([id]) => (chosen.has(id as VersionId) ? [id as VersionId] : []));
}

async function nothingSelected(experiments: Experiments, stored: StoredExperiment): Promise<Failure> {
  const { length: runs } = await experiments.runs(stored, false);
  return new Failure("nothing-selected", { experiment: stored.experiment.name, runs });
}

function noVersions(): Failure {
  const instead = "ask for them with --by commit, or for the result commit";
  return new Failure("unusable-combination", { what: "profiles belong to versions, and the answer has none", instead });
}

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
      return describeQuery(options, experiment, selectionOf(options));
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
