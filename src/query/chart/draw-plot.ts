import { isSurfacePlot } from "../../core/experiments/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { ChartBlock, ChartSeries, Figure, Mark, Axis, SurfaceBlock } from "../../core/figures/index.ts";
import type { Table } from "../../core/tables/index.ts";
import { convertFactor, formatUnit } from "../../core/values/index.ts";
import { valueText, requireColumn, type NamedColumn } from "./columns.ts";
import type { DrawnResult, Plot } from "./plot.ts";
import { pointsOf, type ResultPoints } from "./points.ts";
import {
  positionsOf,
  type AxisPositions,
  orderedValues,
  sharedAxes,
  includingValues,
  valueAxes,
  type ValueAxes,
  unitOf,
  valueAxis,
} from "./axes.ts";

/** The chart of a result, and the values that each plot of a series of plots stands for. */
export interface DrawnPlot {
  readonly figure: Figure;
  /** Parallel to the blocks of the figure; empty when there is one plot only. */
  readonly values: readonly (readonly string[])[];
}

/**
 * Plots a query result. Fails with `nothing-to-draw`, `unknown-column`, and `unusable-combination` for unsupported
 * combinations.
 */
export function drawPlot(table: Table, plot: Plot): DrawnPlot {
  const panels = panelsOf(table, plot.plots);
  const drawn = isSurfacePlot(plot) ? surfaceBlocks(table, plot, panels) : chartBlocks(table, plot, panels);
  if (drawn.length === 0)
    throw new Failure("nothing-to-draw", { what: `${plot.results.map(({ name }) => name).join(", ")} has no number` });
  const blocks = drawn.map(({ block, panel }) => (panel.caption === "" ? block : { ...block, caption: panel.caption }));
  const columns = columnsOf(panels, blocks.length);
  return {
    figure: { title: plot.title, blocks, ...(columns > 1 ? { columns } : {}) },
    values: plot.plots.length === 0 ? [] : drawn.map(({ panel }) => panel.values),
  };
}

/** A series of plots by one parameter fills rows of up to three; one by two has the second parameter along the rows. */
function columnsOf(panels: readonly Panel[], blocks: number): number {
  const second = new Set(panels.map(({ values }) => values[1]));
  const wanted = panels[0]?.values.length === 2 ? second.size : panels.length <= 4 ? 2 : 3;
  return blocks < 2 || blocks !== panels.length ? 1 : Math.min(wanted, 4, blocks);
}

interface ChartInPanel {
  readonly block: ChartBlock;
  readonly panel: Panel;
}

function chartBlocks(table: Table, plot: Plot, panels: readonly Panel[]): ChartInPanel[] {
  const marks = plot.results.map((result) => explicitMark(result));
  const positions = positionsOf(table, plot.x, { ...plot, sideBySide: marks.includes("bars") });
  const results = plot.results.map((result) => pointsOf(table, result));
  const axes = valueAxes(results, plot);
  const mark = marks.find((each) => each !== undefined) ?? usualMark(plot.results, positions);
  const all = (rows: readonly number[]): ChartSeries[] =>
    seriesOf(rows, table, plot, { positions, results, axes, mark });
  const drawn = panels.flatMap((panel) => {
    const series = all(panel.rows);
    return series.some(isDrawn) ? [{ series, panel }] : [];
  });
  const block = { kind: "chart", mark, ...(plot.legend === false ? { legend: false } : {}) } as const;
  const held = sharedAxes(
    drawn.map(({ series }) => series),
    positions.axis,
    axes.axes,
  );
  return drawn.map(({ series, panel }) => ({ panel, block: { ...block, ...held, series: named(series, panels) } }));
}

/** In a series of plots a curve keeps its colour, so those without a point stay. */
function named(series: readonly ChartSeries[], panels: readonly Panel[]): ChartSeries[] {
  return series.filter((one) => panels.length > 1 || isDrawn(one));
}

