import { Failure } from "../core/errors.ts";
import { isSurfacePlot, plotProblem, type PlotDescription, type PlotPlace, type PlotResult } from "../core/plot-description.ts";
import { descriptionText } from "../formats/description-text.ts";
import { readPlot } from "../formats/plot-text.ts";
import { drawPlot, type DrawnPlot } from "../query/plot-figure.ts";
import { statisticsOf, type DrawnResult, type Plot } from "../query/plot.ts";
import { parseStatistic, statisticName } from "../query/statistic.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { query, type QueryResult } from "./query.ts";

export type { DrawnPlot };

export interface PlotOptions extends PlotDescription {
  readonly experiment: string;
  readonly database?: string;
}

/** What a file says is to be drawn. Fails with `description-error`, `unreadable-file`. */
export function plotDescription(workspace: Workspace, file: string): PlotDescription {
  return readPlot(descriptionText(workspace.files.read(file), file), file);
}

/** Asks an experiment and draws the answer. Fails like `query`, with `nothing-to-draw`, and with `unusable-combination` for what has no picture. */
export async function plot(workspace: Workspace, options: PlotOptions): Promise<DrawnPlot> {
  const problem = plotProblem(options);
  if (problem !== undefined || options.x === undefined)
    throw new Failure("unusable-combination", { what: problem?.problem, instead: problem?.advice });
  const results = options.results.map((result) => drawnResult(result, isSurfacePlot(options)));
  const answer = await query(workspace, questionOf(options, options.x, results));
  const found = (word: string): string => foundName(answer, word);
  const along = <T extends PlotPlace | undefined>(place: T): T => (place === undefined ? place : { ...place, name: found(place.name) });
  const x = along(options.x);
  const order = x.name === "commit" ? { order: await historyOf(workspace) } : {};
  const { y } = options;
  const resolved: Plot = {
    ...options,
    ...order,
    title: options.title ?? titleOf(answer.experiment, options),
    x,
    ...(y === undefined ? {} : { y: along(y) }),
    results: results.map((result) => ({ ...result, name: found(result.name) })),
    series: options.series.map(found),
    plots: options.plots.map(found),
  };
  return drawPlot(answer.table, resolved);
}

/** What is not said of a result: its mean is drawn, with one standard deviation. */
function drawnResult({ statistic: said = "mean", errors, style, ...rest }: PlotResult, isSurface: boolean): DrawnResult {
  const statistic = said.toLowerCase() === "none" ? undefined : statisticName(parseStatistic(said));
  const usual = !isSurface && (statistic === "mean" || style === "errorbars") ? "stddev" : "none";
  return {
    ...rest,
    ...(style === undefined ? {} : { style }),
    ...(statistic === undefined ? {} : { statistic }),
    errors: errors ?? usual,
  };
}

function questionOf(options: PlotOptions, x: PlotPlace, results: readonly DrawnResult[]): Parameters<typeof query>[1] {
  const { experiment, database, where, commits, runs, y, series, plots } = options;
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
  };
}

/** The name of the variable that a user's word stands for (`@run`, other case), as the columns of the answer have it. */
function foundName({ outputs }: QueryResult, word: string): string {
  const names = outputs.flatMap(({ source }) => source?.name ?? []);
  const key = word.toLowerCase();
  return names.find((name) => name === word) ?? names.find((name) => name.toLowerCase() === key || `@${name}` === key) ?? word;
}

function titleOf(experiment: string, { results, where }: PlotOptions): string {
  const conditions = where.length === 0 ? "" : ` (${where.join(", ")})`;
  return `${experiment}: ${[...new Set(results.map(({ name }) => name))].join(", ")}${conditions}`;
}

/** Versions from the first to the head. */
async function historyOf(workspace: Workspace): Promise<string[]> {
  const vcs = await workspace.vcs();
  const ids: string[] = [];
  for await (const version of vcs.walk(await vcs.head())) ids.push(version.id);
  return ids.reverse();
}
