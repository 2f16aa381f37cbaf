import type { RunName } from "./run-name.ts";
/*
 * A plot of an experiment: the model of plot descriptions and of the options of the command line. Names and values are
 * as written; they are resolved when the experiment is known.
 */

/**
 * Plot types: one result over a parameter; two results with a scale each; one result with a curve for each value of a
 * second parameter; one result over two parameters.
 */
export const plotTypes = ["2D", "2D-multi", "2D-param", "3D"] as const;
export type PlotType = (typeof plotTypes)[number];

/**
 * The meaning of error bars: one standard deviation around the point; minimum and maximum; lower and upper quartile;
 * the
 * 95 % confidence interval of the mean (Student's t).
 */
export const errorBars = ["none", "stddev", "minmax", "quantiles", "ci"] as const;
export type ErrorBars = (typeof errorBars)[number];

/** Styles of the type 3D: in perspective, or from above as coloured cells, areas between heights, or lines. */
export const surfaceStyles = ["surface", "heatmap", "contours", "contour-lines"] as const;
export type SurfaceStyle = (typeof surfaceStyles)[number];

/** Styles of points; `errorbars` are points with error bars. */
export const plotStyles = ["points", "lines", "linespoints", "steps", "bars", "errorbars", ...surfaceStyles] as const;
export type PlotStyle = (typeof plotStyles)[number];

/** Whether a style is one of a result over two parameters. */
export function isSurfaceStyle(style: string | undefined): style is SurfaceStyle {
  return surfaceStyles.some((each) => each === style);
}

export const plotScales = ["linear", "log", "log2"] as const;
export type PlotScale = (typeof plotScales)[number];

/** Options of an axis; from and to are values with or without unit. */
export interface AxisOptions {
  readonly scale?: PlotScale;
  readonly label?: string;
  readonly from?: string;
  readonly to?: string;
}

/** An axis with its parameter. */
export interface PlotAxis extends AxisOptions {
  readonly name: string;
}

export interface PlotResult {
  readonly name: string;
  /** The statistic of several values, such as mean or q95; `none`: every value is a point. Absent: mean. */
  readonly statistic?: string;
  /** Absent: one standard deviation around a mean, none otherwise. */
  readonly errors?: ErrorBars;
  /** Absent: results with compatible units share an axis; in the type 2D-multi each has its own. */
  readonly axis?: "left" | "right";
  readonly style?: PlotStyle;
  /** Label in the legend. */
  readonly label?: string;
}

export interface PlotDescription {
  readonly type?: PlotType;
  readonly experiment?: string;
  readonly title?: string;
  readonly comment?: string;
  readonly results: readonly PlotResult[];
  readonly x?: PlotAxis;
  /** The second parameter of a surface. */
  readonly y?: PlotAxis;
  /** Parameters with a curve for each value. */
  readonly series: readonly string[];
  /** Up to two parameters with a plot for each value, in one document or in a file each. */
  readonly plots: readonly string[];
  readonly into?: "document" | "files";
  /** Conditions, joined by and. */
  readonly where: readonly string[];
  readonly commits: readonly string[];
  readonly runs: readonly RunName[];
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
  return type === "3D" || y !== undefined || results.some(({ style }) => isSurfaceStyle(style));
}

/**
 * The first missing or contradictory part of a description; undefined: it is valid as far as known without the
 * experiment.
 */
export function plotProblem(plot: PlotDescription): PlotProblem | undefined {
  const { results, x, plots, into } = plot;
  if (results.length === 0) return { problem: "there is no result to draw", advice: "name one, as in RESULT B_copy" };
  if (x === undefined)
    return { problem: "there is no parameter for the x axis", advice: "name one, as in X S_message" };
  if (plots.length > 2)
    return { problem: `${plots.length} parameters make series of plots`, advice: "name one or two" };
  if (into !== undefined && plots.length === 0)
    return { problem: "there is one plot only", advice: "omit into=, or name parameters" };
  return isSurfacePlot(plot) ? surfaceProblem(plot) : (typeProblem(plot) ?? flatProblem(plot));
}

function surfaceProblem({ type, y, results, left, right }: PlotDescription): PlotProblem | undefined {
  if (type !== undefined && type !== "3D")
    return {
      problem: `a plot of type ${type} has no second parameter`,
      advice: "choose TYPE 3D, or omit Y and surfaces",
    };
  if (y === undefined)
    return { problem: "a surface needs two parameters", advice: "name the second one, as in Y N_threads" };
  if (results.some(({ style }) => style !== undefined && !isSurfaceStyle(style)))
    return {
      problem: "a plot of type 3D is a surface",
      advice: `choose a style of ${surfaceStyles.join(", ")}, or omit it`,
    };
  if (results.some(({ errors = "none" }) => errors !== "none"))
    return { problem: "a surface has no error bars", advice: "omit errors=" };
  if (results.some(({ axis }) => axis !== undefined) || left !== undefined || right !== undefined)
    return { problem: "a surface has no left and right axis", advice: "use AXIS z" };
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
      problem: "a plot of type 2D-param needs a parameter with a curve for each value",
      advice: "name it, as in SERIES N_threads",
    };
  if (type === "2D" && series.length > 0)
    return { problem: "a plot of type 2D has one curve", advice: "choose TYPE 2D-param for a curve for each value" };
  return undefined;
}

function flatProblem({ results, z }: PlotDescription): PlotProblem | undefined {
  if (z !== undefined) return { problem: "a plot of two dimensions has no z axis", advice: "use AXIS left" };
  const raw = results.filter(({ statistic }) => statistic === "none");
  if (raw.length > 0 && raw.length < results.length)
    return {
      problem: "some results have a statistic and others are drawn value by value",
      advice: "choose one way for all",
    };
  if (raw.some(({ errors = "none", style }) => errors !== "none" || style === "errorbars"))
    return { problem: "error bars need a statistic", advice: "name one, such as mean, or omit the error bars" };
  return undefined;
}
