// Queries experiments: tables, query descriptions, plots, SQL, frozen queries, mining, and series over history.
// Used by the verbs query, plot, sql and mine, and by verdicts and pages.
// Never changes rows; stores nothing but frozen queries and caches.

export { type ExperimentSeries, experimentSeries } from "./experiment-series.ts";
export type { FreezeName } from "./frozen-query.ts";
export { type MineAnswer, type MineOptions, jobFile, mine, mineFigure, runOrders } from "./mine.ts";
export { type DrawnPlot, type PlotAnswer, type PlotOptions, attachedPlot, plot, plotDescription } from "./plot.ts";
export { type QueryGraphOptions, runQuery } from "./query-graph.ts";
export { type QueryOutput, crowdedCharts, drawPictures } from "./query-outputs.ts";
export type { QueryOptions, QueryResult } from "./query-result.ts";
export { query, queryRows } from "./query.ts";
export {
  type BuiltSeries,
  type ProfileFilter,
  type SeriesAxis,
  type SeriesRange,
  profileSeries,
  seriesAxis,
} from "./series.ts";
export type { PlanStep } from "./plan-step.ts";
export type { SqlInput } from "./sql.ts";
export { sourceOf } from "../../query/plan/index.ts";
