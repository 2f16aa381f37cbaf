import { type ChartBlock, type ChartSeries, markOf, type Mark } from "../../../../core/figures/figure.ts";
import { terminalText } from "../../../../core/text/terminal-text.ts";
import { cutToPixels, textWidth } from "./dejavu-sans.ts";
import { round, svgText } from "./svg-text.ts";
import { lookOf, type SeriesLook, type Theme } from "../theme.ts";

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
    svg += keyOf(markOf(chart, series), lookOf(theme, i), left + x, row * rowHeight + 10);
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
    return `<rect x="${round(x + 6)}" y="${round(y - 6)}" width="14" height="12" fill="${look.color}"/>`;
  const dash = { solid: "", dashed: ' stroke-dasharray="6 3"', dotted: ' stroke-dasharray="2 2"' }[look.dash];
  const line = `<path d="M${round(x)} ${round(y)}h22" stroke="${look.color}" stroke-width="2"${dash}/>`;
  return (mark === "points" ? "" : line) + (mark === "curve" ? "" : markerOf(look, x + 11, y));
}

/** A point marker of the series, 8 pixels wide. */
function markerOf({ symbol, color }: SeriesLook, x: number, y: number): string {
  const [cx, cy] = [round(x), round(y)];
  if (symbol === "circle") return `<circle cx="${cx}" cy="${cy}" r="4" fill="${color}"/>`;
  const path = { rect: "m-4 -4h8v8h-8z", triangle: "m0 -4l4 8h-8z", diamond: "m0 -5l4 5l-4 5l-4 -5z" }[symbol];
  return `<path d="M${cx} ${cy}${path}" fill="${color}"/>`;
}
