import type { Block } from "../src/core/figures/index.ts";
import { blockTable } from "../src/plugins/renderers/drawing/block-table.ts";
import { chartSpots } from "../src/plugins/renderers/drawing/svg/chart-spots.ts";
import { svgChart, svgFigure } from "../src/plugins/renderers/drawing/svg/svg-figure.ts";
import type { ChartDrawing } from "./context/chart-drawing.ts";

/* Chart drawing is a separate script with a global export, because it is large and most pages do not need it. */

const drawing: ChartDrawing = {
  draw: async (block: Block, width: number, height: number, dark: boolean) => {
    const [drawn, paper] = [withoutCaption(block), { width, height, dark }];
    if (drawn.kind !== "chart") return { svg: await svgFigure({ title: "", blocks: [drawn] }, paper), spots: [] };
    return { svg: await svgChart(drawn, paper, "c"), spots: chartSpots(drawn, paper) };
  },
  table: blockTable,
};

/** The page shows the caption next to the picture. */
function withoutCaption(block: Block): Block {
  if (block.kind === "text") return block;
  const { caption: _, ...drawn } = block;
  return drawn;
}

(globalThis as { perfkeepCharts?: ChartDrawing }).perfkeepCharts = drawing;
