import type { ErrorBars, PlotDescription, PlotAxis, PlotResult } from "../../core/experiments/index.ts";

/** A result as it is drawn. */
export interface DrawnResult extends Omit<PlotResult, "errors"> {
  /** As in column names (`mean`, `q95`); absent: each row is a point. */
  readonly statistic?: string;
  readonly errors: ErrorBars;
}

/** A plot description with the column names of a result. */
export interface Plot extends Pick<
  PlotDescription,
  "type" | "y" | "series" | "plots" | "left" | "right" | "z" | "legend"
> {
  readonly title: string;
  readonly results: readonly DrawnResult[];
  readonly x: PlotAxis;
  /** Values of x in their order on the axis, if not by size or alphabet (versions in order of history). */
  readonly order?: readonly string[];
  /** Labels of values of x. */
  readonly labels?: ReadonlyMap<string, string>;
}

/** Statistics that error bars are made from. */
export function errorStatistics(errors: ErrorBars): readonly string[] {
  return { none: [], stddev: ["stddev"], minmax: ["min", "max"], quantiles: ["q25", "q75"], ci: ["stddev", "count"] }[
    errors
  ];
}

/** The statistics that a query must compute for the plot; none: it selects rows. */
export function statisticsOf(results: readonly Pick<DrawnResult, "statistic" | "errors">[]): string[] {
  const wanted = results.flatMap(({ statistic, errors }) =>
    statistic === undefined ? [] : [statistic, ...errorStatistics(errors)],
  );
  return [...new Set(wanted)];
}
