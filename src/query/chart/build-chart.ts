import { isSurfaceStyle, type PlotAxis } from "../../core/experiments/index.ts";
import type { Failure } from "../../core/failures/index.ts";
import {
  type Axis,
  type ChartBlock,
  type ChartSeries,
  type Figure,
  isLog,
  type Mark,
  type SurfaceBlock,
} from "../../core/figures/index.ts";
import { counted } from "../../core/text/index.ts";
import { convertFactor } from "../../core/values/index.ts";
import { includingValues, sharedAxes, unitOf, valueAxes, valueAxis, type AxesOptions, type ValueAxes } from "./axes.ts";
import type { NamedColumn } from "./columns.ts";
import type { DrawnResult } from "./plot.ts";
import type { ResultPoints } from "./points.ts";
import { positionsOf, type AxisPositions, type ColumnRows, type PositionOptions } from "./positions.ts";

/** A curve of a chart: rows of a result over a column. */
export interface CurveSpec {
  readonly label: string;
  /** Index into the results of the chart. */
  readonly result: number;
  readonly x: NamedColumn | undefined;
  readonly rows: readonly number[];
}

/** Charts that share their axes, before axes and positions are known. Plots and described queries both make this. */
export interface ChartSpec extends PositionOptions, AxesOptions {
  readonly x: PlotAxis;
  /** All columns along x. */
  readonly along: readonly ColumnRows[];
  readonly results: readonly ResultPoints[];
  /** The curves of each chart. */
  readonly panels: readonly (readonly CurveSpec[])[];
  readonly legend?: boolean;
}

/** The chart of each panel. Fails with `unusable-combination` if its axes are impossible. */
export function buildCharts(spec: ChartSpec): ChartBlock[] {
  const styled = spec.results.map(({ result }) => explicitMark(result));
  const positions = positionsOf(spec.along, spec.x, spec, styled.includes("bars"));
  const axes = valueAxes(spec.results, spec);
  const marks = spec.results.map((points, at) => styled[at] ?? usualMark([points], positions));
  const mark = styled.find((each) => each !== undefined) ?? usualMark(spec.results, positions);
  const panels = spec.panels.map((curves) =>
    curves.map((curve) => {
      const own = marks[curve.result];
      return { ...seriesOf(curve, spec, positions, axes), ...(own === undefined || own === mark ? {} : { mark: own }) };
    }),
  );
  const block = { kind: "chart", mark, ...(spec.legend === false ? { legend: false } : {}) } as const;
  const shared = sharedAxes(panels, positions.axis, axes.axes);
  return panels.map((series) => ({ ...block, ...shared, series }));
}

function seriesOf(
  curve: CurveSpec,
  { results, asGiven }: ChartSpec,
  positions: AxisPositions,
  axes: ValueAxes,
): ChartSeries {
  const points = results[curve.result] as ResultPoints;
  const [x, factor] = [positions.of(curve.x), axes.factorOf(curve.result)];
  const rows = asGiven === true ? curve.rows : inOrder(curve.rows, x, points.result);
  const all = (value: (row: number) => number): Float64Array => Float64Array.from(rows, (row) => value(row) * factor);
  const drawn = {
    label: curve.label,
    axis: axes.axisOf(curve.result),
    x: Float64Array.from(rows, x),
    y: all(points.center),
  };
  return points.low === undefined || points.high === undefined
    ? drawn
    : { ...drawn, low: all(points.low), high: all(points.high) };
}

/** Statistics are in order of x, rows in their own. */
function inOrder(
  rows: readonly number[],
  x: (row: number) => number,
  { statistic, style }: DrawnResult,
): readonly number[] {
  if (statistic === undefined && style === undefined) return rows;
  return [...rows].sort((a, b) => x(a) - x(b));
}

/** The mark of a style; undefined if no style is given. */
function explicitMark({ style }: DrawnResult): Mark | undefined {
  const marks = {
    points: "points",
    errorbars: "points",
    lines: "curve",
    linespoints: "line",
    steps: "steps",
    bars: "bars",
  } as const;
  return style === undefined || isSurfaceStyle(style) ? undefined : marks[style];
}

function usualMark(results: readonly ResultPoints[], positions: AxisPositions): Mark {
  if (results.every(({ result: { statistic } }) => statistic === undefined)) return "points";
  return positions.isOrdered ? "line" : "bars";
}

/** Surfaces of one result that share their axes. */
export interface SurfaceSpec extends PositionOptions {
  readonly x: PlotAxis;
  readonly y: PlotAxis;
  readonly z?: AxesOptions["left"];
  readonly columns: readonly [x: NamedColumn, y: NamedColumn];
  readonly result: ResultPoints;
  /** The rows of each surface. */
  readonly panels: readonly (readonly number[])[];
  /** The failure of two heights at one point. */
  twoHeights(): Failure;
}

