import {
  type ChartBlock,
  type ChartPoint,
  type ChartSeries,
  drawablePoints,
  markOf,
  type Mark,
  type Axis,
} from "../../../core/figures/index.ts";
import { cutToWidth, displayWidth, padToWidth } from "../../../core/text/index.ts";
import type { Scale } from "../../../math/plotting/index.ts";
import { scalesOf, type ChartScales, drawnAxisTitle, tickLabel } from "../drawing/chart-scales.ts";
import { cycled, type Glyphs } from "./glyphs.ts";
import { legendLines } from "./legend.ts";
import { horizontalAxis } from "./bars.ts";
import type { Style } from "./style.ts";

const brailleBase = 0x2800;
/** Bit of the dot in column x (0, 1) and line y (0..3) of a braille character: ISO/IEC 11548-1. */
const dotBits = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const;

/**
 * A raster of character cells for lines of dots (2 × 4 per cell with braille, else 1 × 1) and marks of one cell.
 */
interface Canvas {
  readonly columns: number;
  readonly lines: number;
  /** Size in dots. */
  readonly dotColumns: number;
  readonly dotLines: number;
  dot(x: number, y: number, color: number): void;
  line(x0: number, y0: number, x1: number, y1: number, color: number): void;
  put(column: number, line: number, char: string, color: number): void;
  /** One string per line; `paint` colours a run of cells. */
  print(paint: (text: string, color: number) => string): string[];
}

/** An empty canvas. Colours are palette indexes; points outside are ignored. */
function canvasOf(columns: number, lines: number, unicode: boolean): Canvas {
  const [across, down] = unicode ? [2, 4] : [1, 1];
  const dots = new Uint8Array(columns * lines);
  const colors = new Int16Array(columns * lines).fill(-1);
  const marks = new Map<number, string>();
  const dotColumns = columns * across;
  const dotLines = lines * down;

  const dot = (x: number, y: number, color: number): void => {
    if (!(x >= 0 && y >= 0 && x < dotColumns && y < dotLines)) return;
    const cell = Math.floor(y / down) * columns + Math.floor(x / across);
    dots[cell] = (dots[cell] ?? 0) | (dotBits[x % across === 1 ? 1 : 0][y % down] ?? 1);
    colors[cell] = color;
  };
  const put = (column: number, line: number, char: string, color: number): void => {
    if (!(column >= 0 && line >= 0 && column < columns && line < lines)) return;
    marks.set(line * columns + column, char);
    colors[line * columns + column] = color;
  };
  const charAt = (cell: number): string => {
    const bits = dots[cell] ?? 0;
    return marks.get(cell) ?? (bits === 0 ? " " : unicode ? String.fromCharCode(brailleBase + bits) : ".");
  };
  const print = (paint: (text: string, color: number) => string): string[] =>
    Array.from({ length: lines }, (_, line) =>
      printLine(line * columns, columns, charAt, (cell) => colors[cell] ?? -1, paint),
    );
  return { columns, lines, dotColumns, dotLines, dot, put, print, line: (...ends) => drawLine(dot, ...ends) };
}

/** Bresenham's line. */
function drawLine(dot: Canvas["dot"], x0: number, y0: number, x1: number, y1: number, color: number): void {
  const dx = Math.abs(x1 - x0);
  const dy = -Math.abs(y1 - y0);
  let [x, y, error] = [x0, y0, dx + dy];
  for (;;) {
    dot(x, y, color);
    if (x === x1 && y === y1) return;
    const twice = 2 * error;
    if (twice >= dy) [error, x] = [error + dy, x + Math.sign(x1 - x0)];
    if (twice <= dx) [error, y] = [error + dx, y + Math.sign(y1 - y0)];
  }
}

function printLine(
  first: number,
  columns: number,
  charAt: (cell: number) => string,
  colorOf: (cell: number) => number,
  paint: (text: string, color: number) => string,
): string {
  let out = "";
  let run = "";
  let color = -1;
  for (let cell = first; cell < first + columns; cell++) {
    const char = charAt(cell);
    const own = char === " " ? color : colorOf(cell);
    if (own !== color) {
      out += run === "" ? "" : paint(run, color);
      run = "";
      color = own;
    }
    run += char;
  }
  return out + (run === "" ? "" : paint(run, color));
}

/** The lines of a chart of curves or points, `style.width` columns wide. */
export function curveLines(chart: ChartBlock, style: Style): string[] {
  const scales = scalesOf(chart, Math.max(2, Math.floor(style.width / 12)), Math.max(2, Math.floor(style.lines / 3)));
  return framed(chart, scales, style, (columns) => {
    const canvas = canvasOf(columns, style.lines, style.unicode);
    const all = chart.series.map((series) => drawablePoints(chart, series));
    const projections = chart.series.map((series) =>
      projectionOf(canvas, scales.x, scales.y[series.axis], shiftOf(chart, series, canvas)),
    );
    const layers = [drawCurve, drawErrors, drawMarkers];
    for (const draw of layers) {
      chart.series.forEach((series, i) => {
        const points = all[i] ?? [];
        draw({
          mark: markOf(chart, series),
          canvas,
          glyphs: style.glyphs,
          points,
          color: i,
          project: projections[i] as Projection,
        });
      });
    }
    return canvas.print(style.paint);
  });
}

/** Maps a point of the chart to a dot of the canvas. */
type Projection = (x: number, y: number) => [number, number];

interface Layer {
  readonly mark: Mark;
  readonly canvas: Canvas;
  readonly glyphs: Glyphs;
  readonly points: readonly ChartPoint[];
  readonly color: number;
  readonly project: Projection;
}

