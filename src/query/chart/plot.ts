import type { ErrorBars, PlotDescription, PlotPlace, PlotResult } from "../../core/experiments/plot-description.ts";

/** A result as it is drawn. */
export interface DrawnResult extends Omit<PlotResult, "errors"> {
  /** As columns name it (`mean`, `q95`); absent: each data set is a point. */
  readonly statistic?: string;
  readonly errors: ErrorBars;
}

/** A description whose names are those of the columns of an answer. */
export interface Plot extends Pick<
  PlotDescription,
  "type" | "y" | "series" | "plots" | "left" | "right" | "z" | "legend"
> {
  readonly title: string;
  readonly results: readonly DrawnResult[];
  readonly x: PlotPlace;
  /** Contents of x in the order they are to have, where that is neither size nor alphabet (versions by history). */
  readonly order?: readonly string[];
  /** What stands at contents of x instead of themselves. */
  readonly labels?: ReadonlyMap<string, string>;
}

/** Statistics that the ends of error bars are made from. */
export function errorStatistics(errors: ErrorBars): readonly string[] {
  return { none: [], stddev: ["stddev"], minmax: ["min", "max"], quantiles: ["q25", "q75"], ci: ["stddev", "count"] }[
    errors
  ];
}

/** The statistics that a question has to ask for so that its answer can be drawn; none: it asks for data sets. */
export function statisticsOf(results: readonly Pick<DrawnResult, "statistic" | "errors">[]): string[] {
  const wanted = results.flatMap(({ statistic, errors }) =>
    statistic === undefined ? [] : [statistic, ...errorStatistics(errors)],
  );
  return [...new Set(wanted)];
}