/** The surface of each panel. Fails if one point has two heights. */
export function buildSurfaces(spec: SurfaceSpec): SurfaceBlock[] {
  const { result: points, columns, panels } = spec;
  const [x, y] = ([spec.x, spec.y] as const).map((axis, at) => {
    const column = columns[at];
    const positions = positionsOf([{ column, length: points.length }], axis, spec, false);
    return { axis: positions.axis, at: positions.of(column) };
  }) as [Along, Along];
  const own = valueAxis([points], spec.z, spec);
  const factor = convertFactor(unitOf(points.variable), own.unit);
  const height = (row: number): number => points.center(row) * factor;
  const z =
    panels.length < 2
      ? own
      : includingValues(own, [Float64Array.from({ length: points.length }, (_, row) => height(row))]);
  const look = lookOf(points.result);
  return panels.map((rows) => ({ ...surfaceOf(rows, { x, y, z }, height, spec), ...look }));
}

/** Whether a surface is drawn in perspective, as a heat map, or as contours. */
function lookOf({ style }: DrawnResult): Pick<SurfaceBlock, "flat" | "contours"> {
  if (style === "heatmap") return { flat: true };
  if (style === "contours") return { flat: true, contours: "filled" };
  return style === "contour-lines" ? { flat: true, contours: "lines" } : {};
}

interface Along {
  readonly axis: Axis;
  at(row: number): number;
}

function surfaceOf(
  rows: readonly number[],
  { x, y, z }: { readonly x: Along; readonly y: Along; readonly z: Axis },
  height: (row: number) => number,
  { twoHeights }: Pick<SurfaceSpec, "twoHeights">,
): SurfaceBlock {
  const [xs, ys] = [x, y].map(({ at }) => Float64Array.from(new Set(rows.map(at).filter(Number.isFinite))).sort()) as [
    Float64Array,
    Float64Array,
  ];
  const zs = new Float64Array(xs.length * ys.length).fill(Number.NaN);
  const used = new Set<number>();
  const [along, across] = [xs, ys].map((list) => new Map([...list].map((position, at) => [position, at])));
  for (const row of rows) {
    const [i, j] = [along?.get(x.at(row)), across?.get(y.at(row))];
    if (i === undefined || j === undefined) continue;
    const position = j * xs.length + i;
    if (used.has(position)) throw twoHeights();
    used.add(position);
    zs[position] = height(row);
  }
  return { kind: "surface", x: x.axis, y: y.axis, z, xs, ys, zs };
}

/** Above this number, curves of one chart are hard to distinguish. */
const maxCurves = 12;

/** The number of curves of the fullest chart if that is too many to distinguish. */
export function crowd({ blocks }: Pick<Figure, "blocks">): number | undefined {
  const most = Math.max(0, ...blocks.map((block) => (block.kind === "chart" ? block.series.length : 0)));
  return most > maxCurves ? most : undefined;
}

/** Counts the points with a value that a chart does not draw, as they have no position on one of its axes. */
export function hiddenPointNotes({ blocks }: Figure): string[] {
  const charts = blocks.flatMap((block) => (block.kind === "chart" ? block : []));
  const [first] = charts;
  const without = charts.reduce((sum, chart) => sum + countPoints(chart, ({ x }) => !Number.isFinite(x)), 0);
  const below = charts.reduce((sum, chart) => sum + countPoints(chart, isBelowLogarithm), 0);
  const points = (count: number): string => `${counted(count, "point")} ${count === 1 ? "is" : "are"} not drawn`;
  return [
    ...(without === 0 ? [] : [`${points(without)}: without a value of ${first?.x.label}`]),
    ...(below === 0 ? [] : [`${points(below)}: at or below 0 on a logarithmic axis`]),
  ];
}

interface Point {
  readonly x: number;
  readonly y: number;
  readonly xAxis: Axis;
  readonly yAxis: Axis;
}

function countPoints({ x: xAxis, y: yAxes, series }: ChartBlock, fits: (point: Point) => boolean): number {
  let count = 0;
  for (const { x, y, axis } of series)
    for (const [at, value] of y.entries()) {
      const yAxis = yAxes[axis] ?? yAxes[0];
      if (Number.isFinite(value) && fits({ x: x[at] ?? Number.NaN, y: value, xAxis, yAxis })) count += 1;
    }
  return count;
}

function isBelowLogarithm({ x, y, xAxis, yAxis }: Point): boolean {
  return (isLog(xAxis) && x <= 0) || (Number.isFinite(x) && isLog(yAxis) && y <= 0);
}
