import { Failure } from "../failures/index.ts";
import type { FlameGraph } from "./flame-graph.ts";
import type { Unit } from "../values/index.ts";

/**
 * The output of a view and the input of a renderer: a list of blocks, independent of the medium. Texts are untrusted;
 * renderers escape them.
 */
export interface Figure {
  readonly title: string;
  readonly blocks: readonly Block[];
  /** Blocks per row if there is room; default 1. */
  readonly columns?: number;
}

export type Block = TextBlock | TableBlock | ChartBlock | SurfaceBlock | FlameBlock;

/** Preformatted text. */
export interface TextBlock {
  readonly kind: "text";
  readonly text: string;
}

export interface TableBlock {
  readonly kind: "table";
  readonly caption?: string;
  readonly head: readonly TableColumn[];
  /** Cells formatted for users, one per column of `head`. Raw values are available with `query --format json|csv`. */
  readonly rows: readonly (readonly string[])[];
  /** Details of each row, in lines; empty: none. Pages fold them below the last cell; other media omit them. */
  readonly details?: readonly string[];
}

export interface TableColumn {
  readonly label: string;
  readonly align: "left" | "right";
  /** Its cells are never truncated. */
  readonly whole?: true;
  /** Omitted if there is no room for all columns, the last such column first. */
  readonly spare?: true;
  /** The URL of the cell in each row; empty: none. Only used on terminals that support links. */
  readonly links?: readonly string[];
}

/** The mark of points: line with points, line only, points, steps, area to zero, or bars, which require categories. */
export type Mark = "line" | "curve" | "points" | "steps" | "area" | "bars";

/** A 2D chart. Points of a series are in drawing order; non-finite ones (on a log axis: non-positive) are not drawn. */
export interface ChartBlock {
  readonly kind: "chart";
  readonly caption?: string;
  /** Default of the series. */
  readonly mark: Mark;
  /** False: no legend. */
  readonly legend?: boolean;
  /** Bars and areas are stacked (see `stackedChart`); the values stay unstacked. */
  readonly stacked?: true;
  /** Horizontal bars, with room for long category names. Only for charts of bars. */
  readonly horizontal?: true;
  readonly x: Axis;
  /** One axis, or two for results of different units (see `ChartSeries.axis`). */
  readonly y: readonly [Axis] | readonly [Axis, Axis];
  readonly series: readonly ChartSeries[];
}

export interface Axis {
  readonly label: string;
  readonly unit?: Unit;
  /**
   * "log": ticks at powers of ten; "log2": at powers of two. "time": instants in seconds since 1970 UTC; "date": the
   * same, of whole days.
   */
  readonly scale: "linear" | "log" | "log2" | "category" | "time" | "date";
  /** Ends of the axis in its unit; default: from the points. Points outside are not drawn. */
  readonly from?: number;
  readonly to?: number;
  /** An interval that the axis must include, for equal axes of charts side by side. */
  readonly holds?: readonly [low: number, high: number];
  /** Category names in order, for the scale `category`: values are indexes into it. */
  readonly categories?: readonly string[];
}

export interface ChartSeries {
  readonly label: string;
  /** Index into the chart's `y`. */
  readonly axis: 0 | 1;
  readonly mark?: Mark;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Ends of the error bars, parallel to y; NaN for points without one. */
  readonly low?: Float64Array;
  readonly high?: Float64Array;
}

export type Contours = "filled" | "lines";

/** A result over two parameters: heights on a grid, which may have holes. */
export interface SurfaceBlock {
  readonly kind: "surface";
  readonly caption?: string;
  /** Seen from above: a heat map, with a coloured cell of equal size per grid point, or contours. */
  readonly flat?: true;
  /** Only if flat: areas between heights, or lines of equal height. Media without contours draw a heat map. */
  readonly contours?: Contours;
  readonly x: Axis;
  readonly y: Axis;
  readonly z: Axis;
  /** Grid positions along x and y, ascending; indexes on category axes. */
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  /** The height at xs[i] and ys[j] is zs[j * xs.length + i]; NaN for a hole. */
  readonly zs: Float64Array;
}

/** A flame graph: calls as boxes, as wide as their amount, adjacent to the box of the caller. */
export interface FlameBlock {
  readonly kind: "flame";
  readonly caption?: string;
  readonly graph: FlameGraph;
  /** What colours encode; in a comparison the change. Default: name, which only separates neighbours. */
  readonly colors?: "name" | "module" | "plain";
  /**
   * For a comparison: colours encode the change relative to the frame (default), or to the largest change of all
   * frames.
   */
  readonly intensity?: "relative" | "absolute";
  /** Direction from the root: down (default) or up. */
  readonly grows?: "down" | "up";
  /**
   * Frames narrower than this share of the root, 0..1, are not drawn; other frames keep their amounts. Default:
   * invisible frames.
   */
  readonly minWidth?: number;
  /** Height of a box in pixels; default 20. */
  readonly frameHeight?: number;
  /** Width of the figure in pixels; default: that of the medium. */
  readonly width?: number;
}

