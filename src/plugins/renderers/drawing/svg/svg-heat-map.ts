import { drawableSurface, type DrawableSurface, type Axis, type SurfaceBlock } from "../../../../core/figures/index.ts";
import { terminalText } from "../../../../core/text/index.ts";
import { shortNumber } from "../../../../math/plotting/index.ts";
import { drawnAxisTitle, tickLabel } from "../chart-scales.ts";
import { rampColor } from "../color-ramp.ts";
import { surfaceScales } from "../surface-scales.ts";
import type { Theme } from "../theme.ts";
import { colorBar } from "./color-bar.ts";
import { cutToPixels, textWidth } from "./dejavu-sans.ts";
import { surfaceTitles } from "./surface-titles.ts";
import { round, svgText } from "./svg-text.ts";

const size = 12;
const margin = 16;
const below = 56;
/** Minimum width of row labels: complete addresses, which differ in their last digits. */
const minLabelWidth = 120;
/** Horizontal padding and minimum height of cells with numbers. */
const [numberPadding, minNumberHeight] = [6, 16];

/** Layout of the cells. */
interface Grid {
  readonly left: number;
  readonly top: number;
  readonly cell: { readonly width: number; readonly height: number };
  readonly shown: DrawableSurface;
  /** The tooltip of the cell in a column and a row. */
  readonly titleOf: (i: number, j: number) => string;
}

/**
 * A surface as a heat map: one cell per point, coloured by its height, with a colour bar, and the number if there is
 * room. The first row is at the bottom.
 */
export function svgHeatMap(surface: SurfaceBlock, theme: Theme, width: number, height: number, id: string): string {
  const shown = drawableSurface(surface);
  const { z } = surfaceScales(surface, 6);
  const rows = shown.ys.map((position) =>
    cutToPixels(terminalText(tickLabel(surface.y, position)), Math.max(minLabelWidth, width / 4), size),
  );
  const heights = z.ticks.map((tick) => tickLabel(surface.z, tick));
  const title = drawnAxisTitle(surface.z);
  const right = 14 + widest(heights) + 28;
  const left = margin + widest(rows) + 8;
  const top = 30;
  const cell = {
    width: (width - left - right - margin) / shown.xs.length,
    height: (height - top - below) / shown.ys.length,
  };
  const grid = { left, top, cell, shown, titleOf: surfaceTitles(surface) };
  const bar = colorBar(heights, z.ticks.map(z.at), theme, { left: width - right, height }, id);
  const head = svgText(width - margin, 14, cutToPixels(terminalText(title), width - 2 * margin, size), {
    size,
    color: theme.text,
    align: "right",
  });
  const yTitle = svgText(margin, 14, cutToPixels(terminalText(drawnAxisTitle(surface.y)), width / 2, size), {
    size,
    color: theme.text,
  });
  return yTitle + head + cells(grid, z.at) + rowLabels(grid, rows, theme) + columnLabels(grid, surface.x, theme) + bar;
}

function widest(labels: readonly string[]): number {
  return labels.reduce((maximum, label) => Math.max(maximum, textWidth(label, size)), 0);
}

/** Holes stay empty. Cells overlap slightly to avoid visible seams. */
function cells({ left, top, cell, shown, titleOf }: Grid, at: (height: number) => number): string {
  const texts = shown.heights.flat().map((height) => (Number.isFinite(height) ? shortNumber(height) : ""));
  const hasNumbers = cell.height >= minNumberHeight && widest(texts) + numberPadding <= cell.width;
  const drawn = shown.heights.flatMap((row, j) =>
    row.map((height, i) => {
      if (!Number.isFinite(height)) return "";
      const [x, y] = [left + i * cell.width, top + (shown.ys.length - 1 - j) * cell.height];
      const share = at(height);
      const [right, down] = [round(cell.width + 0.3), round(cell.height + 0.3)];
      const box = `<path d="M${round(x)} ${round(y)}h${right}v${down}h${-right}z" fill="${rampColor(share)}"`;
      const title = titleOf(i, j);
      const area = title === "" ? `${box}/>` : `${box}>${title}</path>`;
      const look = { size, color: share > 0.55 ? "black" : "white", align: "right" } as const;
      const text = shortNumber(height);
      return hasNumbers
        ? area + svgText(x + (cell.width + textWidth(text, size)) / 2, y + cell.height / 2 + 4, text, look)
        : area;
    }),
  );
  return `<g shape-rendering="crispEdges">${drawn.join("")}</g>`;
}

function rowLabels({ left, top, cell, shown }: Grid, labels: readonly string[], theme: Theme): string {
  const stride = Math.max(1, Math.ceil(16 / cell.height));
  return labels
    .map((text, j) => {
      const y = top + (shown.ys.length - 0.5 - j) * cell.height + 4;
      return j % stride === 0 ? svgText(left - 6, y, text, { size, color: theme.text, align: "right" }) : "";
    })
    .join("");
}

function columnLabels({ left, top, cell, shown }: Grid, axis: Axis, theme: Theme): string {
  const bottom = top + cell.height * shown.ys.length;
  const labels = shown.xs.map((position) => cutToPixels(terminalText(tickLabel(axis, position)), 120, size));
  const stride = Math.max(1, Math.ceil((widest(labels) + 10) / cell.width));
  const marks = labels.map((text, i) => {
    const x = left + (i + 0.5) * cell.width - textWidth(text, size) / 2;
    return i % stride === 0 ? svgText(x, bottom + 18, text, { size, color: theme.text }) : "";
  });
  const title = cutToPixels(terminalText(drawnAxisTitle(axis)), cell.width * shown.xs.length, 13);
  const middle = left + (cell.width * shown.xs.length - textWidth(title, 13)) / 2;
  return marks.join("") + svgText(Math.max(0, middle), bottom + 40, title, { size: 13, color: theme.text });
}
