import type { Direction, Series } from "../../core/measurements/series.ts";
import type { ListedProfile } from "../../core/profiles/listed-profile.ts";
import { rowsOf, type Table } from "../../core/tables/table.ts";
import { counted } from "../../core/text/plural.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import { compilePattern } from "../../formats/text/pattern.ts";
import { findVariable } from "../../query/plan/query.ts";
import { isReplicateIndex } from "../../query/plan/replicate-index.ts";
import { cellNumbers } from "../../query/series/cell-codes.ts";
import { addExperiment, type ExperimentColumns } from "../../query/series/experiment-points.ts";
import type { SkippedRows, RunVersions } from "../../query/series/measurements.ts";
import { addBlock, namesIn } from "../../query/series/sample-block.ts";
import { SeriesBuilder } from "../../query/series/series-builder.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/experiments.ts";
import { VersionLookup } from "../../workspace/profiles/version-lookup.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { orderOf } from "../history/commit-axis.ts";
import { History } from "../history/history.ts";
import { ask, type QueryOptions } from "./query.ts";
import { sampleBlocks } from "./sample-blocks.ts";

/** Which part of history. */
export interface SeriesRange {
  /** `A..B`: what `B` has and `A` has not; a revision: it alone. Absent: everything. */
  readonly range?: string;
  /** The end of history, where the range does not name one; absent: the head. */
  readonly tip?: string;
  /** A day or time: only what was committed then or later. */
  readonly since?: string;
  /** Every version in an order in which parents come first; else the first parents only. */
  readonly allParents: boolean;
}

/** Versions that series go along. */
export interface SeriesAxis {
  /** The oldest first; empty outside of a repository. */
  readonly order: readonly VersionId[];
  readonly history: History;
  /** What counts; null: everything. */
  readonly counting: ReadonlySet<VersionId> | null;
  readonly notes: readonly string[];
}

/** Fails with `unknown-revision`, `bad-option`. */
export async function seriesAxis(
  workspace: Workspace,
  { range, tip, since, allParents }: SeriesRange,
): Promise<SeriesAxis> {
  const history = new History(workspace);
  const head = headOf(range) ?? tip;
  const { order: all, notes } = await orderOf(history, head);
  const newest = all.at(-1);
  const order = allParents || newest === undefined ? all : [...history.graph.firstParents(newest)].reverse();
  if (range === undefined && since === undefined) return { order, history, counting: null, notes };
  const counting = await history.chosen({
    ...(range === undefined ? {} : { commits: [range] }),
    ...(since === undefined ? {} : { since, ...(head === undefined ? {} : { branch: head }) }),
  });
  return { order, history, counting, notes };
}

/** The end of a range; undefined: the head. */
function headOf(range: string | undefined): string | undefined {
  const end = range === undefined ? "" : (/^.*?\.\.(.*)$/.exec(range)?.[1] ?? range);
  return end === "" ? undefined : end;
}

export interface ProfileFilter {
  readonly collector?: string;
  readonly cmd?: string;
  /** A pattern that is to be found in locations. */
  readonly location?: string;
  readonly better?: Direction;
  /** Every profile is a point of its own, those of the same version, too. */
  readonly apart?: boolean;
}

export interface BuiltSeries {
  readonly series: readonly Series[];
  readonly notes: readonly string[];
}

/**
 * A series for each configuration, location, generated workload and metric of the profiles along the axis. `program`:
 * the version of the program, whose numbers of profiles that were read before are kept; absent: all are read. Fails
 * with `pattern-error`, `index-damaged`.
 */
