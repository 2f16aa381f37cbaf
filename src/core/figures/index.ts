// Figures: text, tables, charts, surfaces and flame graphs as data, independent of the output medium.
// Used by views, queries and commands that create figures, and by renderers and pages that draw them.
// Never draws, and never escapes text for a medium.

export {
  type ChangedStacks,
  comparedJson,
  differenceFigure,
  differenceTable,
  percent,
  quantityBlocks,
  remarkOf,
  totalsText,
} from "./difference-figure.ts";
export { type DrawableSurface, drawableSurface, surfaceNote } from "./drawable-surface.ts";
export {
  type Axis,
  type Block,
  type ChartBlock,
  type ChartPoint,
  type ChartSeries,
  type Contours,
  type Figure,
  type FlameBlock,
  type Mark,
  type SurfaceBlock,
  type TableBlock,
  type TableColumn,
  type TextBlock,
  drawableOn,
  drawablePoints,
  isLog,
  isTime,
  markOf,
  omittedNote,
  requirePoints,
  yAxisOf,
} from "./figure.ts";
export { type FlameForm, type FlameGraph, pathOf } from "./flame-graph.ts";
export { latexLines, latexText } from "./latex-table.ts";
export { isStacked, stackedChart } from "./stacked-chart.ts";
export { answerFigure, jsonRow, jsonValue } from "./table-figure.ts";
export { tableStyleNames } from "./table-style-names.ts";
