import { Failure } from "../../core/failures/failure.ts";
import type { ChartBlock, ChartSeries, Figure, Mark } from "../../core/figures/figure.ts";
import { isSurfacePlot } from "../../core/experiments/plot-description.ts";
import type { Table } from "../../core/tables/table.ts";
import { curvesOf } from "./curves.ts";
import { heldBy, panelsOf, type Panel } from "./panels.ts";
import { placesOf, type Places } from "./positions.ts";
import { pointsOf, type ResultPoints } from "./points.ts";
import { surfaceBlocks } from "./surface.ts";
import { valueAxes, type ValueAxes } from "./value-axes.ts";
import type { DrawnResult, Plot } from "./plot.ts";

/** The picture of an answer, and the contents that each of its plots is about where there is a series of them. */
export interface DrawnPlot {
  readonly figure: Figure;
  /** Parallel to the blocks of the figure; empty when there is one plot only. */
  readonly contents: readonly (readonly string[])[];
}

/**
 * Draws the answer to a question. Fails with `nothing-to-draw`, `unknown-column`, and `unusable-combination` for what
 * has no picture.
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
    contents: plot.plots.length === 0 ? [] : drawn.map(({ panel }) => panel.contents),
  };
}

/** A series of plots by one parameter fills rows of up to three; one by two has the second parameter along the rows. */
function columnsOf(panels: readonly Panel[], blocks: number): number {
  const second = new Set(panels.map(({ contents }) => contents[1]));
  const wanted = panels[0]?.contents.length === 2 ? second.size : panels.length <= 4 ? 2 : 3;
  return blocks < 2 || blocks !== panels.length ? 1 : Math.min(wanted, 4, blocks);
}

interface Drawn {
  readonly block: ChartBlock;
  readonly panel: Panel;
}

function chartBlocks(table: Table, plot: Plot, panels: readonly Panel[]): Drawn[] {
  const marks = plot.results.map((result) => asked(result));
  const places = placesOf(table, plot.x, { ...plot, sideBySide: marks.includes("bars") });
  const results = plot.results.map((result) => pointsOf(table, result));
  const axes = valueAxes(results, plot);
  const mark = marks.find((each) => each !== undefined) ?? usualMark(plot.results, places);
  const all = (rows: readonly number[]): ChartSeries[] => seriesOf(rows, table, plot, { places, results, axes, mark });
  const drawn = panels.flatMap((panel) => {
    const series = all(panel.rows);
    return series.some(isDrawn) ? [{ series, panel }] : [];
  });
  const block = { kind: "chart", mark, ...(plot.legend === false ? { legend: false } : {}) } as const;
  const held = heldBy(
    drawn.map(({ series }) => series),
    places.axis,
    axes.axes,
  );
  return drawn.map(({ series, panel }) => ({ panel, block: { ...block, ...held, series: named(series, panels) } }));
}

/** In a series of plots a curve has the same colour in each, so that those without a point stay. */
function named(series: readonly ChartSeries[], panels: readonly Panel[]): ChartSeries[] {
  return series.filter((one) => panels.length > 1 || isDrawn(one));
}

function isDrawn({ y }: ChartSeries): boolean {
  return y.some(Number.isFinite);
}

interface Drawing {
  readonly places: Places;
  readonly results: readonly ResultPoints[];
  readonly axes: ValueAxes;
  readonly mark: Mark;
}

function seriesOf(
  rows: readonly number[],
  table: Table,
  plot: Plot,
  { places, results, axes, mark }: Drawing,
): ChartSeries[] {
  const chosen = new Set(rows);
  const curves = [...curvesOf(table, plot.series)];
  return results.flatMap((points, i) =>
    curves.map(([name, own]) => {
      const drawn = inOrder(
        own.filter((row) => chosen.has(row)),
        places,
        points.result,
      );
      const label = labelOf(points.result, name, plot);
      const marked = asked(points.result) ?? usualMark([points.result], places);
      return {
        label,
        axis: axes.axisOf(i),
        ...(marked === mark ? {} : { mark: marked }),
        ...pick(points, drawn, places, axes.factorOf(i)),
      };
    }),
  );
}

/** Results of several names, or statistics, are told apart by them. */
function labelOf(result: DrawnResult, curve: string, { results }: Plot): string {
  const { name, statistic, label } = result;
  const isOnly = results.every((other) => other.name === name);
  const words = isOnly && results.length > 1 && statistic !== undefined ? `${statistic} ${name}` : name;
  const own = label ?? (results.some((other) => other !== result && other.name === name) ? words : name);
  if (curve === "") return own;
  return results.length === 1 ? (label === undefined ? curve : `${label} ${curve}`) : `${own} ${curve}`;
}

function inOrder(rows: readonly number[], places: Places, { statistic, style }: DrawnResult): number[] {
  if (statistic === undefined && style === undefined) return [...rows];
  return [...rows].sort((a, b) => places.at(a) - places.at(b));
}

function pick(
  points: ResultPoints,
  rows: readonly number[],
  places: Places,
  factor: number,
): Pick<ChartSeries, "x" | "y" | "low" | "high"> {
  const all = (values: (row: number) => number): Float64Array => Float64Array.from(rows, (row) => values(row) * factor);
  const drawn = { x: Float64Array.from(rows, places.at), y: all(points.center) };
  return points.low === undefined || points.high === undefined
    ? drawn
    : { ...drawn, low: all(points.low), high: all(points.high) };
}

/** The mark of a style; undefined where none is said. */
function asked({ style }: DrawnResult): Mark | undefined {
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

function usualMark(results: readonly DrawnResult[], places: Places): Mark {
  if (results.every(({ statistic }) => statistic === undefined)) return "points";
  return places.isOrdered ? "line" : "bars";
}