export function profileSeries(
  workspace: Workspace,
  { order }: SeriesAxis,
  filter: ProfileFilter,
  program?: string,
): BuiltSeries {
  const builder = new SeriesBuilder(filter.apart);
  const stored = new VersionLookup(workspace);
  const pattern = filter.location === undefined ? undefined : compilePattern(filter.location);
  const visits = order.flatMap((version) =>
    wanted(stored.profiles(version), filter).map((profile) => ({ version, profile })),
  );
  const isWanted = (location: string): boolean => pattern === undefined || pattern.test(location);
  const blocks = sampleBlocks(workspace, visits, program);
  const names = namesIn(blocks);
  let from = 0;
  for (const block of blocks) {
    const to = from + block.machines.length;
    const own = visits.slice(from, to);
    const origins = {
      origins: own.map(({ version }, at) => ({ version, machine: block.machines[at] ?? null })),
      evidence: own.map(({ profile }) => profile.object),
    };
    addBlock(builder, block, origins, { isWanted, better: filter.better, names });
    from = to;
  }
  return { series: builder.series(), notes: builder.notes() };
}

/** Those that the filter lets through, each object once. */
function wanted(profiles: readonly ListedProfile[], { collector, cmd }: ProfileFilter): ListedProfile[] {
  const fits = (profile: ListedProfile): boolean =>
    (collector === undefined || profile.collector === collector) && (cmd === undefined || profile.cmd === cmd);
  return [...new Map(profiles.filter(fits).map((profile) => [profile.object, profile])).values()];
}

export interface ExperimentSeries {
  readonly experiment: string;
  /** Absent or none: all that are numbers. */
  readonly results?: readonly string[];
  /** Parameters that make the sets; absent: all but texts, times and numbers of samples. */
  readonly by?: readonly string[];
  readonly where?: readonly string[];
  readonly database?: string;
  readonly better?: Direction;
  /** Every run is a point of its own, those of the same version, too. */
  readonly apart?: boolean;
}

/**
 * A series for each parameter set and result of an experiment. Results that a run has one of go by the parameters that
 * a run has one of. Fails like `query`.
 */
export async function experimentSeries(
  workspace: Workspace,
  axis: SeriesAxis,
  asked: ExperimentSeries,
): Promise<BuiltSeries> {
  const { experiment, where = [], database, better, apart } = asked;
  const home = experimentHome(workspace, database);
  const known = (await withExperiments(workspace, home, "read", (experiments) => experiments.find(experiment)))
    .experiment;
  const results = asked.results?.length
    ? [...new Set(asked.results.map((name) => findVariable(name, known)))]
    : known.variables.filter(isMeasured);
  const by =
    asked.by === undefined ? known.variables.filter(isSetting) : asked.by.map((name) => findVariable(name, known));
  const builder = new SeriesBuilder(apart);
  const notes: string[] = [];
  for (const occurrence of ["once", "multiple"] as const) {
    const of = results.filter((result) => result.occurrence === occurrence);
    const sets = by.filter((each) => !isPlace(each) && (occurrence === "multiple" || each.occurrence === "once"));
    if (of.length === 0) continue;
    const names = ["@run", ...sets.map(({ name }) => name), ...of.map(({ name }) => name)];
    const place = { experiment, ...(database === undefined ? {} : { database }) };
    const versions = await versionsOfRuns(workspace, place, axis.history);
    const directed = of.map((variable) => (better === undefined ? variable : { ...variable, better }));
    const columns = { experiment: known.name, by: sets, isChosen: asked.by !== undefined, results: directed, versions };
    const rows = { ...place, results: names, where };
    const along = await rowsAlongAxis(workspace, {
      asked: rows,
      by: sets,
      versions,
      order: axis.order,
      history: axis.history,
    });
    if (along === undefined)
      notes.push(...addAlong(builder, columns, (await ask(workspace, rows, axis.history)).table, axis.order));
    else {
      const { table, differing, unread } = along;
      if (table !== undefined) addExperiment(builder, { ...columns, differing }, table, axis.order);
      notes.push(...skippedNotes(unread));
    }
  }
  return { series: builder.series(), notes: [...new Set([...notes, ...builder.notes()])] };
}

/** Asked for by themselves: a run may have a million data sets. */
async function versionsOfRuns(
  workspace: Workspace,
  place: Pick<QueryOptions, "experiment" | "database">,
  history: History,
): Promise<Map<number, VersionId>> {
  const { table } = await ask(workspace, { ...place, results: ["@run", "@commit"] }, history);
  return new Map(rowsOf(table).flatMap(([run, id]) => (id === null ? [] : [[Number(run), id as VersionId]])));
}