function isDrawn({ y }: ChartSeries): boolean {
  return y.some(Number.isFinite);
}

interface Drawing {
  readonly positions: AxisPositions;
  readonly results: readonly ResultPoints[];
  readonly axes: ValueAxes;
  readonly mark: Mark;
}

function seriesOf(
  rows: readonly number[],
  table: Table,
  plot: Plot,
  { positions, results, axes, mark }: Drawing,
): ChartSeries[] {
  const chosen = new Set(rows);
  const curves = [...curvesOf(table, plot.series)];
  return results.flatMap((points, i) =>
    curves.map(([name, own]) => {
      const drawn = inOrder(
        own.filter((row) => chosen.has(row)),
        positions,
        points.result,
      );
      const label = labelOf(points.result, name, plot);
      const marked = explicitMark(points.result) ?? usualMark([points.result], positions);
      return {
        label,
        axis: axes.axisOf(i),
        ...(marked === mark ? {} : { mark: marked }),
        ...pick(points, drawn, positions, axes.factorOf(i)),
      };
    }),
  );
}

/** Names the statistic where several results need it. */
function labelOf(result: DrawnResult, curve: string, { results }: Plot): string {
  const { name, statistic, label } = result;
  const isOnly = results.every((other) => other.name === name);
  const words = isOnly && results.length > 1 && statistic !== undefined ? `${statistic} ${name}` : name;
  const own = label ?? (results.some((other) => other !== result && other.name === name) ? words : name);
  if (curve === "") return own;
  return results.length === 1 ? (label === undefined ? curve : `${label} ${curve}`) : `${own} ${curve}`;
}

function inOrder(rows: readonly number[], positions: AxisPositions, { statistic, style }: DrawnResult): number[] {
  if (statistic === undefined && style === undefined) return [...rows];
  return [...rows].sort((a, b) => positions.at(a) - positions.at(b));
}

function pick(
  points: ResultPoints,
  rows: readonly number[],
  positions: AxisPositions,
  factor: number,
): Pick<ChartSeries, "x" | "y" | "low" | "high"> {
  const all = (values: (row: number) => number): Float64Array => Float64Array.from(rows, (row) => values(row) * factor);
  const drawn = { x: Float64Array.from(rows, positions.at), y: all(points.center) };
  return points.low === undefined || points.high === undefined
    ? drawn
    : { ...drawn, low: all(points.low), high: all(points.high) };
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
  return style === undefined || style === "surface" ? undefined : marks[style];
}

function usualMark(results: readonly DrawnResult[], positions: AxisPositions): Mark {
  if (results.every(({ statistic }) => statistic === undefined)) return "points";
  return positions.isOrdered ? "line" : "bars";
}

interface SurfaceInPanel {
  readonly block: SurfaceBlock;
  readonly panel: Panel;
}

/** A surface for each result, curve and plot of a series. Fails with `unusable-combination` without a statistic. */
function surfaceBlocks(table: Table, plot: Plot, panels: readonly Panel[]): SurfaceInPanel[] {
  if (plot.results.some(({ statistic }) => statistic === undefined))
    throw new Failure("unusable-combination", {
      what: "a surface has one height at each point",
      instead: "name a statistic, such as mean",
    });
  const [x, y] = [plot.x, plot.y ?? plot.x].map((axis) => positionsOf(table, axis, { ...plot, sideBySide: false })) as [
    AxisPositions,
    AxisPositions,
  ];
  const curves = [...curvesOf(table, plot.series)];
  return plot.results.flatMap((result) => {
    const points = pointsOf(table, result);
    const z = sharedHeightAxis(points, valueAxis([points], plot.z), panels.length * curves.length);
    return panels.flatMap((panel) =>
      curves.flatMap(([label, rows]) => {
        const chosen = new Set(panel.rows);
        const own = rows.filter((row) => chosen.has(row));
        const block = surfaceOf(own, { x, y, z }, points);
        if (!block.zs.some(Number.isFinite)) return [];
        const words = [...(plot.results.length > 1 ? [result.label ?? result.name] : []), label, panel.caption];
        return [{ block, panel: { ...panel, caption: words.filter((word) => word !== "").join(", ") } }];
      }),
    );
  });
}