/** A drawable point; without error bar all ends equal `y`. */
export interface ChartPoint {
  readonly x: number;
  readonly y: number;
  /** Ends of the error bar, clipped to the axis. */
  readonly low: number;
  readonly high: number;
  /** The unclipped interval, which on a log axis may extend below zero. */
  readonly interval: readonly [low: number, high: number];
}

/** The points of a series within the axes of its chart, in order. */
export function drawablePoints(chart: ChartBlock, series: ChartSeries): ChartPoint[] {
  const axis = yAxisOf(chart, series);
  const [onX, onY] = [drawableOn(chart.x), drawableOn(axis)];
  const points: ChartPoint[] = [];
  for (let i = 0; i < series.y.length; i++) {
    const [x, y] = [series.x[i] ?? Number.NaN, series.y[i] ?? Number.NaN];
    if (!onX(x) || !onY(y)) continue;
    const [low, high] = [series.low?.[i] ?? y, series.high?.[i] ?? y];
    const interval = [
      Number.isFinite(low) ? Math.min(low, y) : y,
      Number.isFinite(high) ? Math.max(high, y) : y,
    ] as const;
    points.push({ x, y, low: shownEnd(interval[0], y, axis), high: shownEnd(interval[1], y, axis), interval });
  }
  return points;
}

/**
 * Where the end of an error bar is drawn: at the end of the axis if it is outside, at the point if it has no logarithm.
 */
function shownEnd(end: number, y: number, axis: Axis): number {
  if (isLog(axis) && end <= 0) return y;
  return Math.min(Math.max(end, axis.from ?? end), axis.to ?? Math.max(end, axis.from ?? end));
}

/** The note on points that the axes omit. */
export function omittedNote(chart: ChartBlock): string | undefined {
  let [logless, outside] = [0, 0];
  for (const series of chart.series) {
    const [onX, onY] = [drawableOn(chart.x), drawableOn(yAxisOf(chart, series))];
    series.y.forEach((y, i) => {
      const x = series.x[i] ?? Number.NaN;
      if (!Number.isFinite(x) || !Number.isFinite(y) || (onX(x) && onY(y))) return;
      if ((isLog(chart.x) && x <= 0) || (isLog(yAxisOf(chart, series)) && y <= 0)) logless += 1;
      else outside += 1;
    });
  }
  return pointNotes(logless, outside);
}

export function pointNotes(logless: number, outside: number): string | undefined {
  const counted = (count: number, one: string, many: string): string[] =>
    count === 0 ? [] : [count === 1 ? `1 point ${one}` : `${count} points ${many}`];
  const notes = [
    ...counted(logless, "has no logarithm", "have no logarithm"),
    ...counted(outside, "lies outside of the axes", "lie outside of the axes"),
  ];
  return notes.length === 0 ? undefined : notes.join(", ");
}

export function markOf(chart: ChartBlock, series: ChartSeries): Mark {
  return series.mark ?? chart.mark;
}

export function isLog({ scale }: Axis): boolean {
  return scale === "log" || scale === "log2";
}

/** Whether positions are instants. */
export function isTime({ scale }: Axis): boolean {
  return scale === "time" || scale === "date";
}

export function yAxisOf(chart: ChartBlock, series: ChartSeries): Axis {
  return chart.y[series.axis] ?? chart.y[0];
}

/** Fails with `nothing-to-draw` when no series of the chart has a point that can be drawn. */
export function requirePoints(chart: ChartBlock): void {
  const isDrawable = (series: ChartSeries): boolean =>
    series.y.some((y, i) => drawableOn(yAxisOf(chart, series))(y) && drawableOn(chart.x)(series.x[i] ?? Number.NaN));
  if (chart.series.some(isDrawable)) return;
  throw nothingToDraw(chart.y, [chart.x]);
}

/** The failure of a figure without a point on these axes. */
export function nothingToDraw(vertical: readonly Axis[], horizontal: readonly Axis[]): Failure {
  const axes = [...vertical, ...horizontal];
  const names = (all: readonly Axis[]): string => all.map((axis) => axis.label).join(", ");
  const value = axes.some(({ from, to }) => from !== undefined || to !== undefined)
    ? "value within the axes"
    : `${axes.some(isLog) ? "positive" : "finite"} value`;
  return new Failure("nothing-to-draw", { what: `${names(vertical)} over ${names(horizontal)} has no ${value}` });
}

/** Whether a value is within the axis. */
export function drawableOn(axis: Axis): (value: number) => boolean {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = axis;
  const least = isLog(axis) ? Number.MIN_VALUE : -Number.MAX_VALUE;
  return (value) => value >= least && value <= Number.MAX_VALUE && value >= from && value <= to;
}
