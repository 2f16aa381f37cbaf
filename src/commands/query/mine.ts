import type { VersionId } from "../../core/versions/index.ts";
import { counted } from "../../core/text/index.ts";
import { isFailure, Failure } from "../../core/failures/index.ts";
import type { Experiment, RunName } from "../../core/experiments/index.ts";
import type { Figure } from "../../core/figures/index.ts";
import type { Setting } from "../../core/values/index.ts";
import type { Table } from "../../core/tables/index.ts";
import { printYaml } from "../../formats/text/index.ts";
import {
  jobsFor,
  type Job,
  changesChart,
  mineTables,
  minePlans,
  type MinePlan,
  inHistory,
  inTime,
  orderedRunOf,
  type DatedRun,
  reportOf,
  type MineReport,
  type CollectedRows,
  type OrderedRun,
  RowCollector,
  rowsOfTable,
} from "../../query/mine/index.ts";
import { findVariable, type QuerySpec } from "../../query/plan/index.ts";
import type { StoredExperiment } from "../../store/catalogue/index.ts";
import type { Experiments } from "../../store/experiments/index.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { History } from "../history/index.ts";
import { selectedRuns } from "./query-result.ts";

/** Run orders for change detection. */
export const runOrders = ["time", "history"] as const;

export interface MineOptions {
  readonly experiment: string;
  /** Default: all numeric results. */
  readonly results?: readonly string[];
  /** Parameters that group the runs; default: all that vary, except times and replicate indexes. */
  readonly by?: readonly string[];
  readonly where?: readonly string[];
  readonly commits?: readonly string[];
  readonly runs?: readonly RunName[];
  readonly database?: string;
  /** False-discovery rate, 0..1. */
  readonly level: number;
  /** Maximum acceptable relative spread per group. */
  readonly maxSpread: number;
  /** Required values per group; default: as many as most groups have. */
  readonly least?: number;
  /** Default: history if every run has a commit in it and there are several, else time. */
  readonly order?: (typeof runOrders)[number];
  /** Command template with parameter names in braces, for missing measurements. */
  readonly job?: string;
}

export interface MineAnswer {
  readonly experiment: string;
  readonly level: number;
  readonly maxSpread: number;
  readonly order: (typeof runOrders)[number];
  /** Reports for `multiple` results and for `once` results; at least one. */
  readonly tables: readonly MineReport[];
  /** Notes for the user. */
  readonly notes: readonly string[];
  /** Absent without a command template. */
  readonly jobs?: readonly Job[];
}

/**
 * Finds missing and unusual measurements of an experiment. Fails with `nothing-selected`, `no-numbers`, `no-parameter`,
 * `matrix-too-large`, `bad-job`, and like `query`.
 */
export async function mine(workspace: Workspace, options: MineOptions): Promise<MineAnswer> {
  const { experiment, by, commits, database, level, maxSpread, least, job } = options;
  const history = new History(workspace);
  const versions = commits === undefined ? undefined : [...(await history.select({ commits }))];
  const answer = async (experiments: Experiments): Promise<MineAnswer> => {
    const stored = await experiments.find(experiment);
    const { runs } = await selectedRuns(experiments, stored, options);
    const all = await experiments.runs(stored, false);
    const ordered = await orderOf(all, history, options.order);
    const isPart = ordered.runs.length < ordered.all;
    const chosen = isPart
      ? ordered.runs.map(({ number }) => number).filter((number) => runs?.includes(number) ?? true)
      : runs;
    const selection = selectionOf(options, versions, chosen);
    const order = ordered.runs.map(orderedRunOf);
    const settings = { level, maxSpread, order, isNamed: by !== undefined, ...(least === undefined ? {} : { least }) };
    const parts: MineReport[] = [];
    for (const plan of minePlans(selection, stored.experiment)) {
      const rows = await rowsOf(experiments, stored, plan, { all, order, numbers: chosen });
      if (rows.runs.length > 0)
        parts.push(reportOf(plan, { rows, once: await onceValues(experiments, stored, plan) }, settings));
    }
    if (parts.length === 0)
      throw new Failure("nothing-selected", { experiment: stored.experiment.name, runs: ordered.all });
    return {
      experiment: stored.experiment.name,
      level,
      maxSpread: maxSpread,
      order: ordered.by,
      tables: parts,
      notes: notesOf(parts, isPart ? ordered.all - ordered.runs.length : 0),
      ...(job === undefined ? {} : { jobs: jobsOf(job, parts, stored.experiment) }),
    };
  };
  // One snapshot: the rows and `once` values of a run must belong together.
  const home = experimentHome(workspace, database);
  return withExperiments(workspace, home, "read", (experiments) => experiments.inSnapshot(() => answer(experiments)));
}

function selectionOf(
  { results, by, where = [] }: MineOptions,
  versions: readonly VersionId[] | undefined,
  runs: readonly number[] | undefined,
): QuerySpec {
  return {
    where,
    ...(results === undefined ? {} : { results }),
    ...(by === undefined ? {} : { by }),
    ...(versions === undefined ? {} : { versions }),
    ...(runs === undefined ? {} : { runs }),
  };
}

