import type { Axis, ChartBlock, ChartSeries } from "../../core/figures/figure.ts";
import type { Table } from "../../core/tables/table.ts";
import { valueText, requireColumn, type NamedColumn } from "./columns.ts";
import { valueLabel } from "./curves.ts";
import { orderedValues } from "./positions.ts";

/** One plot of a series of plots. */
export interface Panel {
  /** "" for the only plot. */
  readonly caption: string;
  readonly values: readonly string[];
  /** Indices into the result. */
  readonly rows: readonly number[];
}

/** A plot for each combination of values that occurs, in the order of the values; without names one with all rows. */
export function panelsOf(table: Table, names: readonly string[]): Panel[] {
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

/** The axes that all plots of a series share: each covers the values of all plots. */
export function sharedAxes(
  plots: readonly (readonly ChartSeries[])[],
  x: Axis,
  y: ChartBlock["y"],
): Pick<ChartBlock, "x" | "y"> {
  if (plots.length < 2) return { x, y };
  const all = plots.flat();
  const [first, second] = y.map((axis, at) =>
    includingValues(
      axis,
      all.filter((series) => series.axis === at).flatMap((series) => [series.y, series.low, series.high]),
    ),
  );
  const vertical: ChartBlock["y"] = first === undefined ? y : second === undefined ? [first] : [first, second];
  return {
    x: includingValues(
      x,
      all.map((series) => series.x),
    ),
    y: vertical,
  };
}

/** The axis, extended to all values that its scale can show. */
export function includingValues(axis: Axis, lists: readonly (Float64Array | undefined)[]): Axis {
  if (axis.scale === "category") return axis;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const list of lists)
    for (const value of list ?? []) {
      if (!Number.isFinite(value) || (axis.scale !== "linear" && value <= 0)) continue;
      [low, high] = [Math.min(low, value), Math.max(high, value)];
    }
  return low <= high ? { ...axis, holds: [low, high] } : axis;
}
