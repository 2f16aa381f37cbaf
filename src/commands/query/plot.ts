import {
  isSurfacePlot,
  plotProblem,
  type ErrorBars,
  type PlotDescription,
  type PlotAxis,
  type PlotResult,
  type Experiment,
} from "../../core/experiments/index.ts";
import { Failure, isFailure } from "../../core/failures/index.ts";
import type { Block } from "../../core/figures/index.ts";
import { valueAt } from "../../core/tables/index.ts";
import { compareValues } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { descriptionText, readPlot } from "../../formats/descriptions/index.ts";
import {
  crowd,
  drawPlot,
  type DrawnPlot,
  hiddenPointNotes,
  statisticsOf,
  type DrawnResult,
  type Plot,
} from "../../query/chart/index.ts";
import { holdsCommits } from "../../query/history/index.ts";
import { isReplicateIndex, sourceOf } from "../../query/plan/index.ts";
import { parseStatistic, statisticName, hasOrder } from "../../query/statistics/index.ts";
import { experimentHome, withExperiment, withExperiments } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type CommitSelection, History } from "../history/index.ts";
import { checkProfileColumns } from "./profile-columns.ts";
import type { QueryOptions, QueryResult } from "./query-result.ts";
import { versionedQuery, queryRows } from "./query.ts";

export type { DrawnPlot };

export interface PlotOptions
  extends PlotDescription, Omit<CommitSelection, "commits">, Pick<QueryOptions, "profiles" | "commitLabels" | "join"> {
  readonly experiment: string;
  readonly database?: string;
}

/** `remarks`: notes for the user. */
export interface PlotAnswer extends DrawnPlot {
  readonly remarks: readonly string[];
}

/** Reads a plot description. Fails with `description-error`, `unreadable-file`. */
export function plotDescription(workspace: Workspace, file: string): PlotDescription {
  return readPlot(descriptionText(workspace.files.read(file), file), file);
}

/** Reads an attached plot description. Fails with `unknown-attachment`. */
export function attachedPlot(
  workspace: Workspace,
  experiment: string,
  name: string,
  database?: string,
): Promise<PlotDescription> {
  return withExperiment(workspace, { experiment, database }, "read", async (stored, experiments) => {
    const found = await experiments.attachment(stored, name, "plot");
    return readPlot(descriptionText(experiments.attachmentBytes(found), name), name);
  });
}

/**
 * Queries an experiment and draws the result. Fails like `query`, with `nothing-to-draw`, and with
 * `unusable-combination` for unsupported plots.
 */
export async function plot(workspace: Workspace, options: PlotOptions): Promise<PlotAnswer> {
  const problem = plotProblem(options);
  if (problem !== undefined || options.x === undefined)
    throw new Failure("unusable-combination", { what: problem?.problem, instead: problem?.advice });
  const results = options.results.map((result) => drawnResult(result, isSurfacePlot(options)));
  const asked = queryFor(options, options.x, results);
  const answer = await versionedQuery(workspace, asked, true);
  const mixed = await mixedParameters(workspace, asked);
  const found = (word: string): string => columnName(answer, word);
  const resolveAxis = <T extends PlotAxis | undefined>(axisVariable: T): T =>
    axisVariable === undefined ? axisVariable : { ...axisVariable, name: found(axisVariable.name) };
  const x = resolveAxis(options.x);
  const { axis } = answer;
  const { y } = options;
  const isVersion = answer.outputs.some(
    (output) => holdsCommits(output) && [x.name, y && found(y.name)].includes(output.variable.name),
  );
  const order = axis && isVersion ? { order: axis.order, labels: axis.labels } : {};
  const profileResults = checkProfileColumns(options.profiles ?? []).map(({ name }): DrawnResult => ({
    name,
    errors: "none",
  }));
  const resolved: Plot = {
    ...options,
    ...order,
    title: options.title ?? titleOf(answer.experiment, options),
    x,
    ...(y === undefined ? {} : { y: resolveAxis(y) }),
    results: [...results.map((result) => ({ ...result, name: found(result.name) })), ...profileResults],
    series: options.series.map(found),
    plots: options.plots.map(found),
  };
  const drawn = drawPlot(answer.table, resolved);
  const notes = [...answer.notes, ...hiddenPointNotes(drawn.figure), ...crowdNotes(drawn, options)];
  return withBarsNamed(withMixture(drawn, notes, mixtureOf(results, mixed)), results);
}