interface SelectedRuns {
  /** All runs with their numbers of rows. */
  readonly all: readonly { readonly number: number; readonly rows: number }[];
  readonly order: readonly OrderedRun[];
  /** Numbers of the runs to read; undefined: of all. */
  readonly numbers: readonly number[] | undefined;
}

/** Rows that are read at once: as many again in the database, and in the result. */
const rowsOfPart = 250_000;

/** The rows of a plan. */
async function rowsOf(
  experiments: Experiments,
  stored: StoredExperiment,
  plan: MinePlan,
  { all, order, numbers }: SelectedRuns,
): Promise<CollectedRows> {
  const chosen = numbers === undefined ? all : chosenOf(all, numbers);
  const total = chosen.reduce((sum, { rows }) => sum + rows, 0);
  if (plan.query.of !== "data" || total <= rowsOfPart)
    return rowsOfTable(plan, order, await experiments.select(stored, plan.query));
  const collector = new RowCollector(plan, order, total);
  const query = { ...plan.query, runs: chosen.map(({ number }) => number) };
  await experiments.selectInParts(stored, query, rowsOfPart, (part) => collector.add(part));
  return collector.collected();
}

function chosenOf(all: SelectedRuns["all"], numbers: readonly number[]): SelectedRuns["all"] {
  const wanted = new Set(numbers);
  return all.filter(({ number }) => wanted.has(number));
}

/** One row per run: its number and its `once` parameters. */
async function onceValues(
  experiments: Experiments,
  stored: StoredExperiment,
  { parameters }: MinePlan,
): Promise<Table> {
  const columns = [
    findVariable("@run", stored.experiment),
    ...parameters.filter(({ occurrence }) => occurrence === "once"),
  ];
  if (columns.length === 1) return { variables: [], columns: [], length: 0 };
  const outputs = columns.map((variable) => ({ variable, source: variable }));
  return experiments.select(stored, { outputs, grouped: false, where: [], sort: [], of: "runs" });
}

interface Ordered {
  readonly runs: readonly DatedRun[];
  readonly by: (typeof runOrders)[number];
  readonly all: number;
}

async function orderOf(runs: readonly DatedRun[], history: History, wanted: MineOptions["order"]): Promise<Ordered> {
  const byTime: Ordered = { runs: inTime(runs), by: "time", all: runs.length };
  if (wanted === "time") return byTime;
  const commits = new Set(runs.map(({ version }) => version));
  if (wanted === undefined && (commits.has(undefined) || commits.size < 2)) return byTime;
  const found = await historical(runs, history, wanted === "history");
  return wanted === "history" || found.length === runs.length
    ? { runs: found, by: "history", all: runs.length }
    : byTime;
}

/** Empty if there is no history, unless it was requested. */
async function historical(runs: readonly DatedRun[], history: History, isRequired: boolean): Promise<DatedRun[]> {
  try {
    return inHistory(runs, await history.inOrder());
  } catch (error) {
    if (isRequired || !isFailure(error)) throw error;
    return [];
  }
}

function notesOf(parts: readonly MineReport[], outside: number): string[] {
  const notes = parts.flatMap(({ coverage, nonFinite: passedOver }) => [
    ...coverage.omitted.map(
      ({ name, valueCount: count }) =>
        `missing groups ignore ${name}, which has ${counted(count, "value")}: add it with --by`,
    ),
    ...(passedOver > 0 ? [`skipped ${counted(passedOver, "non-numeric value")}`] : []),
  ]);
  return outside > 0 ? [...notes, `skipped ${counted(outside, "run")} without a commit in the history`] : notes;
}

function jobsOf(template: string, parts: readonly MineReport[], { variables }: Experiment): Job[] {
  const [first] = parts;
  if (first === undefined) return [];
  const { parameters } = first.coverage;
  return jobsFor(
    template,
    first.coverage,
    variables.filter(({ name }) => parameters.includes(name)),
  );
}

/** Shows the findings as tables or charts. */
export function mineFigure(answer: MineAnswer, as: "tables" | "charts" | "both", most: number): Figure {
  const charts = as === "tables" ? [] : changesChart(answer.tables, answer.order);
  if (as === "charts" && charts.length === 0)
    throw new Failure("nothing-to-draw", { what: "no jumps, drifts or excessive spread were found" });
  return { title: answer.experiment, blocks: [...(as === "charts" ? [] : mineTables(answer, most)), ...charts] };
}

/** Job file for `run job --from`, with each command repeated as required. */
export function jobFile(jobs: readonly Job[], format: "yaml" | "json"): string {
  const cmds = jobs.flatMap(({ command, times }) => Array.from({ length: times }, () => command));
  if (format === "json") return `${JSON.stringify({ cmds, collectors: [{ name: "time" }] }, null, 2)}\n`;
  return printYaml(
    new Map<string, Setting>([
      ["cmds", cmds],
      ["collectors", [new Map([["name", "time"]])]],
    ]),
  );
}
