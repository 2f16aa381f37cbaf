import { Failure } from "../failures/failure.ts";
import type { FlameGraph } from "./flame-graph.ts";
import type { Unit } from "../values/unit.ts";

/**
 * What a view draws and a renderer prints: a list of blocks, free of any output medium. Texts are untrusted; renderers
 * escape.
 */
export interface Figure {
  readonly title: string;
  readonly blocks: readonly Block[];
  /** How many blocks stand side by side where there is room for it; absent: one. */
  readonly columns?: number;
}

export type Block = TextBlock | TableBlock | ChartBlock | SurfaceBlock | FlameBlock;

/** Text whose line breaks and blanks count. */
export interface TextBlock {
  readonly kind: "text";
  readonly text: string;
}

export interface TableBlock {
  readonly kind: "table";
  readonly caption?: string;
  readonly head: readonly TableColumn[];
  /**
   * Cells are already formatted for people; raw values go through `query --format json|csv`. As many in each row as in
   * `head`.
   */
  readonly rows: readonly (readonly string[])[];
  /**
   * More of each row, in lines; empty: there is no more. A page folds it below the last cell; media that cannot fold
   * leave it out.
   */
  readonly details?: readonly string[];
}

export interface TableColumn {
  readonly label: string;
  readonly align: "left" | "right";
  /** Its cells are never cut: words of which each letter counts. */
  readonly whole?: true;
  /** Where there is no room for all columns, such as on a terminal, it is left out, the last one of these first. */
  readonly spare?: true;
  /**
   * Of each row, the address of the page that its cell names; empty: none. Only text for terminals that show links
   * leads there.
   */
  readonly links?: readonly string[];
}

/**
 * How points are shown: a line with its points, a line alone, points, a stair, an area between a line and zero, or
 * bars, which stand on categories only.
 */
export type Mark = "line" | "curve" | "points" | "steps" | "area" | "bars";

/**
 * A 2D chart. Points of a series are in drawing order; those that are not finite (on a log axis: not positive) are not
 * drawn.
 */
export interface ChartBlock {
  readonly kind: "chart";
  readonly caption?: string;
  /** Of the series that say nothing else. */
  readonly mark: Mark;
  /** False: nothing tells which series is which. */
  readonly legend?: boolean;
  /** Bars and areas stand upon those of the series before them (see `stackedChart`); their numbers stay their own. */
  readonly stacked?: true;
  /** Bars lie below one another, which leaves room for long names of categories. For charts of bars alone. */
  readonly lying?: true;
  readonly x: Axis;
  /** One axis, or two for results of different units (series name theirs). */
  readonly y: readonly [Axis] | readonly [Axis, Axis];
  readonly series: readonly ChartSeries[];
}

export interface Axis {
  readonly label: string;
  readonly unit?: Unit;
  /** "log": ticks at powers of ten; "log2": at powers of two. */
  readonly scale: "linear" | "log" | "log2" | "category";
  /** Ends of the axis in its unit, where they are not taken from the points; points beyond them are not drawn. */
  readonly from?: number;
  readonly to?: number;
  /** What the axis has room for besides its own points, so that pictures side by side have the same axes. */
  readonly holds?: readonly [low: number, high: number];
  /** The names of the categories, in order, when scale is category: x values are then indexes into it. */
  readonly categories?: readonly string[];
}

export interface ChartSeries {
  readonly label: string;
  /** Index into `y` of the chart. */
  readonly axis: 0 | 1;
  readonly mark?: Mark;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Ends of the error bars, parallel to y; NaN where a point has none. */
  readonly low?: Float64Array;
  readonly high?: Float64Array;
}

/** A result over two parameters: heights over a grid, which may have holes. */
export interface SurfaceBlock {
  readonly kind: "surface";
  readonly caption?: string;
  /** Seen from above: a coloured cell for each place, all of one size. */
  readonly flat?: true;
  readonly x: Axis;
  readonly y: Axis;
  readonly z: Axis;
  /** Places along x and y, ascending; indexes where the axis has categories. */
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  /** The height over xs[i] and ys[j] is zs[j * xs.length + i]; NaN where there is none. */
  readonly zs: Float64Array;
}

/** Calls as boxes, each as wide as its amount and next to the box of the one that called it. */
export interface FlameBlock {
  readonly kind: "flame";
  readonly caption?: string;
  readonly graph: FlameGraph;
  /** What colours tell; those of a comparison tell what changed. Default: name, which only sets neighbours apart. */
  readonly colors?: "name" | "module" | "plain";
  /**
   * Of a comparison: colours tell the change beside the frame itself (default), or beside the greatest change of all
   * frames.
   */
  readonly intensity?: "relative" | "absolute";
  /** Where boxes stand: below the one that they are next to (default), or above it. */
  readonly grows?: "down" | "up";
  /**
   * Frames narrower than this share of the root, 0..1, are not drawn; their amounts stay in those of the others.
   * Default: what cannot be seen.
   */
  readonly minWidth?: number;
  /** Pixels of a box in pictures; default 20. */
  readonly frameHeight?: number;
  /** Pixels of the picture, where it is not as wide as the medium. */
  readonly width?: number;
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
 * Where the end of an error bar is drawn: at the end of the axis if it lies beyond, at the point if it has no
 * logarithm.
 */
function shownEnd(end: number, y: number, axis: Axis): number {
  if (isLog(axis) && end <= 0) return y;
  return Math.min(Math.max(end, axis.from ?? end), axis.to ?? Math.max(end, axis.from ?? end));
}

/** What a chart has to say of the points that its axes leave out. */
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

/** How the points of a series are shown. */
export function markOf(chart: ChartBlock, series: ChartSeries): Mark {
  return series.mark ?? chart.mark;
}

export function isLog({ scale }: Axis): boolean {
  return scale === "log" || scale === "log2";
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

/** The failure of a picture without a point on these axes. */
export function nothingToDraw(upright: readonly Axis[], lying: readonly Axis[]): Failure {
  const axes = [...upright, ...lying];
  const names = (all: readonly Axis[]): string => all.map((axis) => axis.label).join(", ");
  const value = axes.some(({ from, to }) => from !== undefined || to !== undefined)
    ? "value within the axes"
    : `${axes.some(isLog) ? "positive" : "finite"} value`;
  return new Failure("nothing-to-draw", { what: `${names(upright)} over ${names(lying)} has no ${value}` });
}

/** Whether a value has a place on the axis. */
export function drawableOn(axis: Axis): (value: number) => boolean {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = axis;
  const least = isLog(axis) ? Number.MIN_VALUE : -Number.MAX_VALUE;
  return (value) => value >= least && value <= Number.MAX_VALUE && value >= from && value <= to;
}