/** What error bars show, by kind. */
const barTexts: Readonly<Record<ErrorBars, string>> = {
  none: "",
  stddev: "one standard deviation",
  minmax: "minimum to maximum",
  quantiles: "lower to upper quartile",
  ci: "95 % confidence interval of the mean",
};

/** The plot with a caption that says what its error bars are, in each chart that has any. */
function withBarsNamed({ figure, ...rest }: PlotAnswer, results: readonly DrawnResult[]): PlotAnswer {
  const kinds = results.map(({ errors }) => barTexts[errors]).filter((text) => text !== "");
  const note = `error bars: ${[...new Set(kinds)].join(", ")}`;
  return {
    figure: { ...figure, blocks: figure.blocks.map((each) => (hasBars(each) ? withNote(each, note) : each)) },
    ...rest,
  };
}

function hasBars(block: Block): boolean {
  if (block.kind !== "chart") return false;
  return block.series.some(({ y, low = y, high = y }) =>
    y.some((value, at) => (low[at] ?? value) < value || (high[at] ?? value) > value),
  );
}

/** Proposes a plot for each value if a chart has too many curves. */
function crowdNotes({ figure }: DrawnPlot, { series, plots }: PlotOptions): string[] {
  const [most, name] = [crowd(figure), series[0]];
  if (most === undefined || name === undefined || plots.length > 1) return [];
  return [`${most} curves in one chart: --plots ${name} draws a chart for each value of ${name}`];
}

/** The plot with its notes; `mixture` is also a caption. */
function withMixture({ figure, values }: DrawnPlot, notes: readonly string[], mixture: string | undefined): PlotAnswer {
  if (mixture === undefined) return { figure, values, remarks: notes };
  return {
    figure: { ...figure, blocks: figure.blocks.map((block) => withNote(block, mixture)) },
    values,
    remarks: [...notes, `${mixture}: separate them with --series, --plots or --where`],
  };
}

/** `mean over np, host`: the parameters whose values the points of a plot combine. */
function mixtureOf(results: readonly DrawnResult[], mixed: readonly string[]): string | undefined {
  if (mixed.length === 0) return undefined;
  const [only, second] = new Set(results.flatMap(({ statistic }) => statistic ?? []));
  return `${second === undefined ? (only ?? "statistics") : "statistics"} over ${mixed.join(", ")}`;
}

function withNote(block: Block, note: string): Block {
  if (block.kind === "text") return block;
  return { ...block, caption: block.caption === undefined ? note : `${block.caption}; ${note}` };
}

/** Defaults: the mean, with one standard deviation as error bars. */
function drawnResult(
  { statistic: statisticText = "mean", errors, style, ...rest }: PlotResult,
  isSurface: boolean,
): DrawnResult {
  const statistic = statisticText.toLowerCase() === "none" ? undefined : statisticName(parseStatistic(statisticText));
  const defaultErrors = !isSurface && (statistic === "mean" || style === "errorbars") ? "stddev" : "none";
  return {
    ...rest,
    ...(style === undefined ? {} : { style }),
    ...(statistic === undefined ? {} : { statistic }),
    errors: errors ?? defaultErrors,
  };
}

function queryFor(options: PlotOptions, x: PlotAxis, results: readonly DrawnResult[]): QueryOptions {
  const { experiment, database, where, commits, runs, y, series, plots } = options;
  const { branch, firstParent, since, until, profiles, commitLabels = "short", join } = options;
  const chosen = { branch, firstParent, since, until, profiles, join };
  const parameters = [...new Set([x.name, ...(y === undefined ? [] : [y.name]), ...series, ...plots])];
  const names = [...new Set(results.map(({ name }) => name))];
  const statistics = statisticsOf(results);
  return {
    experiment,
    where,
    results: statistics.length === 0 ? [...parameters, ...names] : names,
    ...(statistics.length === 0 ? {} : { by: parameters, statistics }),
    ...(commits.length === 0 ? {} : { commits }),
    ...(runs.length === 0 ? {} : { runs }),
    ...(database === undefined ? {} : { database }),
    ...Object.fromEntries(Object.entries(chosen).filter(([, each]) => each !== undefined)),
    commitLabels,
  };
}

