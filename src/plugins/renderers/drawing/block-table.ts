import type { Block, TableBlock, TextBlock, SurfaceBlock } from "../../../core/figures/index.ts";
import { axisTitle, positionText } from "./chart-scales.ts";
import { chartTable, numberCell } from "./chart-table.ts";
import { flameTable } from "./flame-table.ts";

/** The data of a block as a table, for media without graphics. */
export function blockTable(block: Exclude<Block, TextBlock>): TableBlock {
  if (block.kind === "table") return block;
  if (block.kind === "flame") return flameTable(block);
  return block.kind === "chart" ? chartTable(block) : surfaceTable(block);
}

/** The heights of a surface as a table with one row per point, for media without graphics. Holes are omitted. */
function surfaceTable({ x, y, z, xs, ys, zs, caption }: SurfaceBlock): TableBlock {
  const rows: string[][] = [];
  zs.forEach((height, at) => {
    if (Number.isNaN(height)) return;
    const [along, across] = [xs[at % xs.length] ?? 0, ys[Math.floor(at / xs.length)] ?? 0];
    rows.push([positionText(x, along), positionText(y, across), numberCell(height)]);
  });
  const head = [x, y, z].map((axis) => ({ label: axisTitle(axis), align: "right" as const }));
  return { kind: "table", ...(caption === undefined ? {} : { caption }), head, rows };
}
