import {
  type ChartBlock,
  type ChartPoint,
  type ChartSeries,
  drawablePoints,
  markOf,
  type Mark,
} from "../../../core/figure.ts";
import type { Scale } from "../../../math/scale.ts";
import { scalesOf } from "../drawing/chart-scales.ts";
import { type Canvas, canvasOf } from "./canvas.ts";
import { framed } from "./frame.ts";
import { cycled, type Glyphs } from "./glyphs.ts";
import type { Style } from "./style.ts";

/** The lines of a chart of curves or points, `style.width` columns wide. */
export function curveLines(chart: ChartBlock, style: Style): string[] {
  const scales = scalesOf(chart, Math.max(2, Math.floor(style.width / 12)), Math.max(2, Math.floor(style.lines / 3)));
  return framed(chart, scales, style, (columns) => {
    const canvas = canvasOf(columns, style.lines, style.unicode);
    const all = chart.series.map((series) => drawablePoints(chart, series));
    const toPlace = chart.series.map((series) =>
      placing(canvas, scales.x, scales.y[series.axis], shiftOf(chart, series, canvas)),
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
          place: toPlace[i] as Placing,
        });
      });
    }
    return canvas.print(style.paint);
  });
}

/** From a point of the chart to a dot of the canvas. */
type Placing = (x: number, y: number) => [number, number];

interface Layer {
  readonly mark: Mark;
  readonly canvas: Canvas;
  readonly glyphs: Glyphs;
  readonly points: readonly ChartPoint[];
  readonly color: number;
  readonly place: Placing;
}

/** Bars of several series stand side by side, one cell apart. */
function shiftOf(chart: ChartBlock, series: ChartSeries, canvas: Canvas): number {
  const bars = chart.series.filter((each) => markOf(chart, each) === "bars");
  const at = bars.indexOf(series);
  return at < 0 || chart.stacked === true
    ? 0
    : Math.round(((at - (bars.length - 1) / 2) * 2 * canvas.dotColumns) / canvas.columns);
}

function placing(canvas: Canvas, x: Scale, y: Scale | undefined, shift: number): Placing {
  return (px, py) => [
    Math.round(x.at(px) * (canvas.dotColumns - 1)) + shift,
    Math.round((1 - (y?.at(py) ?? Number.NaN)) * (canvas.dotLines - 1)),
  ];
}

function drawCurve({ mark, canvas, points, color, place }: Layer): void {
  let before: [number, number] | undefined;
  for (const point of points) {
    const [x, y] = place(point.x, point.y);
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

function drawErrors({ canvas, glyphs, points, color, place }: Layer): void {
  for (const point of points) {
    if (point.low === point.high) continue;
    const [column, top] = cellOf(canvas, place(point.x, point.high));
    const [, bottom] = cellOf(canvas, place(point.x, point.low));
    if (top === bottom) continue;
    for (let line = top + 1; line < bottom; line++) canvas.put(column, line, glyphs.error.stem, color);
    canvas.put(column, top, glyphs.error.top, color);
    canvas.put(column, bottom, glyphs.error.bottom, color);
  }
}

/** Each point gets a mark as long as marks leave the curve to be seen; dense points stay dots. */
function drawMarkers({ mark, canvas, glyphs, points, color, place }: Layer): void {
  if (points.length > canvas.columns / 2 || ((mark === "curve" || mark === "area") && points.length > 1)) return;
  for (const point of points) {
    canvas.put(...cellOf(canvas, place(point.x, point.y)), cycled(glyphs.markers, color), color);
  }
}

function cellOf(canvas: Canvas, [x, y]: [number, number]): [number, number] {
  return [Math.floor((x * canvas.columns) / canvas.dotColumns), Math.floor((y * canvas.lines) / canvas.dotLines)];
}