/** Resolves a variable name (`@run`, other case, `net.latency`) to a column of the result. */
function columnName({ outputs, aliases }: QueryResult, word: string): string {
  const names = outputs.flatMap((output) => sourceOf(output)?.name ?? []);
  const key = word.toLowerCase();
  return (
    names.find((name) => name === word) ??
    aliases?.get(key) ??
    names.find((name) => name.toLowerCase() === key || `@${name}` === key) ??
    word
  );
}

function titleOf(experiment: string, { results, where }: PlotOptions): string {
  const conditions = where.length === 0 ? "" : ` (${where.join(", ")})`;
  return `${experiment}: ${[...new Set(results.map(({ name }) => name))].join(", ")}${conditions}`;
}

/**
 * The parameters with several values in a group of a query: its statistics combine values that were measured under
 * different conditions. Replicate indexes are not conditions.
 */
async function mixedParameters(workspace: Workspace, options: QueryOptions): Promise<string[]> {
  const { by = [], experiment, database, join } = options;
  if ((options.statistics ?? []).length === 0) return [];
  const experiments = await withExperiments(workspace, experimentHome(workspace, database), "read", async (all) => [
    (await all.find(experiment)).experiment,
    ...(join === undefined ? [] : [(await all.find(join.experiment)).experiment]),
  ]);
  const others = experiments
    .filter((each) => hasResultOf(each, options))
    .flatMap((each, at) =>
      otherParameters(each, { options, by, isQualified: experiments.length > 1, isLater: at > 0 }),
    );
  if (others.length === 0) return [];
  const { sort: _, limit: __, profiles: ___, ...rest } = options;
  try {
    const { table } = await queryRows(
      workspace,
      { ...rest, results: others, statistics: ["min", "max"] },
      new History(workspace),
    );
    // Columns: the groups, then the minimum of each parameter, then the maximum of each.
    const from = table.columns.length - 2 * others.length;
    const isMixed = (at: number): boolean => {
      const [least, greatest] = [table.columns[from + at], table.columns[from + others.length + at]];
      const { type } = table.variables[from + at] as Variable;
      if (least === undefined || greatest === undefined || least.kind === "interned" || greatest.kind === "interned")
        return false;
      for (let row = 0; row < table.length; row++) {
        const [a, b] = [valueAt(least, row, type), valueAt(greatest, row, type)];
        if (a !== null && b !== null && compareValues(a, b, type) !== 0) return true;
      }
      return false;
    };
    return others.filter((_name, at) => isMixed(at));
  } catch (error) {
    if (isFailure(error, "nothing-selected")) return [];
    throw error;
  }
}

/** Whether a statistic is one of this experiment's values; parameters of the other do not matter to it. */
function hasResultOf({ name: experiment, variables }: Experiment, { results = [] }: QueryOptions): boolean {
  const names = new Set(variables.flatMap(({ name }) => [name.toLowerCase(), `${experiment}.${name}`.toLowerCase()]));
  return results.some((name) => names.has(name.toLowerCase()));
}

interface Grouping {
  readonly options: QueryOptions;
  readonly by: readonly string[];
  readonly isQualified: boolean;
  /** Keys of a join are those of an earlier experiment already. */
  readonly isLater: boolean;
}

/** Parameters that are not constant in a group by their name; of a join, with the experiment's name, keys once. */
function otherParameters({ name: experiment, variables }: Experiment, grouping: Grouping): string[] {
  const { options, by, isQualified, isLater } = grouping;
  const isSecond = options.join?.experiment.toLowerCase() === experiment.toLowerCase();
  const held = new Set(by.map((word) => word.toLowerCase()));
  for (const word of options.join?.on ?? []) {
    const [own = "", other = own] = word.toLowerCase().split("=");
    if (isLater || held.has(own) || held.has(other)) held.add(isSecond ? other : own);
  }
  return variables
    .filter((variable) => variable.role === "parameter" && hasOrder(variable) && !isReplicateIndex(variable))
    .filter(({ name }) => !held.has(name.toLowerCase()) && !held.has(`${experiment}.${name}`.toLowerCase()))
    .map(({ name }) => (isQualified ? `${experiment}.${name}` : name));
}
