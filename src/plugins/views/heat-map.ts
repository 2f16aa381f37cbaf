import type { Axis, Block, Figure } from "../../core/figures/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import type { Values } from "../../core/values/index.ts";
import {
  heapEvents,
  gridBlock,
  gridNote,
  processCaption,
  heapGrid,
  linesOption,
  textOption,
  titled,
  wantedRows,
  gridOptions,
} from "../../query/profile/index.ts";
import { withDefaults, numberWithin, option } from "../plugin.ts";
import type { View } from "./view.ts";

/** Number of allocations by address over time. */
export const heatMap: View = Object.freeze<View>({
  kind: "view",
  name: "heatmap",
  aliases: ["heat-map", "heat"],
  synopsis: "number of allocations by address and snapshot",
  options: [...gridOptions, option("scale", "string", "linear", "colour scale", ["linear", "log"])],
  draw: drawHeatMap,
});

function drawHeatMap(run: Run, given: Values): Figure {
  const options = withDefaults(heatMap, given);
  const [rows, columns] = [
    numberWithin(heatMap, options, "rows", 2, 400),
    numberWithin(heatMap, options, "columns", 2, 400),
  ];
  const counted: Axis = { label: "allocations", scale: options.get("scale") === "log" ? "log" : "linear" };
  const blocks = heapEvents(wantedRows(run, linesOption(options, "where"))).map((events): Block => {
    const grid = heapGrid(events, rows, columns);
    return gridBlock(grid, grid.hits, counted, processCaption(events.process, gridNote(grid)));
  });
  return { title: textOption(options, "title") ?? titled(run, "allocations by address"), blocks };
}