/** Offset of a series' bars, which are one cell apart. */
function shiftOf(chart: ChartBlock, series: ChartSeries, canvas: Canvas): number {
  const bars = chart.series.filter((each) => markOf(chart, each) === "bars");
  const at = bars.indexOf(series);
  return at < 0 || chart.stacked === true
    ? 0
    : Math.round(((at - (bars.length - 1) / 2) * 2 * canvas.dotColumns) / canvas.columns);
}

function projectionOf(canvas: Canvas, x: Scale, y: Scale | undefined, shift: number): Projection {
  return (px, py) => [
    Math.round(x.at(px) * (canvas.dotColumns - 1)) + shift,
    Math.round((1 - (y?.at(py) ?? Number.NaN)) * (canvas.dotLines - 1)),
  ];
}

function drawCurve({ mark, canvas, points, color, project }: Layer): void {
  let before: [number, number] | undefined;
  for (const point of points) {
    const [x, y] = project(point.x, point.y);
    if (mark === "bars") canvas.line(x, canvas.dotLines - 1, x, y, color);
    else if (before === undefined || mark === "points") canvas.dot(x, y, color);
    else if (mark === "line" || mark === "curve" || mark === "area") canvas.line(...before, x, y, color);
    else {
      canvas.line(...before, x, before[1], color);
      canvas.line(x, before[1], x, y, color);
    }
    before = [x, y];
  }
}

function drawErrors({ canvas, glyphs, points, color, project }: Layer): void {
  for (const point of points) {
    if (point.low === point.high) continue;
    const [column, top] = cellOf(canvas, project(point.x, point.high));
    const [, bottom] = cellOf(canvas, project(point.x, point.low));
    if (top === bottom) continue;
    for (let line = top + 1; line < bottom; line++) canvas.put(column, line, glyphs.error.stem, color);
    canvas.put(column, top, glyphs.error.top, color);
    canvas.put(column, bottom, glyphs.error.bottom, color);
  }
}

/** Draws a marker per point, unless dense markers would hide the curve. */
function drawMarkers({ mark, canvas, glyphs, points, color, project }: Layer): void {
  if (points.length > canvas.columns / 2 || ((mark === "curve" || mark === "area") && points.length > 1)) return;
  for (const point of points) {
    canvas.put(...cellOf(canvas, project(point.x, point.y)), cycled(glyphs.markers, color), color);
  }
}

function cellOf(canvas: Canvas, [x, y]: [number, number]): [number, number] {
  return [Math.floor((x * canvas.columns) / canvas.dotColumns), Math.floor((y * canvas.lines) / canvas.dotLines)];
}

/**
 * Adds axes, ticks, titles and the legend to a drawing, which gets the number of remaining columns.
 */
function framed(chart: ChartBlock, scales: ChartScales, style: Style, draw: (columns: number) => string[]): string[] {
  const left = labelsOf(chart.y[0], scales.y[0], style.lines);
  const right = labelsOf(chart.y[1], scales.y[1], style.lines);
  const columns = style.width - left.width - 1 - (right.width === 0 ? 0 : right.width + 1);
  const { axis } = style.glyphs;
  const body = draw(columns).map((line, i) => {
    const start =
      padToWidth(left.at(i) ?? "", left.width, "right") + (left.at(i) === undefined ? axis.vertical : axis.left);
    if (right.width === 0) return (start + line).trimEnd();
    return start + line + (right.at(i) === undefined ? axis.vertical : axis.right + right.at(i));
  });
  const below = xAxisLines(chart.x, scales.x, columns, style).map((line) => (" ".repeat(left.width) + line).trimEnd());
  if (right.width > 0 && below[0] !== undefined) below[0] += style.glyphs.corner.right;
  return [...titleLine(chart, style), ...body, ...below, ...legendLines(chart, style)];
}

interface Labels {
  readonly width: number;
  at(line: number): string | undefined;
}

/** The tick labels of a vertical axis by line of the drawing. */
function labelsOf(axis: Axis | undefined, scale: Scale | undefined, lines: number): Labels {
  const byLine = new Map<number, string>();
  if (axis !== undefined)
    for (const tick of scale?.ticks ?? []) byLine.set(lineOf(scale?.at(tick) ?? 0, lines), tickLabel(axis, tick));
  return { width: Math.max(0, ...[...byLine.values()].map(displayWidth)), at: (line) => byLine.get(line) };
}

function lineOf(at: number, lines: number): number {
  return Math.min(lines - 1, Math.floor(((1 - at) * (lines * 4 - 1) + 0.5) / 4));
}

/** Titles of the y axes, each above its own. */
function titleLine(chart: ChartBlock, style: Style): string[] {
  const titles = chart.y.map((axis) => style.sanitize(drawnAxisTitle(axis)));
  const [left = "", right = ""] = titles.map((title) =>
    cutToWidth(title, Math.floor(style.width / titles.length) - 1, style.glyphs.ellipsis),
  );
  return [right === "" ? left : padToWidth(left, style.width - displayWidth(right)) + right];
}

/** The horizontal axis with its title. */
function xAxisLines(axis: Axis, scale: Scale, columns: number, style: Style): string[] {
  const ticks = scale.ticks.map((tick) => ({
    column: Math.round(scale.at(tick) * (columns - 1)),
    text: style.sanitize(tickLabel(axis, tick, scale)),
  }));
  const title = cutToWidth(style.sanitize(drawnAxisTitle(axis)), columns, style.glyphs.ellipsis);
  const margin = " ".repeat(Math.max(0, Math.floor((columns + 1 - displayWidth(title)) / 2)));
  return [...horizontalAxis(ticks, columns, style), margin + title];
}
