import type { TableBlock } from "../../../../core/figures/figure.ts";
import { terminalText } from "../../../../core/text/terminal-text.ts";
import { cutToPixels, textWidth } from "./dejavu-sans.ts";
import type { Piece } from "./svg-legend.ts";
import { round, svgText } from "./svg-text.ts";
import type { Theme } from "../theme.ts";

const size = 12;
const rowHeight = 20;
const gap = 20;
const maxCellWidth = 420;
/** Minimum width of truncated cells. */
const minCellWidth = 60;

/**
 * A table as text elements with its upper left corner at (left, 0). Truncates cells to 420 pixels, and the widest text
 * columns until the table fits into `room` pixels, if possible.
 */
export function svgTable(table: TableBlock, theme: Theme, left: number, room: number): Piece {
  const whole = [table.head.map((column) => column.label), ...table.rows].map((row) =>
    row.map((cell) => cutToPixels(terminalText(cell), maxCellWidth, size)),
  );
  const limits = limitsOf(table, whole, room);
  const cells = whole.map((row) => row.map((cell, i) => cutToPixels(cell, limits[i] ?? maxCellWidth, size)));
  const widths = table.head.map((_, i) => widest(cells, i));
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

function widest(cells: readonly (readonly string[])[], column: number): number {
  return cells.reduce((maximum, row) => Math.max(maximum, textWidth(row[column] ?? "", size)), 0);
}

/**
 * Maximum width of each column: text columns share the space that numbers leave; narrow ones release what they do not
 * need.
 */
function limitsOf(table: TableBlock, cells: readonly (readonly string[])[], room: number): number[] {
  const limits = table.head.map((_, i) => Math.min(maxCellWidth, widest(cells, i)));
  const texts = [...table.head.keys()].filter((i) => table.head[i]?.align === "left" && table.head[i]?.whole !== true);
  const numbers = limits.reduce((sum, limit, i) => (texts.includes(i) ? sum : sum + limit), 0);
  let left = room - numbers - gap * (table.head.length - 1);
  const byWidth = texts.toSorted((a, b) => (limits[a] ?? 0) - (limits[b] ?? 0));
  for (const [at, i] of byWidth.entries()) {
    limits[i] = Math.min(limits[i] ?? 0, Math.max(minCellWidth, left / (byWidth.length - at)));
    left -= limits[i] ?? 0;
  }
  return limits;
}
