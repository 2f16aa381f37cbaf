import type { Experiment, JoinSpec } from "../../core/experiments/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { Table } from "../../core/tables/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import {
  descriptionText,
  readExportDescription,
  type ExportDescription,
  asciiInput,
  printInput,
} from "../../formats/descriptions/index.ts";
import { flatQuery, runQueries } from "../../query/export/index.ts";
import { sourceOf } from "../../query/plan/index.ts";
import type { RunSummary } from "../../store/catalogue/index.ts";
import type { Experiments } from "../../store/experiments/index.ts";
import { ParquetRows } from "../../store/export/index.ts";
import { withExperiment, withScratchDatabase } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { selectedCommits, type CommitSelection } from "../history/index.ts";
import { RunsInOrder, type RunSink } from "./export-by-run.ts";

/** Run numbers, inclusive; or the label of a run. */
export type RunRange = { readonly from: number; readonly to: number } | { readonly label: string };

export interface ExportOptions extends CommitSelection {
  readonly experiment: string;
  /** Names of variables and run facts; empty: all variables of the experiment. */
  readonly variables: readonly string[];
  readonly where: readonly string[];
  /** Selected run numbers. Ranges may have gaps; a single number must exist. */
  readonly runs?: readonly RunRange[];
  /** Include deleted runs. */
  readonly deleted: boolean;
  readonly database?: string;
  /** A second experiment, whose rows are joined; only for `exportRows` and the columnar formats. */
  readonly join?: JoinSpec;
  /** Receives notes on the join. */
  readonly note?: (text: string) => void;
}

/** Passed before the first row. `rows` is empty if no `multiple` variable is selected. */
export interface ExportHead {
  readonly experiment: Experiment;
  readonly once: readonly Variable[];
  readonly rows: readonly Variable[];
  /** Run summaries by number. */
  readonly runs: ReadonlyMap<number, RunSummary>;
}

/**
 * Streams one table row per row (per run, if only `once` variables are selected) in tables of bounded size; returns the
 * experiment's name. Fails with `nothing-selected`, `unknown-run`, `unknown-variable`, `bad-condition`.
 */
export async function exportRows(
  workspace: Workspace,
  options: ExportOptions,
  take: (table: Table) => void | Promise<void>,
): Promise<string> {
  if (options.join !== undefined) return exportJoin(workspace, { ...options, join: options.join }, take);
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

/** Exports the joined rows of two experiments as one table. Fails like `query`. */
async function exportJoin(
  workspace: Workspace,
  options: ExportOptions & Required<Pick<ExportOptions, "join">>,
  take: (table: Table) => void | Promise<void>,
): Promise<string> {
  const { experiment, database, variables, where, commits, branch, firstParent, since, until, join } = options;
  if (options.runs !== undefined || options.deleted)
    throw new Failure("unusable-combination", {
      what: `${options.deleted ? "--deleted" : "--run"} with --join`,
      instead: `select runs by a condition, as in --where '${experiment}.run in 1,2'`,
    });
  const selection = { commits, branch, firstParent, since, until, database };
  const given = Object.fromEntries(Object.entries(selection).filter(([, each]) => each !== undefined));
  const { query } = await import("../query/query.ts");
  const { table, notes } = await query(workspace, { experiment, results: variables, where, join, ...given });
  for (const note of notes) options.note?.(note);
  await take(table);
  return experiment;
}

/** Streams run by run; `completed` returns all variables to read. Fails like `exportRows`. */
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

/** Calls `work`, which returns the number of exported items, with the selected runs. Returns the experiment's name. */
async function withSelectedRuns(
  workspace: Workspace,
  options: ExportOptions,
  work: (experiments: Experiments, stored: Stored, runs: readonly RunSummary[]) => Promise<number>,
): Promise<string> {
  const versions = await selectedCommits(workspace, options);
  return withExperiment(workspace, options, "read", async (stored, experiments) => {
    const all = await experiments.runs(stored, options.deleted);
    const ranges = options.runs && (await numberedRanges(experiments, stored, options.runs));
    const chosen = selectedRuns(all, ranges, stored.experiment.name);
    const fitting = chosen.filter(
      ({ version }) => versions === undefined || (version !== undefined && versions.has(version)),
    );
    const found = await work(experiments, stored, fitting);
    if (found === 0) throw new Failure("nothing-selected", { experiment: stored.experiment.name, runs: all.length });
    return stored.experiment.name;
  });
}

type NumberRange = Extract<RunRange, { from: number }>;

async function numberedRanges(
  experiments: Experiments,
  stored: Stored,
  runs: readonly RunRange[],
): Promise<NumberRange[]> {
  const ranges: NumberRange[] = [];
  for (const range of runs)
    if ("from" in range) ranges.push(range);
    else for (const run of await experiments.runNumbers(stored, [range.label])) ranges.push({ from: run, to: run });
  return ranges;
}

function selectedRuns(
  all: readonly RunSummary[],
  runs: readonly NumberRange[] | undefined,
  experiment: string,
): readonly RunSummary[] {
  if (runs === undefined) return all;
  const known = new Set(all.map(({ number }) => number));
  const missing = runs.find(({ from, to }) => from === to && !known.has(from));
  if (missing !== undefined) throw new Failure("unknown-run", { experiment, run: missing.from });
  return all.filter(({ number }) => runs.some(({ from, to }) => from <= number && number <= to));
}

/** Reads an export description. Fails with `description-error`, `unreadable-file`. */
export function exportDescription(workspace: Workspace, file: string): ExportDescription {
  return readExportDescription(descriptionText(workspace.files.read(file), file), file);
}

/**
 * Input description for files written by the same ascii export. Fails with `unknown-experiment`, `unknown-variable`,
 * `bad-condition`.
 */
export async function describeExport(workspace: Workspace, options: ExportOptions): Promise<string> {
  return withExperiment(workspace, options, "read", async ({ experiment }) => {
    const { once, rows } = runQueries(options, experiment);
    const sources = (query: typeof once | undefined) =>
      (query?.outputs ?? []).slice(1).flatMap((output) => sourceOf(output) ?? []);
    return printInput(asciiInput(experiment, sources(once), sources(rows)));
  });
}

/**
 * Streams the rows of `exportRows` as a Parquet file, once the file is complete; the experiment's database is closed by
 * then.
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

/** Streams the rows of `exportRows` as an Arrow file. */
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
