import { Failure } from "../core/errors.ts";
import type { Measured, Measurements } from "../core/samples.ts";
import type { Series } from "../core/series.ts";
import { formatUnit } from "../core/unit.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { History } from "./history.ts";
import { experimentSeries } from "./series.ts";

export interface RunsToCompare {
  readonly experiment: string;
  readonly database?: string;
  /** Of each side the numbers of runs, joined by commas. */
  readonly runs: readonly [string, string];
}

/** Two sides of an experiment: results by parameter set, each run a group. Fails with `bad-option`, `nothing-to-compare`, and like `query`. */
export async function experimentRunSamples(
  workspace: Workspace,
  { experiment, database, runs }: RunsToCompare,
): Promise<readonly [Measurements, Measurements]> {
  const [old, now] = runs.map(runNumbers) as [number[], number[]];
  const axis = { order: [], history: new History(workspace), counting: null, notes: [] };
  const where = [`@run in ${[...old, ...now].join(",")}`];
  const { series } = await experimentSeries(workspace, axis, { experiment, where, ...(database === undefined ? {} : { database }) });
  return [sideOf(series, experiment, old), sideOf(series, experiment, now)];
}

function runNumbers(text: string): number[] {
  if (!/^\d{1,15}(?:,\d{1,15})*$/.test(text))
    throw new Failure("bad-option", { option: "a run", value: text, expected: "numbers of runs, joined by commas", command: "compare" });
  return text.split(",").map(Number);
}

function sideOf(series: readonly Series[], experiment: string, runs: readonly number[]): Measurements {
  const own = new Set(runs.map((run) => `${experiment}#${run}`));
  const measured = series.flatMap(({ subject, points }): Measured[] => {
    const groups = points.filter(({ evidence }) => evidence.some((each) => own.has(each))).map(({ sample }) => sample);
    return groups.length === 0 ? [] : [{ subject, unitText: formatUnit(subject.unit), groups }];
  });
  const name = `run ${runs.join(",")}`;
  if (measured.length > 0) return { name, measured, machines: [] };
  throw new Failure("nothing-to-compare", {
    what: `${name} of ${experiment} has no results`,
    instead: `perfkeep find ${experiment} lists its runs`,
  });
}
