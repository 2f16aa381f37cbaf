import type { Block } from "../src/core/figure.ts";
import { blockTable } from "../src/plugins/renderers/drawing/block-table.ts";
import { svgChart, svgFigure } from "../src/plugins/renderers/drawing/svg-figure.ts";
import type { ChartDrawing } from "./chart-drawing.ts";

/* The drawing of pictures, a script of its own: it is large, and most pages do without. It hands itself over by a global name. */

const drawing: ChartDrawing = {
  draw: (block: Block, width: number, height: number, dark: boolean) =>
    block.kind === "chart"
      ? svgChart({ ...block, caption: "" }, { width, height, dark }, "c")
      : svgFigure({ title: "", blocks: [block] }, { width, height, dark }),
  table: blockTable,
};

(globalThis as { perfkeepCharts?: ChartDrawing }).perfkeepCharts = drawing;
