import {
  type TableBlock,
  type ChartBlock,
  type ChartSeries,
  markOf,
  type Mark,
} from "../../../../core/figures/index.ts";
import { terminalText } from "../../../../core/text/index.ts";
import { type Theme, lookOf, type SeriesLook } from "../theme.ts";
import { cutToPixels, textWidth } from "./dejavu-sans.ts";
import { round, svgText } from "./svg-text.ts";

const size = 12;
const rowHeight = 20;
const keyWidth = 30;
const gap = 18;
const maxRows = 6;
const moreWidth = 100;

/** A part of a picture and its height. */
export interface Piece {
  readonly svg: string;
  readonly height: number;
}

/** The legend of a chart in rows from the left, `width` pixels wide; empty for a single series. */
export function svgLegend(chart: ChartBlock, theme: Theme, left: number, width: number): Piece {
  if (chart.series.length < 2 || chart.legend === false) return { svg: "", height: 0 };
  let [x, row] = [0, 0];
  let svg = "";
  for (const [i, series] of chart.series.entries()) {
    const label = cutToPixels(entryLabel(chart, series), width - keyWidth, size);
    const entry = keyWidth + textWidth(label, size);
    const crowded = x + entry + gap + moreWidth > width;
    if (row === maxRows - 1 && crowded && i < chart.series.length - 1) {
      svg += svgText(left + x, row * rowHeight + 14, `… and ${chart.series.length - i} more`, {
        size,
        color: theme.axis,
      });
      break;
    }
    if (x > 0 && x + entry > width) [x, row] = [0, row + 1];
    svg += keyOf(markOf(chart, series), lookOf(theme, i, chart.stacked), left + x, row * rowHeight + 10);
    svg += svgText(left + x + keyWidth - 4, row * rowHeight + 14, label, { size, color: theme.text });
    x += entry + gap;
  }
  return { svg, height: (row + 1) * rowHeight + 4 };
}

function entryLabel(chart: ChartBlock, series: ChartSeries): string {
  const side = chart.y.length === 2 ? (series.axis === 0 ? " (left)" : " (right)") : "";
  return terminalText(series.label) + side;
}

function keyOf(mark: Mark, look: SeriesLook, x: number, y: number): string {
  if (mark === "bars" || mark === "area")
    return (
      `<rect x="${round(x + 6)}" y="${round(y - 6)}" width="14" height="12" ` +
      `fill="${look.color}"${paleness(mark, look)}/>`
    );
  const dash = { solid: "", dashed: ' stroke-dasharray="6 3"', dotted: ' stroke-dasharray="2 2"' }[look.dash];
  const line = `<path d="M${round(x)} ${round(y)}h22" stroke="${look.color}" stroke-width="2"${dash}/>`;
  return (mark === "points" ? "" : line) + (mark === "curve" ? "" : markerOf(look, x + 11, y));
}

/** The opacity of a bar. */
function paleness(mark: Mark, { opacity }: SeriesLook): string {
  return mark !== "bars" || opacity === 1 ? "" : ` opacity="${opacity}"`;
}

/** A point marker of the series, 8 pixels wide. */
function markerOf({ symbol, color }: SeriesLook, x: number, y: number): string {
  const [cx, cy] = [round(x), round(y)];
  if (symbol === "circle") return `<circle cx="${cx}" cy="${cy}" r="4" fill="${color}"/>`;
  const path = { rect: "m-4 -4h8v8h-8z", triangle: "m0 -4l4 8h-8z", diamond: "m0 -5l4 5l-4 5l-4 -5z" }[symbol];
  return `<path d="M${cx} ${cy}${path}" fill="${color}"/>`;
}

const columnGap = 20;
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
      x += width + columnGap;
    });
  });
  const total = widths.reduce((sum, width) => sum + width + columnGap, -columnGap);
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
  let left = room - numbers - columnGap * (table.head.length - 1);
  const byWidth = texts.toSorted((a, b) => (limits[a] ?? 0) - (limits[b] ?? 0));
  for (const [at, i] of byWidth.entries()) {
    limits[i] = Math.min(limits[i] ?? 0, Math.max(minCellWidth, left / (byWidth.length - at)));
    left -= limits[i] ?? 0;
  }
  return limits;
}
