import type { Experiment } from "../../core/experiments/index.ts";
import { derivedMetrics, type Direction, machineClass, machineFact } from "../../core/measurements/index.ts";
import { rowsOf, type Table } from "../../core/tables/index.ts";
import { counted } from "../../core/text/index.ts";
import { formatValue, type Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import { findVariable, isReplicateIndex } from "../../query/plan/index.ts";
import {
  addExperiment,
  cellNumbers,
  type ExperimentColumns,
  type SkippedRows,
  type RunVersions,
  SeriesBuilder,
} from "../../query/series/index.ts";
import { withExperiment } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { History } from "../history/index.ts";
import type { QueryOptions } from "./query-result.ts";
import { queryRows } from "./query.ts";

import type { BuiltSeries, SeriesAxis } from "./series.ts";

export interface ExperimentSeries {
  readonly experiment: string;
  /** Default: all numeric results, of which those that describe others are only evidence. */
  readonly results?: readonly string[];
  /** Parameters that group the runs; default: all but texts, times and replicate indexes. */
  readonly by?: readonly string[];
  readonly where?: readonly string[];
  readonly database?: string;
  readonly better?: Direction;
  /** Every run is a separate point, even at the same commit. */
  readonly apart?: boolean;
}

/**
 * Series per parameter set and result of an experiment. `once` results are grouped by `once` parameters. Fails like
 * `query`.
 */
export async function experimentSeries(
  workspace: Workspace,
  axis: SeriesAxis,
  options: ExperimentSeries,
): Promise<BuiltSeries> {
  const { experiment, where = [], database, better, apart } = options;
  const { experiment: known } = await withExperiment(workspace, options, "read", async (stored) => stored);
  const { results, derived } = resultsOf(known, options.results ?? []);
  const facts = machineFactsOf(known);
  const by =
    options.by === undefined
      ? known.variables.filter((variable) => isSetting(variable) && !facts.includes(variable))
      : options.by.map((name) => findVariable(name, known));
  const builder = new SeriesBuilder(apart);
  const notes: string[] = [];
  let origins: RunOrigins | undefined;
  for (const occurrence of ["once", "multiple"] as const) {
    const of = results.filter((result) => result.occurrence === occurrence);
    if (of.length === 0) continue;
    const sets = by.filter(
      (each) => !identifiesPoint(each) && (occurrence === "multiple" || each.occurrence === "once"),
    );
    const source = { experiment, ...(database === undefined ? {} : { database }) };
    const columns = {
      experiment: known.name,
      by: sets,
      isChosen: options.by !== undefined,
      results: of.map((variable) => (better === undefined ? variable : { ...variable, better })),
      derived,
      ...(origins ??= await originsOfRuns(workspace, source, facts, axis.history)),
    };
    const names = ["@run", ...sets.map(({ name }) => name), ...of.map(({ name }) => name)];
    notes.push(...(await addResults(workspace, builder, columns, { ...source, results: names, where }, axis)));
  }
  return { series: builder.series(), notes: [...new Set([...notes, ...builder.notes()])], withCalls: new Set() };
}

/** The named results; without names all that are measured, and those of them that describe others. */
function resultsOf(
  known: Experiment,
  names: readonly string[],
): Required<Pick<ExperimentColumns, "results" | "derived">> {
  if (names.length > 0)
    return { results: [...new Set(names.map((name) => findVariable(name, known)))], derived: new Map() };
  const results = known.variables.filter(isMeasured);
  return { results, derived: derivedMetrics(results, isReport(known)) };
}

/** Adds the rows of results along the axis; returns notes. */
async function addResults(
  workspace: Workspace,
  builder: SeriesBuilder,
  columns: ExperimentColumns,
  query: QueryOptions,
  { order, history }: SeriesAxis,
): Promise<string[]> {
  const { by, versions } = columns;
  const along = await rowsAlongAxis(workspace, { query, by, versions, order, history });
  if (along === undefined) return addAlong(builder, columns, (await queryRows(workspace, query, history)).table, order);
  const { table, differing, unread } = along;
  if (table !== undefined) addExperiment(builder, { ...columns, differing }, table, order);
  return skippedNotes(unread);
}

/**
 * Parameters that say on which machine a benchmark report was made. Only experiments of reports, whose rows have a
 * benchmark, know them: in a described experiment, `os` is a condition that the user varies.
 */
function machineFactsOf(experiment: Experiment): Variable[] {
  if (!isReport(experiment)) return [];
  return experiment.variables.filter(
    ({ name, role, occurrence }) => role === "parameter" && occurrence === "once" && machineFact(name) !== undefined,
  );
}

function isReport({ variables }: Experiment): boolean {
  return variables.some(({ name, occurrence }) => name === "benchmark" && occurrence === "multiple");
}

type RunOrigins = Required<Pick<ExperimentColumns, "versions" | "machines">>;

/** A separate query, since a run may have a million rows. */
async function originsOfRuns(
  workspace: Workspace,
  source: Pick<QueryOptions, "experiment" | "database">,
  facts: readonly Variable[],
  history: History,
): Promise<RunOrigins> {
  const results = ["@run", "@commit", ...facts.map(({ name }) => name)];
  const { table } = await queryRows(workspace, { ...source, results }, history);
  const versions = new Map<number, VersionId>();
  const machines = new Map<number, string>();
  for (const [run, id, ...values] of rowsOf(table)) {
    if (id !== null) versions.set(Number(run), id as VersionId);
    const machine = machineClass(
      facts.map(({ name, type }, at) => [name, formatValue((values[at] ?? null) as Value, type)]),
    );
    if (machine !== null) machines.set(Number(run), machine);
  }
  return { versions, machines };
}

function addAlong(
  builder: SeriesBuilder,
  columns: ExperimentColumns,
  table: Table,
  order: readonly VersionId[],
): string[] {
  const runs = table.columns[0];
  const hasVersions =
    order.length > 0 && runs?.kind === "number" && runs.values.some((run) => columns.versions.has(run));
  const left = addExperiment(builder, columns, table, hasVersions ? order : []);
  return [
    ...(hasVersions ? [] : ["runs are ordered by number: none has a commit of the history"]),
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

/** Variables that already identify a point. */
function identifiesPoint({ name }: Variable): boolean {
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

/** Rows of runs on an axis, and statistics of the others. */
interface RowsAlongAxis {
  /** Absent if no matching run has a commit of the axis. */
  readonly table?: Table;
  readonly unread: SkippedRows;
  /** By `once` variable: whether it differs between runs, including unread ones. */
  readonly differing: ReadonlyMap<Variable, boolean>;
}

interface AxisRequest {
  /** Query for the rows. */
  readonly query: QueryOptions;
  /** Grouping parameters. */
  readonly by: readonly Variable[];
  readonly versions: RunVersions;
  readonly order: readonly VersionId[];
  readonly history: History;
}

/**
 * Reads rows of runs at commits of `order`; the database counts the others. undefined: all measured commits are in
 * `order`, or no run has one. Fails like `queryRows`.
 */
async function rowsAlongAxis(
  workspace: Workspace,
  { query, by, versions, order, history }: AxisRequest,
): Promise<RowsAlongAxis | undefined> {
  const known = new Set(order);
  if (known.size === 0 || [...versions.values()].every((version) => known.has(version))) return undefined;
  const once = by.filter(({ occurrence }) => occurrence === "once");
  const counting = { ...query, results: [], by: ["@run", ...once.map(({ name }) => name)], statistics: ["count"] };
  const { table: counts } = await queryRows(workspace, counting, history);
  const unread = { withoutVersion: 0, outsideHistory: 0 };
  const runs: number[] = [];
  let hasVersions = false;
  for (const row of rowsOf(counts)) {
    const [run, count] = [Number(row[0]), Number(row.at(-1))];
    const version = versions.get(run);
    hasVersions ||= version !== undefined;
    if (version === undefined) unread.withoutVersion += count;
    else if (known.has(version)) runs.push(run);
    else unread.outsideHistory += count;
  }
  if (!hasVersions) return undefined;
  const differing = new Map(once.map((variable, at) => [variable, differs(counts, at + 1, variable)] as const));
  return {
    unread,
    differing,
    ...(runs.length === 0 ? {} : { table: (await queryRows(workspace, { ...query, runs }, history)).table }),
  };
}

function differs({ columns }: Table, at: number, { type }: Variable): boolean {
  const column = columns[at];
  return column !== undefined && cellNumbers(column, type).count > 1;
}