function addAlong(
  builder: SeriesBuilder,
  columns: ExperimentColumns,
  table: Table,
  order: readonly VersionId[],
): string[] {
  const runs = table.columns[0];
  const isVersioned =
    order.length > 0 && runs?.kind === "number" && runs.values.some((run) => columns.versions.has(run));
  const left = addExperiment(builder, columns, table, isVersioned ? order : []);
  return [
    ...(isVersioned ? [] : ["runs are in the order of their numbers: none has a version of a history"]),
    ...skippedNotes(left),
  ];
}

function skippedNotes({ withoutVersion, outsideHistory }: SkippedRows): string[] {
  return [
    ...(withoutVersion > 0 ? [`skipped: ${counted(withoutVersion, "row")} of runs without a commit`] : []),
    ...(outsideHistory > 0
      ? [`skipped: ${counted(outsideHistory, "row")} of commits that are not on this line of history`]
      : []),
  ];
}

/** What points are told apart by already. */
function isPlace({ name }: Variable): boolean {
  return ["run", "commit"].includes(name.toLowerCase());
}

function isSetting(variable: Variable): boolean {
  const { role, type } = variable;
  return (
    role === "parameter" &&
    ["integer", "float", "boolean", "string", "version", "duration"].includes(type) &&
    !isReplicateIndex(variable)
  );
}

function isMeasured({ role, type }: Variable): boolean {
  return role === "result" && ["integer", "float", "duration"].includes(type);
}

/** The rows of runs along an axis, and what there is to tell of those that were not read. */
interface RowsAlongAxis {
  /** Absent: no run that fits is of a version of the axis. */
  readonly table?: Table;
  readonly unread: SkippedRows;
  /** By variable that a run has one of: whether runs differ in it, also those that were not read. */
  readonly differing: ReadonlyMap<Variable, boolean>;
}

interface AskedRows {
  /** Of which rows are read. */
  readonly asked: QueryOptions;
  /** The parameters that make sets. */
  readonly by: readonly Variable[];
  readonly versions: RunVersions;
  readonly order: readonly VersionId[];
  readonly history: History;
}

/**
 * Reads what runs of the versions of `order` have; of all others the database counts. undefined: there is nothing to
 * spare, as all versions that were measured are in the order, or no run has one. Fails like `ask`.
 */
async function rowsAlongAxis(
  workspace: Workspace,
  { asked, by, versions, order, history }: AskedRows,
): Promise<RowsAlongAxis | undefined> {
  const known = new Set(order);
  if (known.size === 0 || [...versions.values()].every((version) => known.has(version))) return undefined;
  const once = by.filter(({ occurrence }) => occurrence === "once");
  const counting = { ...asked, results: [], by: ["@run", ...once.map(({ name }) => name)], statistics: ["count"] };
  const { table: counts } = await ask(workspace, counting, history);
  const unread = { withoutVersion: 0, outsideHistory: 0 };
  const runs: number[] = [];
  let isVersioned = false;
  for (const row of rowsOf(counts)) {
    const [run, count] = [Number(row[0]), Number(row.at(-1))];
    const version = versions.get(run);
    isVersioned ||= version !== undefined;
    if (version === undefined) unread.withoutVersion += count;
    else if (known.has(version)) runs.push(run);
    else unread.outsideHistory += count;
  }
  if (!isVersioned) return undefined;
  const differing = new Map(once.map((variable, at) => [variable, differs(counts, at + 1, variable)] as const));
  return {
    unread,
    differing,
    ...(runs.length === 0 ? {} : { table: (await ask(workspace, { ...asked, runs }, history)).table }),
  };
}

function differs({ columns }: Table, at: number, { type }: Variable): boolean {
  const column = columns[at];
  return column !== undefined && cellNumbers(column, type).count > 1;
}
