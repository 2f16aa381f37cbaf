// Figures of query results: axes, positions, panels, curves and surfaces from a plot description.
// Used by the plot command and src/query/mine.
// Never runs a query and never renders; renderers do.

export { unitOf } from "./axes.ts";
export { type DrawnPlot, drawPlot } from "./draw-plot.ts";
export { type DrawnResult, type Plot, statisticsOf } from "./plot.ts";
