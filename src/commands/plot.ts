import type { Figure } from "../core/figure.ts";
import { plotFigure } from "../query/plot-figure.ts";
import { errorBars, statisticsOf, type ErrorBars, type Plot } from "../query/plot.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { query, type QueryOptions, type QueryResult } from "./query.ts";

/** The kinds of error bars that can be asked for. */
export const errorKinds: readonly ErrorBars[] = errorBars;

export interface PlotOptions
  extends Omit<Plot, "title" | "order" | "errors">, Omit<QueryOptions, "results" | "by" | "statistics" | "sort" | "limit"> {
  /** Absent: the names of results and experiment. */
  readonly title?: string;
  /** Absent: one standard deviation around a mean, none otherwise. */
  readonly errors?: Plot["errors"];
}

/** Asks an experiment and draws the answer. Fails like `query`, with `nothing-to-draw`, and with `unusable-combination` for what has no picture. */
export async function plot(workspace: Workspace, options: PlotOptions): Promise<Figure> {
  const {
    x: along,
    y: wanted,
    series: apart,
    statistic,
    mark,
    logX,
    logY,
    errors = statistic === "mean" ? "stddev" : "none",
    title,
    ...question
  } = options;
  const parameters = [along, ...apart];
  const statistics = statisticsOf({ ...(statistic === undefined ? {} : { statistic }), errors });
  const answer = await query(workspace, {
    ...question,
    results: statistics.length === 0 ? [...parameters, ...wanted] : wanted,
    ...(statistics.length === 0 ? {} : { by: parameters, statistics }),
  });
  const { table, experiment } = answer;
  const found = (word: string): string => foundName(answer, word);
  const x = found(along);
  const order = x === "commit" ? await historyOf(workspace) : undefined;
  return plotFigure(table, {
    title: title ?? titleOf(experiment, options),
    x,
    y: wanted.map(found),
    series: apart.map(found),
    errors,
    logX,
    logY,
    ...(statistic === undefined ? {} : { statistic }),
    ...(mark === undefined ? {} : { mark }),
    ...(order === undefined ? {} : { order }),
  });
}

/** The name of the variable that a user's word stands for (`@run`, other case), as the columns of the answer have it. */
function foundName({ outputs }: QueryResult, word: string): string {
  const names = outputs.flatMap(({ source }) => source?.name ?? []);
  const key = word.toLowerCase();
  return names.find((name) => name === word) ?? names.find((name) => name.toLowerCase() === key || `@${name}` === key) ?? word;
}

function titleOf(experiment: string, { y, where = [] }: PlotOptions): string {
  const conditions = where.length === 0 ? "" : ` (${where.join(", ")})`;
  return `${experiment}: ${y.join(", ")}${conditions}`;
}

/** Versions from the first to the head. */
async function historyOf(workspace: Workspace): Promise<string[]> {
  const vcs = await workspace.vcs();
  const ids: string[] = [];
  for await (const version of vcs.walk(await vcs.head())) ids.push(version.id);
  return ids.reverse();
}
