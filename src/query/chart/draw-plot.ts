import { isSurfacePlot } from "../../core/experiments/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { ChartBlock, Figure, SurfaceBlock } from "../../core/figures/index.ts";
import type { Table } from "../../core/tables/index.ts";
import { formatUnit, rowsBy } from "../../core/values/index.ts";
import { unitOf } from "./axes.ts";
import { buildCharts, buildSurfaces } from "./build-chart.ts";
import { valueText, requireColumn, type NamedColumn } from "./columns.ts";
import type { DrawnResult, Plot } from "./plot.ts";
import { pointsOf } from "./points.ts";
import { alongCategories } from "./positions.ts";

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
  const drawn = isSurfacePlot(plot) ? surfacesOf(table, plot, panels) : chartsOf(table, plot, panels);
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

interface BlockInPanel {
  readonly block: ChartBlock | SurfaceBlock;
  readonly panel: Panel;
}

/** A chart for each plot with a number. In a series of plots curves keep colours: those without points stay. */
function chartsOf(table: Table, plot: Plot, panels: readonly Panel[]): BlockInPanel[] {
  const x = requireColumn(table, plot.x.name);
  const curves = [...rowGroups(table, plot.series, nameOfCurve)];
  const results = plot.results.map((result, at) => pointsOf(table, { ...result, ...sideOf(result, at, plot) }));
  const blocks = buildCharts({
    ...plot,
    along: [{ column: x, length: table.length }],
    results,
    panels: panels.map((panel) => {
      const chosen = new Set(panel.rows);
      return results.flatMap((points, result) =>
        curves.map(([name, rows]) => ({
          label: labelOf(points.result, name, plot),
          result,
          x,
          rows: rows.filter((row) => chosen.has(row)),
        })),
      );
    }),
  });
  return blocks.flatMap((block, at) => {
    const drawn = block.series.filter(({ y }) => y.some(Number.isFinite));
    const [panel] = panels.slice(at);
    if (panel === undefined || drawn.length === 0) return [];
    return [{ panel, block: panels.length > 1 ? block : { ...block, series: drawn } }];
  });
}

/** The results of type 2D-multi have an axis each. */
function sideOf({ axis }: DrawnResult, at: number, { type }: Plot): Pick<DrawnResult, "axis"> {
  if (axis !== undefined || type !== "2D-multi") return {};
  return { axis: at === 0 ? "left" : "right" };
}

/** Names the statistic where several results need it. */
function labelOf(result: DrawnResult, curve: string, { results }: Plot): string {
  const { name, statistic, label } = result;
  const same = results.filter((other) => other.name === name).length;
  const words = same === results.length && same > 1 && statistic !== undefined ? `${statistic} ${name}` : name;
  const own = label ?? (same > 1 ? words : name);
  if (curve === "") return own;
  return results.length === 1 ? (label === undefined ? curve : `${label} ${curve}`) : `${own} ${curve}`;
}

/** A surface for each result, curve and plot of a series. Fails with `unusable-combination` without a statistic. */
function surfacesOf(table: Table, plot: Plot, panels: readonly Panel[]): BlockInPanel[] {
  if (plot.results.some(({ statistic }) => statistic === undefined))
    throw impossible("a surface has one height at each point", "name a statistic, such as mean");
  const { x, y = x } = plot;
  const curves = [...rowGroups(table, plot.series, nameOfCurve)];
  const groups = panels.flatMap((panel) =>
    curves.map(([label, rows]) => {
      const chosen = new Set(panel.rows);
      return { panel, label, rows: rows.filter((row) => chosen.has(row)) };
    }),
  );
  return plot.results.flatMap((result) => {
    const blocks = buildSurfaces({
      ...plot,
      y,
      columns: [requireColumn(table, x.name), requireColumn(table, y.name)],
      result: pointsOf(table, result),
      panels: groups.map(({ rows }) => rows),
      twoHeights: () => impossible(`'${result.name}' has two heights at one point`, "group its rows by --series"),
    });
    return blocks.flatMap((block, at) => {
      const [group] = groups.slice(at);
      if (group === undefined || !block.zs.some(Number.isFinite)) return [];
      const { panel, label } = group;
      const words = [...(plot.results.length > 1 ? [result.label ?? result.name] : []), label, panel.caption];
      return [{ block, panel: { ...panel, caption: words.filter((word) => word !== "").join(", ") } }];
    });
  });
}

function impossible(what: string, instead: string): Failure {
  return new Failure("unusable-combination", { what, instead });
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
  const captionOf = (row: number): string => columns.map((column) => valueLabel(column, row, true)).join(", ");
  const valuesOf = (row: number): string[] => columns.map((column) => valueText(column, row));
  const keyed = rowGroups(table, names, (_, row) => JSON.stringify(valuesOf(row)));
  const panels = [...keyed.values()].map((rows) => {
    const [first = 0] = rows;
    return { caption: captionOf(first), values: valuesOf(first), rows };
  });
  return panels.sort(byValues(table, columns));
}

function byValues(table: Table, columns: readonly NamedColumn[]): (a: Panel, b: Panel) => number {
  const positions = columns.map((column) => alongCategories([{ column, length: table.length }], column.variable, {}));
  return (a, b) => {
    const at = positions.findIndex((_, i) => a.values[i] !== b.values[i]);
    const position = ({ rows }: Panel): number => positions[at]?.of(columns[at])(rows[0] ?? 0) ?? 0;
    return position(a) - position(b);
  };
}

/** Rows of each name, in order of appearance; without columns a single entry "" with all rows. */
function rowGroups(
  table: Table,
  names: readonly string[],
  nameOf: (columns: readonly NamedColumn[], row: number) => string,
): ReadonlyMap<string, readonly number[]> {
  const columns = names.map((name) => requireColumn(table, name));
  return rowsBy(table.length, (row) => (columns.length === 0 ? "" : nameOf(columns, row)));
}

function nameOfCurve(columns: readonly NamedColumn[], row: number): string {
  return columns.map((column) => valueLabel(column, row, columns.length === 1)).join(" ");
}

/** The bare text for a single text column; otherwise `name=value unit`. */
function valueLabel(column: NamedColumn, row: number, isAlone: boolean): string {
  const text = valueText(column, row);
  if (isAlone && column.column.kind === "text") return text;
  const unit = formatUnit(unitOf(column.variable));
  return `${column.variable.name}=${text}${unit === "" ? "" : ` ${unit}`}`;
}
