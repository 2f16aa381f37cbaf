import type { Block, TableBlock, TextBlock } from "../../../core/figures/figure.ts";
import { chartTable } from "./chart-table.ts";
import { flameTable } from "./flame-table.ts";
import { surfaceTable } from "./surface-table.ts";

/** The data of a block as a table, for media without graphics. */
export function blockTable(block: Exclude<Block, TextBlock>): TableBlock {
  if (block.kind === "table") return block;
  if (block.kind === "flame") return flameTable(block);
  return block.kind === "chart" ? chartTable(block) : surfaceTable(block);
}
