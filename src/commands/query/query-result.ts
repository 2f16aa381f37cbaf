import type { JoinSpec, RunName } from "../../core/experiments/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { rowsOf, type Table } from "../../core/tables/index.ts";
import type { CommitLabelStyle, VersionId } from "../../core/versions/index.ts";
import type { JoinReport } from "../../query/join/index.ts";
import type { Output, LogicalPlan, QuerySpec } from "../../query/plan/index.ts";
import type { StoredExperiment } from "../../store/catalogue/index.ts";
import type { Experiments } from "../../store/experiments/index.ts";
import type { CommitSelection } from "../history/index.ts";

export interface QueryOptions extends Omit<QuerySpec, "versions" | "runs">, CommitSelection {
  readonly experiment: string;
  /** Only these runs. */
  readonly runs?: readonly RunName[];
  readonly database?: string;
  /** Profile statistics per commit, such as `time:amount:mean`; the result must include commits. */
  readonly profiles?: readonly string[];
  /** A second experiment, whose rows are joined. */
  readonly join?: JoinSpec;
  /** Labels to show instead of commit ids. */
  readonly commitLabels?: CommitLabelStyle;
}

export interface QueryResult {
  readonly table: Table;
  /** Statistic and variable of each table column. */
  readonly outputs: readonly Output[];
  readonly experiment: string;
  /** Notes for the user. */
  readonly notes: readonly string[];
  /** Keys and partners, if two experiments are joined. */
  readonly join?: JoinReport;
  /** Names of columns without their statistic, by all names (in lower case) that a query of two experiments accepts. */
  readonly aliases?: ReadonlyMap<string, string>;
}

export interface RawResult extends QueryResult {
  readonly query: LogicalPlan;
}

/** The numbers of the selected runs. Fails with `unknown-run`, `ambiguous-label`. */
export async function selectedRuns(
  experiments: Experiments,
  stored: StoredExperiment,
  { runs }: Pick<QueryOptions, "runs">,
): Promise<Pick<QuerySpec, "runs">> {
  return runs === undefined ? {} : { runs: await experiments.runNumbers(stored, runs) };
}

/** The members of a query that its plan needs, except the runs; see `selectedRuns`. */
export function querySpecOf({ results, by, where, statistics, sort, limit }: QueryOptions): QuerySpec {
  const given = Object.entries({ results, by, where, statistics, sort, limit }).filter(
    ([, each]) => each !== undefined,
  );
  return Object.fromEntries(given);
}

/** Selected commits that have runs: a history may have more commits than a statement can list. */
export function measuredVersions(counts: Table, chosen: ReadonlySet<VersionId>): VersionId[] {
  return rowsOf(counts).flatMap(([id]) => (chosen.has(id as VersionId) ? [id as VersionId] : []));
}

/** The failure of a query without rows. */
export async function nothingSelected(experiments: Experiments, stored: StoredExperiment): Promise<Failure> {
  const { length: runs } = await experiments.runs(stored, false);
  return new Failure("nothing-selected", { experiment: stored.experiment.name, runs });
}
