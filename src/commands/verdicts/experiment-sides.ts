import { parseRunName, type RunName } from "../../core/experiments/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { Series, SeriesPoint, Subject } from "../../core/measurements/index.ts";
import { rowsOf } from "../../core/tables/index.ts";
import { formatUnit } from "../../core/values/index.ts";
import type { Measured, Measurements } from "../../core/verdicts/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import { ExitStatuses } from "../../query/series/index.ts";
import { withExperiment } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { listExperiments } from "../experiments/index.ts";
import { History } from "../history/index.ts";
import { experimentSeries, queryRows, type QueryOptions } from "../query/index.ts";

interface RunsToCompare {
  readonly experiment: string;
  readonly database?: string;
  /** Numbers or labels of the runs of each side, separated by commas. */
  readonly runs: readonly string[];
  /** Metrics that only describe others and are compared nevertheless. */
  readonly metrics: readonly string[];
}

/**
 * The sides of an experiment: results per parameter set, each run a group, without metrics that only describe others
 * unless they are named. Fails with `bad-option`, `nothing-to-compare`, and like `query`.
 */
export async function experimentSides(
  workspace: Workspace,
  { experiment, database, runs, metrics }: RunsToCompare,
): Promise<readonly [Measurements, Measurements, ...Measurements[]]> {
  const sides = await withExperiment(workspace, { experiment, database }, "read", async (stored, opened) => {
    const numbers: number[][] = [];
    for (const side of runs) numbers.push(await opened.runNumbers(stored, runNames(side)));
    return numbers;
  });
  const axis = { order: [], history: new History(workspace), counting: null, notes: [] };
  const options = {
    experiment,
    where: [`@run in ${sides.flat().join(",")}`],
    ...(database === undefined ? {} : { database }),
  };
  const { series: all } = await experimentSeries(workspace, axis, options);
  const series = { compared: all.filter((each) => isCompared(each, metrics)), statuses: new ExitStatuses(all) };
  const versions = await versionsOfRuns(workspace, axis.history, options);
  const measured = sides.map((side) => runsSide(series, experiment, side, versions));
  return measured as [Measurements, Measurements, ...Measurements[]];
}

/** False for metrics that only describe others, unless they are named. */
function isCompared({ subject: { derivedFrom, metric } }: Series, metrics: readonly string[]): boolean {
  return derivedFrom === undefined || metrics.includes(metric);
}

/** Commit of each run; null: none. */
async function versionsOfRuns(
  workspace: Workspace,
  history: History,
  options: Omit<QueryOptions, "results">,
): Promise<RunVersions> {
  const { table } = await queryRows(workspace, { ...options, results: ["@run", "@commit"] }, history);
  return new Map(
    rowsOf(table).map(([run, commit]) => [Number(run), typeof commit === "string" && commit !== "" ? commit : null]),
  );
}

type RunVersions = ReadonlyMap<number, string | null>;

/** Common commit of the runs; null if unknown or several. */
function oneVersion(runs: readonly number[], versions: RunVersions): VersionId | null {
  const [first, ...others] = new Set(runs.map((run) => versions.get(run) ?? null));
  return others.length > 0 ? null : ((first ?? null) as VersionId | null);
}

function runNames(text: string): RunName[] {
  const names = text.split(",");
  if (names.includes(""))
    throw new Failure("bad-option", { option: "a run", value: text, expected: "runs separated by commas" });
  return names.map(parseRunName);
}

/** Series of results, and the exit statuses of the programs. */
interface ComparedSeries {
  readonly compared: readonly Series[];
  readonly statuses: ExitStatuses;
}

function runsSide(
  { compared: series, statuses }: ComparedSeries,
  experiment: string,
  runs: readonly number[],
  versions: RunVersions,
): Measurements {
  const own = new Set(runs.map((run) => `${experiment}#${run}`));
  const isOwn = ({ evidence }: SeriesPoint): boolean => evidence.some((each) => own.has(each));
  const measured = series.flatMap(({ subject, points }): Measured[] => {
    const groups = points.filter(isOwn).map(({ sample }) => sample);
    if (groups.length === 0) return [];
    return [{ subject, unitText: formatUnit(subject.unit), groups, ...statusesOf(statuses, subject, isOwn) }];
  });
  const name = `run ${runs.join(",")}`;
  const points = series.flatMap(({ points: all }) => all.filter(isOwn));
  const machines = [...new Set(points.map(({ machine }) => machine))];
  if (measured.length > 0) return { name, measured, machines, version: oneVersion(runs, versions) };
  throw new Failure("nothing-to-compare", {
    what: `${name} of ${experiment} has no results`,
    instead: `perfkeep find ${experiment} lists its runs`,
  });
}

function statusesOf(
  all: ExitStatuses,
  { benchmark }: Subject,
  isOwn: (point: SeriesPoint) => boolean,
): Pick<Measured, "statuses"> {
  const statuses = all.of(benchmark, isOwn);
  return statuses === undefined ? {} : { statuses };
}

/**
 * The results of all experiments at a commit, each run a group, without metrics that only describe others unless they
 * are named. Fails like `query`.
 */
export async function runsAt(
  workspace: Workspace,
  version: VersionId,
  { database, metrics }: { readonly database?: string; readonly metrics: readonly string[] },
): Promise<Pick<Measurements, "measured" | "machines">> {
  const home = database === undefined ? {} : { database };
  const axis = { order: [version], history: new History(workspace), counting: null, notes: [] };
  const all: (readonly [Series, readonly SeriesPoint[], ExitStatuses])[] = [];
  const isThere = (point: SeriesPoint): boolean => point.version === version;
  for (const { name: experiment } of await listExperiments(workspace, home)) {
    const { series } = await experimentSeries(workspace, axis, { experiment, apart: true, ...home });
    const statuses = new ExitStatuses(series);
    for (const each of series) if (isCompared(each, metrics)) all.push([each, each.points.filter(isThere), statuses]);
  }
  const known = all.filter(([, points]) => points.length > 0);
  return {
    measured: known.map(([{ subject }, points, statuses]) => ({
      subject,
      unitText: formatUnit(subject.unit),
      groups: points.map(({ sample }) => sample),
      ...statusesOf(statuses, subject, isThere),
    })),
    machines: [...new Set(known.flatMap(([, points]) => points.map(({ machine }) => machine)))],
  };
}
