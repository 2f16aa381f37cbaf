import { Failure } from "../core/errors.ts";
import type { ChartBlock, ChartSeries, Figure } from "../core/figure.ts";
import type { Table } from "../core/table.ts";
import { formatUnit } from "../core/unit.ts";
import { contentText, type NamedColumn, requireColumn } from "./plot-columns.ts";
import { placesOf, type Places } from "./plot-places.ts";
import { pointsOf, type ResultPoints } from "./plot-points.ts";
import { unitOf, valueAxes } from "./plot-units.ts";
import type { Plot } from "./plot.ts";

/** Draws the answer to a question. Fails with `nothing-to-draw`, `unknown-column`, and `unusable-combination` for what has no picture. */
export function plotFigure(table: Table, plot: Plot): Figure {
  if (plot.errors !== "none" && plot.statistic === undefined) {
    throw new Failure("unusable-combination", {
      what: "error bars need a statistic",
      instead: "name one, such as mean, or leave the error bars out",
    });
  }
  const places = placesOf(table, plot);
  const results = plot.y.map((name) => pointsOf(table, name, plot));
  const { axes, axisOf, factorOf } = valueAxes(results, plot);
  const curves = curvesOf(table, plot.series);
  const series = results.flatMap((result, i) =>
    [...curves].map(([label, rows]) =>
      curve(labelOf(result, label, plot), axisOf(i), inOrder(rows, places, plot), places, result, factorOf(i)),
    ),
  );
  const drawn = series.filter((one) => one.y.some(Number.isFinite));
  if (drawn.length === 0) throw new Failure("nothing-to-draw", { what: `${plot.y.join(", ")} has no number` });
  return { title: plot.title, blocks: [{ kind: "chart", mark: markOf(plot, places), x: places.axis, y: axes, series: drawn }] };
}

/** Rows of each combination of contents, in order of appearance. */
function curvesOf(table: Table, names: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const columns = names.map((name) => requireColumn(table, name));
  const curves = new Map<string, number[]>();
  for (let row = 0; row < table.length; row++) {
    const label = columns.map((column) => curveLabel(column, row, columns.length === 1)).join(" ");
    const own = curves.get(label);
    if (own === undefined) curves.set(label, [row]);
    else own.push(row);
  }
  return curves;
}

/** A text says what it is by itself when it stands alone; everything else needs its name. */
function curveLabel(column: NamedColumn, row: number, isAlone: boolean): string {
  const content = contentText(column, row);
  if (isAlone && column.column.kind === "text") return content;
  const unit = formatUnit(unitOf(column.variable));
  return `${column.variable.name}=${content}${unit === "" ? "" : ` ${unit}`}`;
}

function labelOf(result: ResultPoints, label: string, plot: Plot): string {
  if (label === "") return result.name;
  return plot.y.length === 1 ? label : `${result.name} ${label}`;
}

function inOrder(rows: readonly number[], places: Places, plot: Plot): number[] {
  const sorted = [...rows];
  if (plot.statistic === undefined && plot.mark === undefined) return sorted;
  return sorted.sort((a, b) => places.at(a) - places.at(b));
}

function curve(label: string, axis: 0 | 1, rows: readonly number[], places: Places, result: ResultPoints, factor: number): ChartSeries {
  const pick = (values: (row: number) => number): Float64Array => Float64Array.from(rows, (row) => values(row) * factor);
  const points = { label, axis, x: Float64Array.from(rows, places.at), y: pick(result.center) };
  return result.low === undefined || result.high === undefined ? points : { ...points, low: pick(result.low), high: pick(result.high) };
}

function markOf(plot: Plot, places: Places): ChartBlock["mark"] {
  if (plot.mark !== undefined) return plot.mark;
  if (plot.statistic === undefined) return "points";
  return places.isOrdered ? "line" : "bars";
}
