// Figures of query results: a specification of curves or surfaces becomes axes, positions and series.
// Used by the plot command, by the charts of described queries and by src/query/mine.
// Never runs a query and never renders; renderers do.

export { unitOf } from "./axes.ts";
export { buildCharts, buildSurfaces, crowd, hiddenPointNotes } from "./build-chart.ts";
export { type NamedColumn, numbersOf } from "./columns.ts";
export { type DrawnPlot, drawPlot } from "./draw-plot.ts";
export { type DrawnResult, type Plot, statisticsOf } from "./plot.ts";
export type { ResultPoints } from "./points.ts";
export { alongCategories, type AxisPositions, isNumeric } from "./positions.ts";
