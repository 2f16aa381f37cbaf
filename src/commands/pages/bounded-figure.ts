import { counted } from "../../core/counted.ts";
import type { Block, Figure } from "../../core/figure.ts";

/** Rows of a table that a page is sent: more are for programs. */
const mostRows = 5000;

/** The figure with no more rows in each table than a page can show; what was left out is told behind it. */
export function boundedFigure(figure: Figure): Figure {
  return { ...figure, blocks: figure.blocks.flatMap(boundedBlock) };
}

function boundedBlock(block: Block): readonly Block[] {
  if (block.kind !== "table" || block.rows.length <= mostRows) return [block];
  const rest = {
    kind: "text",
    text: `${counted(block.rows.length - mostRows, "more row")}: the command line shows all`,
  } as const;
  return [{ ...block, rows: block.rows.slice(0, mostRows) }, rest];
}
