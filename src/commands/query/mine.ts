import { counted } from "../../core/text/plural.ts";
import { isFailure, Failure } from "../../core/failures/failure.ts";
import type { Experiment } from "../../core/experiments/experiment.ts";
import type { Figure } from "../../core/figures/figure.ts";
import type { Setting } from "../../core/values/setting.ts";
import type { Table } from "../../core/tables/table.ts";
import { printYaml } from "../../formats/text/yaml.ts";
import { jobsFor, type Job } from "../../query/mine/jobs.ts";
import { changesChart } from "../../query/mine/chart.ts";
import { mineTables } from "../../query/mine/tables.ts";
import { minePlans, type MinePlan, inHistory, inTime, placeOf, type DatedRun } from "../../query/mine/plan.ts";
import { reportOf, type MineReport } from "../../query/mine/report.ts";
import { findVariable } from "../../query/plan/query.ts";
import type { StoredExperiment } from "../../store/catalogue/catalogue.ts";
import type { Experiments } from "../../store/experiments/experiments.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/experiments.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { History } from "../history/history.ts";

/** Orders in which changes are looked for. */
export const runOrders = ["time", "history"] as const;

export interface MineOptions {
  readonly experiment: string;
  /** Absent or none: all that are numbers. */
  readonly results?: readonly string[];
  /** Parameters that make the sets. Absent: all that vary, but times and numbers of samples. */
  readonly by?: readonly string[];
  readonly where?: readonly string[];
  readonly commits?: readonly string[];
  readonly runs?: readonly number[];
  readonly database?: string;
  /** Share of false alarms among findings, 0..1. */
  readonly level: number;
  /** Spread that is fine, as a share. */
  readonly mostSpread: number;
  /** Values wanted in each set; absent: as many as most have. */
  readonly least?: number;
  /** Absent: history where every run has a commit of it and there are several, else time. */
  readonly order?: (typeof runOrders)[number];
  /** A command with names of parameters in braces, to make what is lacking. */
  readonly job?: string;
}

export interface MineAnswer {
  readonly experiment: string;
  readonly level: number;
  readonly mostSpread: number;
  readonly order: (typeof runOrders)[number];
  /** What concerns results of data sets, and what concerns those with one content per run; one of them at least. */
  readonly parts: readonly MineReport[];
  /** What the user should know of it. */
  readonly notes: readonly string[];
  /** Absent where no command was given for them. */
  readonly jobs?: readonly Job[];
}

/**
 * Looks for what is lacking in an experiment and what is odd about it. Fails with `nothing-selected`, `no-numbers`,
 * `no-parameter`, `matrix-too-large`, `bad-job`, and like `query`.
 */
export async function mine(workspace: Workspace, options: MineOptions): Promise<MineAnswer> {
  const { experiment, results, by, where = [], commits, runs, database, level, mostSpread, least, job } = options;
  const history = new History(workspace);
  const versions = commits === undefined ? undefined : [...(await history.chosen({ commits }))];
  const answer = async (experiments: Experiments): Promise<MineAnswer> => {
    const stored = await experiments.find(experiment);
    const ordered = await orderOf(await experiments.runs(stored, false), history, options.order);
    const isPart = ordered.runs.length < ordered.all;
    const chosen = isPart
      ? ordered.runs.map(({ number }) => number).filter((number) => runs?.includes(number) ?? true)
      : runs;
    const question = {
      where,
      ...(results === undefined ? {} : { results }),
      ...(by === undefined ? {} : { by }),
      ...(versions === undefined ? {} : { versions }),
      ...(chosen === undefined ? {} : { runs: chosen }),
    };
    const order = ordered.runs.map(placeOf);
    const wishes = { level, mostSpread, order, isNamed: by !== undefined, ...(least === undefined ? {} : { least }) };
    const parts: MineReport[] = [];
    for (const plan of minePlans(question, stored.experiment)) {
      const table = await experiments.select(stored, plan.query);
      if (table.length > 0)
        parts.push(reportOf(plan, { table, once: await onceContents(experiments, stored, plan) }, wishes));
    }
    if (parts.length === 0)
      throw new Failure("nothing-selected", { experiment: stored.experiment.name, runs: ordered.all });
    return {
      experiment: stored.experiment.name,
      level,
      mostSpread,
      order: ordered.by,
      parts,
      notes: notesOf(parts, isPart ? ordered.all - ordered.runs.length : 0),
      ...(job === undefined ? {} : { jobs: jobsOf(job, parts, stored.experiment) }),
    };
  };
  // Of a run that is deleted meanwhile the data sets would be there, and its own contents would not.
  const home = experimentHome(workspace, database);
  return withExperiments(workspace, home, "read", (experiments) => experiments.atOneMoment(() => answer(experiments)));
}

/** One row for each run: its number and the contents of parameters of runs. */
async function onceContents(
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

/** None where nobody insists on the history and there is none. */
async function historical(runs: readonly DatedRun[], history: History, insists: boolean): Promise<DatedRun[]> {
  try {
    return inHistory(runs, await history.inOrder());
  } catch (error) {
    if (insists || !isFailure(error)) throw error;
    return [];
  }
}

function notesOf(parts: readonly MineReport[], outside: number): string[] {
  const notes = parts.flatMap(({ coverage, passedOver }) => [
    ...coverage.leftOut.map(
      ({ name, contents }) =>
        `missing sets are told without ${name}, which has ${counted(contents, "content")}: name it with --by to have it among them`,
    ),
    ...(passedOver > 0
      ? [
          `${counted(passedOver, "content")} ${passedOver === 1 ? "is no number" : "are no numbers"} to compute with and passed over`,
        ]
      : []),
  ]);
  return outside > 0
    ? [
        ...notes,
        `${counted(outside, "run")} without a commit of the history ${outside === 1 ? "was" : "were"} left out`,
      ]
    : notes;
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

/** How an answer is shown: as tables for readers, or as charts. */
export function mineFigure(answer: MineAnswer, as: "tables" | "charts" | "both", most: number): Figure {
  const charts = as === "tables" ? [] : changesChart(answer.parts, answer.order);
  if (as === "charts" && charts.length === 0)
    throw new Failure("nothing-to-draw", { what: "nothing jumps, drifts or spreads too much" });
  return { title: answer.experiment, blocks: [...(as === "charts" ? [] : mineTables(answer, most)), ...charts] };
}

/** The file that `run job --from` reads: every command as often as it is to be run. */
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
