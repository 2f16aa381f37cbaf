import type { Axis, ChartBlock, ChartSeries } from "../../core/figures/figure.ts";
import type { Table } from "../../core/tables/table.ts";
import { contentText, requireColumn, type NamedColumn } from "./columns.ts";
import { contentLabel } from "./curves.ts";
import { orderedContents } from "./positions.ts";

/** One plot of a series of plots. */
export interface Panel {
  /** "" for the only plot. */
  readonly caption: string;
  readonly contents: readonly string[];
  /** Of the answer. */
  readonly rows: readonly number[];
}

/** A plot for each combination of contents that occurs, in the order of the contents; without names one of all rows. */
export function panelsOf(table: Table, names: readonly string[]): Panel[] {
  const columns = names.map((name) => requireColumn(table, name));
  const panels = new Map<string, { caption: string; contents: readonly string[]; rows: number[] }>();
  for (let row = 0; row < table.length; row++) {
    const contents = columns.map((column) => contentText(column, row));
    const key = JSON.stringify(contents);
    const own = panels.get(key) ?? {
      caption: columns.map((column) => contentLabel(column, row, true)).join(", "),
      contents,
      rows: [],
    };
    own.rows.push(row);
    panels.set(key, own);
  }
  return [...panels.values()].sort(byContents(table, columns));
}

function byContents(table: Table, columns: readonly NamedColumn[]): (a: Panel, b: Panel) => number {
  const places = columns.map((column) => new Map(orderedContents(table, column).map((content, at) => [content, at])));
  return (a, b) => {
    const at = places.findIndex((_, i) => a.contents[i] !== b.contents[i]);
    const place = ({ contents }: Panel): number => places[at]?.get(contents[at] ?? "") ?? 0;
    return place(a) - place(b);
  };
}

/** The axes of all plots of a series: each holds what the others show. */
export function heldBy(
  plots: readonly (readonly ChartSeries[])[],
  x: Axis,
  y: ChartBlock["y"],
): Pick<ChartBlock, "x" | "y"> {
  if (plots.length < 2) return { x, y };
  const all = plots.flat();
  const [first, second] = y.map((axis, at) =>
    holding(
      axis,
      all.filter((series) => series.axis === at).flatMap((series) => [series.y, series.low, series.high]),
    ),
  );
  const upright: ChartBlock["y"] = first === undefined ? y : second === undefined ? [first] : [first, second];
  return {
    x: holding(
      x,
      all.map((series) => series.x),
    ),
    y: upright,
  };
}

/** The axis with room for all numbers; those that a log axis cannot show take none. */
export function holding(axis: Axis, lists: readonly (Float64Array | undefined)[]): Axis {
  if (axis.scale === "category") return axis;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const list of lists)
    for (const value of list ?? []) {
      if (!Number.isFinite(value) || (axis.scale !== "linear" && value <= 0)) continue;
      [low, high] = [Math.min(low, value), Math.max(high, value)];
    }
  return low <= high ? { ...axis, holds: [low, high] } : axis;
}