function sharedHeightAxis(points: ResultPoints, z: Axis, count: number): Axis {
  if (count < 2) return z;
  const factor = convertFactor(unitOf(points.variable), z.unit);
  return includingValues(z, [Float64Array.from({ length: points.length }, (_, row) => points.center(row) * factor)]);
}

function surfaceOf(
  rows: readonly number[],
  axes: { readonly x: AxisPositions; readonly y: AxisPositions; readonly z: Axis },
  points: ResultPoints,
): SurfaceBlock {
  const { x, y, z } = axes;
  const factor = convertFactor(unitOf(points.variable), z.unit);
  const [xs, ys] = [positionsAlong(rows, x), positionsAlong(rows, y)];
  const zs = new Float64Array(xs.length * ys.length).fill(Number.NaN);
  const [along, across] = [xs, ys].map((list) => new Map([...list].map((axis, i) => [axis, i])));
  for (const row of rows) {
    const [i, j] = [along?.get(x.at(row)), across?.get(y.at(row))];
    if (i !== undefined && j !== undefined) zs[j * xs.length + i] = points.center(row) * factor;
  }
  return { kind: "surface", x: x.axis, y: y.axis, z, xs, ys, zs };
}

function positionsAlong(rows: readonly number[], positions: AxisPositions): Float64Array {
  return Float64Array.from(new Set(rows.map((row) => positions.at(row)).filter(Number.isFinite))).sort();
}

/** One plot of a series of plots. */
interface Panel {
  /** "" for the only plot. */
  readonly caption: string;
  readonly values: readonly string[];
  /** Indices into the result. */
  readonly rows: readonly number[];
}

/** A plot for each combination of values that occurs, in the order of the values; without names one with all rows. */
function panelsOf(table: Table, names: readonly string[]): Panel[] {
  const columns = names.map((name) => requireColumn(table, name));
  const panels = new Map<string, { caption: string; values: readonly string[]; rows: number[] }>();
  for (let row = 0; row < table.length; row++) {
    const values = columns.map((column) => valueText(column, row));
    const key = JSON.stringify(values);
    const own = panels.get(key) ?? {
      caption: columns.map((column) => valueLabel(column, row, true)).join(", "),
      values,
      rows: [],
    };
    own.rows.push(row);
    panels.set(key, own);
  }
  return [...panels.values()].sort(byValues(table, columns));
}

function byValues(table: Table, columns: readonly NamedColumn[]): (a: Panel, b: Panel) => number {
  const positions = columns.map((column) => new Map(orderedValues(table, column).map((value, at) => [value, at])));
  return (a, b) => {
    const at = positions.findIndex((_, i) => a.values[i] !== b.values[i]);
    const position = ({ values }: Panel): number => positions[at]?.get(values[at] ?? "") ?? 0;
    return position(a) - position(b);
  };
}

/** Rows of each combination of values, in order of appearance; without names a single entry "" with all rows. */
function curvesOf(table: Table, names: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const columns = names.map((name) => requireColumn(table, name));
  const curves = new Map<string, number[]>();
  for (let row = 0; row < table.length; row++) {
    const label = columns.map((column) => valueLabel(column, row, columns.length === 1)).join(" ");
    const own = curves.get(label);
    if (own === undefined) curves.set(label, [row]);
    else own.push(row);
  }
  return curves;
}

/** The bare text for a single text column; otherwise `name=value unit`. */
function valueLabel(column: NamedColumn, row: number, isAlone: boolean): string {
  const text = valueText(column, row);
  if (isAlone && column.column.kind === "text") return text;
  const unit = formatUnit(unitOf(column.variable));
  return `${column.variable.name}=${text}${unit === "" ? "" : ` ${unit}`}`;
}
