import { type SurfaceBlock, drawableSurface, type DrawableSurface } from "../../../core/figures/index.ts";
import { cutToWidth, displayWidth, padToWidth } from "../../../core/text/index.ts";
import { shortNumber } from "../../../math/plotting/index.ts";
import { drawnAxisTitle, tickLabel } from "../drawing/chart-scales.ts";
import { surfaceScales } from "../drawing/surface-scales.ts";
import type { Style } from "./style.ts";

const maxRows = 40;
/** Minimum width of cells. */
const minCellWidth = { map: 1, surface: 2 };

/** Layout of a heat map. */
interface Grid {
  readonly columns: readonly number[];
  readonly rows: readonly number[];
  readonly xLabels: readonly string[];
  readonly yLabels: readonly string[];
  readonly indent: number;
  readonly cell: number;
  /** Cells contain the heights. */
  readonly hasNumbers: boolean;
}

/**
 * A surface as a heat map: one cell per point, denser for higher values, with the heights if they fit. If there is not
 * enough room, draws every nth point and adds a note.
 */
export function heatMapLines(surface: SurfaceBlock, style: Style): string[] {
  const drawable = drawableSurface(surface);
  const grid = gridOf(surface, drawable, style);
  const title = (axis: SurfaceBlock["x"]): string =>
    cutToWidth(style.sanitize(drawnAxisTitle(axis)), style.width, style.glyphs.ellipsis);
  const { z } = surfaceScales(surface, 5);
  const shade = (height: number): string => {
    const { shades } = style.glyphs;
    return Number.isFinite(height)
      ? (shades[Math.min(shades.length - 1, Math.floor(z.at(height) * shades.length))] ?? " ")
      : " ";
  };
  return [
    title(surface.z),
    `${shortNumber(z.low)} ${style.glyphs.shades.join("")} ${shortNumber(z.high)}`,
    title(surface.y),
    ...grid.rows.map((j) => rowLine(drawable.heights[j] ?? [], grid.yLabels[j] ?? "", grid, shade)),
    columnLine(grid, style.width),
    " ".repeat(grid.indent) + cutToWidth(title(surface.x), style.width - grid.indent, style.glyphs.ellipsis),
    ...thinningNote(drawable, grid).map((note) => cutToWidth(note, style.width, style.glyphs.ellipsis)),
  ];
}

function gridOf({ x, y, flat }: SurfaceBlock, { xs, ys, heights }: DrawableSurface, style: Style): Grid {
  const short = (text: string): string =>
    cutToWidth(style.sanitize(text), Math.floor(style.width / 4), style.glyphs.ellipsis);
  const [xLabels, yLabels] = [
    xs.map((position) => short(tickLabel(x, position))),
    ys.map((position) => short(tickLabel(y, position))),
  ];
  const indent = widest(yLabels) + 1;
  const room = style.width - indent;
  const wide = Math.max(widest(heights.flat().map((height) => numberText(height))) + 2, widest(xLabels)) + 1;
  const hasNumbers = wide * xs.length <= room && ys.length <= maxRows;
  const cell = hasNumbers
    ? wide
    : Math.min(Math.max(flat === true ? minCellWidth.map : minCellWidth.surface, Math.floor(room / xs.length)), 8);
  const [across, down] = [Math.ceil(xs.length / Math.max(1, Math.floor(room / cell))), Math.ceil(ys.length / maxRows)];
  const columns = [...xs.keys()].filter((i) => i % across === 0);
  const rows = [...ys.keys()].filter((j) => j % down === 0).reverse();
  return { columns, rows, xLabels, yLabels, indent, cell, hasNumbers };
}

function rowLine(
  row: readonly number[],
  label: string,
  { columns, indent, cell, hasNumbers }: Grid,
  shade: (height: number) => string,
): string {
  const cells = columns.map((i) => {
    const height = row[i] ?? Number.NaN;
    return hasNumbers
      ? `${padToWidth(numberText(height), cell - 3, "right")} ${shade(height)} `
      : shade(height).repeat(cell);
  });
  return `${padToWidth(label, indent)}${cells.join("")}`.trimEnd();
}

/** Labels below the cells, as many as fit without overlap. */
function columnLine({ columns, xLabels, indent, cell, hasNumbers }: Grid, width: number): string {
  let line = " ".repeat(indent);
  columns.forEach((i, at) => {
    const label = hasNumbers ? padToWidth(xLabels[i] ?? "", cell - 1, "right") : (xLabels[i] ?? "");
    const start = indent + at * cell;
    const used = displayWidth(line.trimEnd());
    if (start + displayWidth(label) > width) return;
    if (at === 0 || start >= used + 1) line = padToWidth(line.trimEnd(), start) + label;
  });
  return line.trimEnd();
}

function numberText(height: number): string {
  return Number.isFinite(height) ? shortNumber(height) : "";
}

function thinningNote({ xs, ys }: DrawableSurface, { columns, rows }: Grid): string[] {
  if (columns.length === xs.length && rows.length === ys.length) return [];
  return [`${columns.length} by ${rows.length} of ${xs.length} by ${ys.length} points shown`];
}

function widest(labels: readonly string[]): number {
  return labels.reduce((maximum, text) => Math.max(maximum, displayWidth(text)), 0);
}
