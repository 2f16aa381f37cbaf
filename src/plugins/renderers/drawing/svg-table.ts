import type { TableBlock } from "../../../core/figure.ts";
import { terminalText } from "../../../core/terminal-text.ts";
import { cutToPixels, textWidth } from "./dejavu-sans.ts";
import type { Piece } from "./svg-legend.ts";
import { round, svgText } from "./svg-text.ts";
import type { Theme } from "./theme.ts";

const size = 12;
const rowHeight = 20;
const gap = 20;
const widestCell = 420;

/** A table as text elements, its upper left corner at (left, 0). Cells wider than 420 pixels are cut. */
export function svgTable(table: TableBlock, theme: Theme, left: number): Piece {
  const cells = [table.head.map((column) => column.label), ...table.rows].map((row) =>
    row.map((cell) => cutToPixels(terminalText(cell), widestCell, size)),
  );
  const widths = table.head.map((_, i) => Math.max(...cells.map((row) => textWidth(row[i] ?? "", size))));
  let svg = "";
  cells.forEach((row, line) => {
    let x = left;
    row.forEach((cell, i) => {
      const width = widths[i] ?? 0;
      const align = table.head[i]?.align ?? "left";
      const look = { size, color: theme.text, align, bold: false };
      if (cell !== "") svg += svgText(align === "right" ? x + width : x, line * rowHeight + 14, cell, look);
      x += width + gap;
    });
  });
  const total = widths.reduce((sum, width) => sum + width + gap, -gap);
  svg += `<path d="M${round(left)} ${rowHeight}h${round(total)}" stroke="${theme.axis}"/>`;
  return { svg, height: cells.length * rowHeight + 8 };
}
