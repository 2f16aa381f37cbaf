import type { Experiment } from "../../core/experiments/experiment.ts";
import { Failure } from "../../core/failures/failure.ts";
import type { Table } from "../../core/tables/table.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { descriptionText } from "../../formats/descriptions/description-text.ts";
import { readExportDescription, type ExportDescription } from "../../formats/descriptions/export-description.ts";
import { asciiInput } from "../../formats/descriptions/input/ascii-input.ts";
import { printInput } from "../../formats/descriptions/input/input-print.ts";
import { flatQuery, runQueries } from "../../query/export/export-queries.ts";
import type { RunSummary } from "../../store/catalogue/experiment-lists.ts";
import type { Experiments } from "../../store/experiments/experiments.ts";
import { ParquetRows } from "../../store/export/parquet.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/experiments.ts";
import { withScratchDatabase } from "../../workspace/experiments/scratch-database.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { selectedCommits, type CommitSelection } from "../history/history.ts";
import { RunsInOrder, type RunSink } from "./export-by-run.ts";

/** Numbers of runs, both ends included. */
export interface RunRange {
  readonly from: number;
  readonly to: number;
}

export interface ExportOptions extends CommitSelection {
  readonly experiment: string;
  /** Names of variables, also of what every run knows; none: all of the experiment's. */
  readonly variables: readonly string[];
  readonly where: readonly string[];
  /** Any of these. A range may have gaps, a single number is that of a run. */
  readonly runs?: readonly RunRange[];
  /** Also runs that were deleted. */
  readonly deleted: boolean;
  readonly database?: string;
}

/** What is told before the first row. `rows` are empty where no variable of data sets was asked for. */
export interface ExportHead {
  readonly experiment: Experiment;
  readonly once: readonly Variable[];
  readonly rows: readonly Variable[];
  /** What is known of the runs, by their numbers. */
  readonly runs: ReadonlyMap<number, RunSummary>;
}

/**
 * Hands out one row per data set (per run, where only contents of runs are asked for) in tables of bounded size;
 * answers the name of the experiment. Fails with `nothing-selected`, `unknown-run`, `unknown-variable`,
 * `bad-condition`.
 */
export async function exportRows(
  workspace: Workspace,
  options: ExportOptions,
  take: (table: Table) => void | Promise<void>,
): Promise<string> {
  return withSelectedRuns(workspace, options, async (experiments, stored, chosen) => {
    const runs = chosen.map(({ number }) => number);
    let length = 0;
    await experiments.export(stored, { runs, rows: flatQuery(options, stored.experiment) }, async ({ rows }) => {
      if (rows === undefined || rows.length === 0) return;
      length += rows.length;
      await take(rows);
    });
    return length;
  });
}

/**
 * Hands out run by run; `completed` tells which variables are meant by those that are named. Fails like `exportRows`.
 */
export async function exportByRun(
  workspace: Workspace,
  options: ExportOptions,
  sink: (head: ExportHead) => RunSink,
  completed: (experiment: Experiment) => readonly string[] = () => options.variables,
): Promise<void> {
  await withSelectedRuns(workspace, options, async (experiments, stored, chosen) => {
    const runs = chosen.map(({ number }) => number);
    const { once, rows, needsRows } = runQueries(
      { ...options, variables: completed(stored.experiment) },
      stored.experiment,
    );
    const variablesOf = (query: typeof once | undefined): Variable[] =>
      (query?.outputs ?? []).slice(1).map(({ variable }) => variable);
    const head: ExportHead = {
      experiment: stored.experiment,
      once: variablesOf(once),
      rows: variablesOf(rows),
      runs: new Map(chosen.map((run) => [run.number, run])),
    };
    const order = new RunsInOrder(sink(head), needsRows);
    await experiments.export(stored, { runs, once, ...(rows === undefined ? {} : { rows }) }, (piece) =>
      order.take(piece),
    );
    return order.end();
  });
}

type Stored = Awaited<ReturnType<Experiments["find"]>>;

/** `work` answers how much there was. Answers the name of the experiment. */
async function withSelectedRuns(
  workspace: Workspace,
  options: ExportOptions,
  work: (experiments: Experiments, stored: Stored, runs: readonly RunSummary[]) => Promise<number>,
): Promise<string> {
  const versions = await selectedCommits(workspace, options);
  return withExperiments(workspace, experimentHome(workspace, options.database), "read", async (experiments) => {
    const stored = await experiments.find(options.experiment);
    const all = await experiments.runs(stored, options.deleted);
    const chosen = selectedRuns(all, options, stored.experiment.name);
    const fitting = chosen.filter(
      ({ version }) => versions === undefined || (version !== undefined && versions.has(version)),
    );
    const found = await work(experiments, stored, fitting);
    if (found === 0) throw new Failure("nothing-selected", { experiment: stored.experiment.name, runs: all.length });
    return stored.experiment.name;
  });
}

function selectedRuns(all: readonly RunSummary[], { runs }: ExportOptions, experiment: string): readonly RunSummary[] {
  if (runs === undefined) return all;
  const known = new Set(all.map(({ number }) => number));
  const missing = runs.find(({ from, to }) => from === to && !known.has(from));
  if (missing !== undefined) throw new Failure("unknown-run", { experiment, run: missing.from });
  return all.filter(({ number }) => runs.some(({ from, to }) => from <= number && number <= to));
}

/** What a file says that an export is to hold. Fails with `description-error`, `unreadable-file`. */
export function exportDescription(workspace: Workspace, file: string): ExportDescription {
  return readExportDescription(descriptionText(workspace.files.read(file), file), file);
}

/**
 * The input description that reads what the same export to ascii writes. Fails with `unknown-experiment`,
 * `unknown-variable`, `bad-condition`.
 */
export async function describeExport(workspace: Workspace, options: ExportOptions): Promise<string> {
  return withExperiments(workspace, experimentHome(workspace, options.database), "read", async (experiments) => {
    const { experiment } = await experiments.find(options.experiment);
    const { once, rows } = runQueries(options, experiment);
    const sources = (query: typeof once | undefined) =>
      (query?.outputs ?? []).slice(1).flatMap(({ source }) => source ?? []);
    return printInput(asciiInput(experiment, sources(once), sources(rows)));
  });
}

/**
 * Hands out the rows of `exportRows` as the bytes of a Parquet file, piece by piece; nothing before the whole file is
 * made. The experiment's own database is left alone by then.
 */
export async function exportParquet(
  workspace: Workspace,
  options: ExportOptions,
  take: (bytes: Uint8Array) => void,
): Promise<void> {
  await withScratchDatabase(workspace, async (engine, folder) => {
    let rows: ParquetRows | undefined;
    const experiment = await exportRows(workspace, options, async (table) => {
      rows ??= await ParquetRows.create(engine, table.variables);
      await rows.append(table);
    });
    const path = `${folder}/export.parquet`;
    await rows?.write(path, experiment);
    for await (const bytes of workspace.files.stream(path)) take(bytes);
  });
}

/**
 * Hands out the rows of `exportRows` as the bytes of an Arrow file, piece by piece. What writes Arrow is loaded only
 * here.
 */
export async function exportArrow(
  workspace: Workspace,
  options: ExportOptions,
  take: (bytes: Uint8Array) => void,
): Promise<void> {
  const { ArrowWriter } = await import("../../formats/columnar/arrow.ts");
  const rows = new ArrowWriter(take);
  await exportRows(workspace, options, (table) => rows.append(table));
  await rows.end();
}
