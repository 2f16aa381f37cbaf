import type { ChartBlock } from "../core/figure.ts";

/**
 * What the ends of error bars mean: one standard deviation around the point; smallest and largest content; lower and upper quartile;
 * the 95 % confidence interval of the mean (Student's t).
 */
export const errorBars = ["none", "stddev", "minmax", "quantiles", "ci"] as const;

export type ErrorBars = (typeof errorBars)[number];

/** Statistics that the ends of error bars are made from. */
export function errorStatistics(errors: ErrorBars): readonly string[] {
  return { none: [], stddev: ["stddev"], minmax: ["min", "max"], quantiles: ["q25", "q75"], ci: ["stddev", "count"] }[errors];
}

/** What to draw of the answer to a question: one curve for each result and each combination of contents of `series`. */
export interface Plot {
  readonly title: string;
  /** Parameter along the x axis. */
  readonly x: string;
  /** Results along the y axes; at most two different kinds of quantity. */
  readonly y: readonly string[];
  /** Parameters that tell the curves apart. */
  readonly series: readonly string[];
  /** Statistic that is drawn, as columns name it (`mean`, `q95`); absent: each data set is a point. */
  readonly statistic?: string;
  readonly errors: ErrorBars;
  /** How points are shown; absent: bars over categories, a line over numbers, points where there is no statistic. */
  readonly mark?: ChartBlock["mark"];
  readonly logX: boolean;
  readonly logY: boolean;
  /** Contents of x in the order they are to have, where that is neither size nor alphabet (versions by history). */
  readonly order?: readonly string[];
}

/** The statistics that a question has to ask for so that its answer can be drawn. */
export function statisticsOf(plot: Pick<Plot, "statistic" | "errors">): string[] {
  return plot.statistic === undefined ? [] : [...new Set([plot.statistic, ...errorStatistics(plot.errors)])];
}
