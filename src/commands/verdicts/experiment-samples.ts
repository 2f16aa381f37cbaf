import type { VersionId } from "../../core/versions/digest.ts";
import { Failure } from "../../core/failures/failure.ts";
import type { Measured, Measurements } from "../../core/verdicts/samples.ts";
import type { Series } from "../../core/measurements/series.ts";
import { rowsOf } from "../../core/tables/table.ts";
import { formatUnit } from "../../core/values/unit.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { History } from "../history/history.ts";
import { ask, type QueryOptions } from "../query/query.ts";
import { experimentSeries } from "../query/series.ts";

export interface RunsToCompare {
  readonly experiment: string;
  readonly database?: string;
  /** Of each side the numbers of runs, joined by commas. */
  readonly runs: readonly [string, string];
}

/**
 * Two sides of an experiment: results by parameter set, each run a group. Fails with `bad-option`,
 * `nothing-to-compare`, and like `query`.
 */
export async function experimentRunSamples(
  workspace: Workspace,
  { experiment, database, runs }: RunsToCompare,
): Promise<readonly [Measurements, Measurements]> {
  const [old, now] = runs.map(runNumbers) as [number[], number[]];
  const axis = { order: [], history: new History(workspace), counting: null, notes: [] };
  const asked = {
    experiment,
    where: [`@run in ${[...old, ...now].join(",")}`],
    ...(database === undefined ? {} : { database }),
  };
  const { series } = await experimentSeries(workspace, axis, asked);
  const versions = await versionsOfRuns(workspace, axis.history, asked);
  return [sideOf(series, experiment, old, versions), sideOf(series, experiment, now, versions)];
}

/** The version of each run that has one. */
async function versionsOfRuns(
  workspace: Workspace,
  history: History,
  asked: Omit<QueryOptions, "results">,
): Promise<RunVersions> {
  const { table } = await ask(workspace, { ...asked, results: ["@run", "@commit"] }, history);
  return new Map(
    rowsOf(table).map(([run, commit]) => [Number(run), typeof commit === "string" && commit !== "" ? commit : null]),
  );
}

type RunVersions = ReadonlyMap<number, string | null>;

/** null: not all runs are of one version that is known. */
function oneVersion(runs: readonly number[], versions: RunVersions): VersionId | null {
  const [first, ...others] = new Set(runs.map((run) => versions.get(run) ?? null));
  return others.length > 0 ? null : ((first ?? null) as VersionId | null);
}

function runNumbers(text: string): number[] {
  if (!/^\d{1,15}(?:,\d{1,15})*$/.test(text))
    throw new Failure("bad-option", { option: "a run", value: text, expected: "numbers of runs, joined by commas" });
  return text.split(",").map(Number);
}

function sideOf(
  series: readonly Series[],
  experiment: string,
  runs: readonly number[],
  versions: RunVersions,
): Measurements {
  const own = new Set(runs.map((run) => `${experiment}#${run}`));
  const measured = series.flatMap(({ subject, points }): Measured[] => {
    const groups = points.filter(({ evidence }) => evidence.some((each) => own.has(each))).map(({ sample }) => sample);
    return groups.length === 0 ? [] : [{ subject, unitText: formatUnit(subject.unit), groups }];
  });
  const name = `run ${runs.join(",")}`;
  if (measured.length > 0) return { name, measured, machines: [], version: oneVersion(runs, versions) };
  throw new Failure("nothing-to-compare", {
    what: `${name} of ${experiment} has no results`,
    instead: `perfkeep find ${experiment} lists its runs`,
  });
}
