import type { Block, Figure } from "../../core/figures/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import type { Values } from "../../core/values/index.ts";
import {
  heapEvents,
  gridBlock,
  gridNote,
  inBytes,
  processCaption,
  totalBlock,
  heapGrid,
  linesOption,
  textOption,
  titled,
  wantedRows,
  gridOptions,
} from "../../query/profile/index.ts";
import { withDefaults, numberWithin } from "../plugin.ts";
import type { View } from "./view.ts";

/** Addresses in use over time: the state at the end of each column. */
export const heapMap: View = Object.freeze<View>({
  kind: "view",
  name: "heapmap",
  aliases: ["heap-map", "heap"],
  synopsis: "memory in use by address and snapshot",
  options: gridOptions,
  draw: drawHeapMap,
});

function drawHeapMap(run: Run, given: Values): Figure {
  const options = withDefaults(heapMap, given);
  const [rows, columns] = [
    numberWithin(heapMap, options, "rows", 2, 400),
    numberWithin(heapMap, options, "columns", 2, 400),
  ];
  const blocks = heapEvents(wantedRows(run, linesOption(options, "where"))).flatMap((events): Block[] => {
    const grid = heapGrid(events, rows, columns);
    const caption = processCaption(events.process, gridNote(grid));
    // Everything may have been freed before the end of the first column.
    const map: Block[] = grid.held.some((cell) => cell > 0)
      ? [gridBlock(grid, grid.held, inBytes, caption)]
      : [{ kind: "text", text: "nothing was in use at the end of a snapshot" }];
    return [...map, totalBlock(grid)];
  });
  return { title: textOption(options, "title") ?? titled(run, "memory in use"), blocks };
}
