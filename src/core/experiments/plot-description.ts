/*
 * What to draw of an experiment: the model behind descriptions of plots and behind the options of the command line.
 * Names and contents are the user's words; they are looked up when the experiment is there.
 */

/**
 * The seed's kinds of plots: one result over a parameter; two results with a scale each; one result with a curve for
 * each content of a second parameter; one result over two parameters.
 */
export const plotTypes = ["2D", "2D-multi", "2D-param", "3D"] as const;
export type PlotType = (typeof plotTypes)[number];

/**
 * What the ends of error bars mean: one standard deviation around the point; smallest and largest content; lower and
 * upper quartile; the 95 % confidence interval of the mean (Student's t).
 */
export const errorBars = ["none", "stddev", "minmax", "quantiles", "ci"] as const;
export type ErrorBars = (typeof errorBars)[number];

/** How points are shown; `errorbars` are points with error bars. `surface` is the one way to show a plot of type 3D. */
export const plotStyles = ["points", "lines", "linespoints", "steps", "bars", "errorbars", "surface"] as const;
export type PlotStyle = (typeof plotStyles)[number];

export const plotScales = ["linear", "log", "log2"] as const;
export type PlotScale = (typeof plotScales)[number];

/** What is said of an axis; from and to are contents, with a unit or without. */
export interface AxisOptions {
  readonly scale?: PlotScale;
  readonly label?: string;
  readonly from?: string;
  readonly to?: string;
}

/** A parameter along an axis. */
export interface PlotAxis extends AxisOptions {
  readonly name: string;
}

export interface PlotResult {
  readonly name: string;
  /** What of several contents: a word such as mean or q95; `none`: every content is a point. Absent: mean. */
  readonly statistic?: string;
  /** Absent: one standard deviation around a mean, none otherwise. */
  readonly errors?: ErrorBars;
  /** Absent: results of one kind of quantity share an axis; in a plot of type 2D-multi each has its own. */
  readonly axis?: "left" | "right";
  readonly style?: PlotStyle;
  /** What the legend calls it. */
  readonly label?: string;
}

export interface PlotDescription {
  readonly type?: PlotType;
  readonly experiment?: string;
  readonly title?: string;
  readonly comment?: string;
  readonly results: readonly PlotResult[];
  readonly x?: PlotAxis;
  /** The second parameter below a surface. */
  readonly y?: PlotAxis;
  /** Parameters with a curve for each content. */
  readonly series: readonly string[];
  /** Up to two parameters with a plot for each content; in one document, or in a file each. */
  readonly plots: readonly string[];
  readonly into?: "document" | "files";
  /** Conditions that all hold. */
  readonly where: readonly string[];
  readonly commits: readonly string[];
  readonly runs: readonly number[];
  readonly left?: AxisOptions;
  readonly right?: AxisOptions;
  /** The axis of the heights of a surface. */
  readonly z?: AxisOptions;
  readonly legend?: boolean;
}

export const emptyPlot: PlotDescription = { results: [], series: [], plots: [], where: [], commits: [], runs: [] };

export interface PlotProblem {
  readonly problem: string;
  readonly advice: string;
}

/** Whether a plot is one over two parameters. */
export function isSurfacePlot({
  type,
  y,
  results,
}: Pick<PlotDescription, "type" | "y"> & { readonly results: readonly { readonly style?: PlotStyle }[] }): boolean {
  return type === "3D" || y !== undefined || results.some(({ style }) => style === "surface");
}

/**
 * What a description lacks, or says against itself; undefined: it can be drawn, as far as can be told without the
 * experiment.
 */
export function plotProblem(plot: PlotDescription): PlotProblem | undefined {
  const { results, x, plots, into } = plot;
  if (results.length === 0) return { problem: "there is no result to draw", advice: "say which, as in RESULT B_copy" };
  if (x === undefined) return { problem: "no parameter lies along the x axis", advice: "say which, as in X S_message" };
  if (plots.length > 2)
    return { problem: `${plots.length} parameters make series of plots`, advice: "name one or two" };
  if (into !== undefined && plots.length === 0)
    return { problem: "there is one plot only", advice: "leave into= out, or name parameters" };
  return isSurfacePlot(plot) ? surfaceProblem(plot) : (typeProblem(plot) ?? flatProblem(plot));
}

function surfaceProblem({ type, y, results, left, right }: PlotDescription): PlotProblem | undefined {
  if (type !== undefined && type !== "3D")
    return {
      problem: `a plot of type ${type} has no second parameter`,
      advice: "choose TYPE 3D, or leave Y and surfaces out",
    };
  if (y === undefined)
    return { problem: "a surface lies over two parameters", advice: "name the second one, as in Y N_threads" };
  if (results.some(({ style }) => style !== undefined && style !== "surface"))
    return { problem: "a plot of type 3D is a surface", advice: "choose style=surface, or leave it out" };
  if (results.some(({ errors = "none" }) => errors !== "none"))
    return { problem: "a surface has no error bars", advice: "leave errors= out" };
  if (results.some(({ axis }) => axis !== undefined) || left !== undefined || right !== undefined)
    return { problem: "a surface has no left and right axis", advice: "say it of AXIS z" };
  return undefined;
}

function typeProblem({ type, results, series }: PlotDescription): PlotProblem | undefined {
  const count = new Set(results.map(({ name }) => name)).size;
  if (type === "2D-multi" && results.length !== 2)
    return {
      problem: `a plot of type 2D-multi has two results, not ${results.length}`,
      advice: "name two, or choose another TYPE",
    };
  if ((type === "2D" || type === "2D-param") && count > 1)
    return {
      problem: `a plot of type ${type} has one result, not ${count}`,
      advice: "choose TYPE 2D-multi for two scales",
    };
  if (type === "2D-param" && series.length === 0)
    return {
      problem: "a plot of type 2D-param needs a parameter with a curve for each content",
      advice: "name it, as in SERIES N_threads",
    };
  if (type === "2D" && series.length > 0)
    return { problem: "a plot of type 2D has one curve", advice: "choose TYPE 2D-param for a curve for each content" };
  return undefined;
}

function flatProblem({ results, z }: PlotDescription): PlotProblem | undefined {
  if (z !== undefined) return { problem: "a plot of two dimensions has no z axis", advice: "say it of AXIS left" };
  const raw = results.filter(({ statistic }) => statistic === "none");
  if (raw.length > 0 && raw.length < results.length)
    return {
      problem: "some results are drawn by a statistic and others content by content",
      advice: "choose one way for all",
    };
  if (raw.some(({ errors = "none", style }) => errors !== "none" || style === "errorbars"))
    return { problem: "error bars need a statistic", advice: "name one, such as mean, or leave the error bars out" };
  return undefined;
}
