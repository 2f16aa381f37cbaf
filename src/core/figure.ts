import { Failure } from "./errors.ts";
import type { Unit } from "./unit.ts";

/** What a view draws and a renderer prints: a list of blocks, free of any output medium. Texts are untrusted; renderers escape. */
export interface Figure {
  readonly title: string;
  readonly blocks: readonly Block[];
}

export type Block = TextBlock | TableBlock | ChartBlock;

/** Text whose line breaks and blanks count. */
export interface TextBlock {
  readonly kind: "text";
  readonly text: string;
}

export interface TableBlock {
  readonly kind: "table";
  readonly caption?: string;
  readonly head: readonly { readonly label: string; readonly align: "left" | "right" }[];
  /** Cells are already formatted for people; raw values go through `query --format json|csv`. As many in each row as in `head`. */
  readonly rows: readonly (readonly string[])[];
}

/** A 2D chart. Points of a series are in drawing order; those that are not finite (on a log axis: not positive) are not drawn. */
export interface ChartBlock {
  readonly kind: "chart";
  readonly caption?: string;
  /** "bars" stand on categories only. */
  readonly mark: "line" | "points" | "bars" | "steps";
  readonly x: Axis;
  /** One axis, or two for results of different units (series name theirs). */
  readonly y: readonly [Axis] | readonly [Axis, Axis];
  readonly series: readonly ChartSeries[];
}

export interface Axis {
  readonly label: string;
  readonly unit?: Unit;
  readonly scale: "linear" | "log" | "category";
  /** The names of the categories, in order, when scale is category: x values are then indexes into it. */
  readonly categories?: readonly string[];
}

export interface ChartSeries {
  readonly label: string;
  /** Index into `y` of the chart. */
  readonly axis: 0 | 1;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Ends of the error bars, parallel to y; NaN where a point has none. */
  readonly low?: Float64Array;
  readonly high?: Float64Array;
}

/** One drawable point; all ends equal `y` where there is no error bar. */
export interface ChartPoint {
  readonly x: number;
  readonly y: number;
  /** Ends of the error bar as far as the axis can show them. */
  readonly low: number;
  readonly high: number;
  /** The interval itself, which on a log axis may reach below zero. */
  readonly interval: readonly [low: number, high: number];
}

/** The points of a series that can be drawn on the axes of its chart, in order. */
export function drawablePoints(chart: ChartBlock, series: ChartSeries): ChartPoint[] {
  const onX = drawableOn(chart.x);
  const onY = drawableOn(yAxisOf(chart, series));
  const points: ChartPoint[] = [];
  for (let i = 0; i < series.y.length; i++) {
    const [x, y] = [series.x[i] ?? Number.NaN, series.y[i] ?? Number.NaN];
    if (!onX(x) || !onY(y)) continue;
    const [low, high] = [series.low?.[i] ?? y, series.high?.[i] ?? y];
    const interval = [Number.isFinite(low) ? Math.min(low, y) : y, Number.isFinite(high) ? Math.max(high, y) : y] as const;
    points.push({ x, y, low: onY(low) ? interval[0] : y, high: onY(high) ? interval[1] : y, interval });
  }
  return points;
}

/** What a chart with log axes has to say of the points that it leaves out since they are zero or negative. */
export function logNote(chart: ChartBlock): string | undefined {
  let count = 0;
  for (const series of chart.series) {
    const onX = drawableOn(chart.x);
    const onY = drawableOn(yAxisOf(chart, series));
    series.y.forEach((y, i) => {
      const x = series.x[i] ?? Number.NaN;
      if (Number.isFinite(x) && Number.isFinite(y) && !(onX(x) && onY(y))) count += 1;
    });
  }
  return count === 0 ? undefined : count === 1 ? "1 point has no logarithm" : `${count} points have no logarithm`;
}

export function yAxisOf(chart: ChartBlock, series: ChartSeries): Axis {
  return chart.y[series.axis] ?? chart.y[0];
}

/** Fails with `nothing-to-draw` when no series of the chart has a point that can be drawn. */
export function requirePoints(chart: ChartBlock): void {
  const isDrawable = (series: ChartSeries): boolean =>
    series.y.some((y, i) => drawableOn(yAxisOf(chart, series))(y) && drawableOn(chart.x)(series.x[i] ?? Number.NaN));
  if (chart.series.some(isDrawable)) return;
  const log = chart.y.some((axis) => axis.scale === "log") || chart.x.scale === "log";
  const what = `${chart.y.map((axis) => axis.label).join(", ")} over ${chart.x.label} has no ${log ? "positive" : "finite"} value`;
  throw new Failure("nothing-to-draw", { what });
}

function drawableOn(axis: Axis): (value: number) => boolean {
  return axis.scale === "log" ? (value) => value > 0 && value < Number.POSITIVE_INFINITY : Number.isFinite;
}
