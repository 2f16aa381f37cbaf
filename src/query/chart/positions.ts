import { Failure } from "../../core/failures/failure.ts";
import type { Axis } from "../../core/figures/figure.ts";
import type { PlotAxis } from "../../core/experiments/plot-description.ts";
import type { Table } from "../../core/tables/table.ts";
import { readableScale } from "../../core/values/unit-display.ts";
import { compareValues, type DataType } from "../../core/values/value.ts";
import { rangeOf } from "./axis-range.ts";
import { valueOf, valueText, numbersOf, requireColumn, type NamedColumn } from "./columns.ts";
import { unitOf } from "./value-axes.ts";

/** Positions of rows along an axis. */
export interface AxisPositions {
  readonly axis: Axis;
  /**
   * True if neighbours on the axis are consecutive (numbers, times, versions), so that a line between them is
   * meaningful.
   */
  readonly isOrdered: boolean;
  at(row: number): number;
}

export interface PositionOptions {
  /** Numbers are categories, too, since they have bars. */
  readonly sideBySide: boolean;
  readonly order?: readonly string[];
  /** Labels of values. */
  readonly labels?: ReadonlyMap<string, string>;
}

const measured: readonly DataType[] = ["integer", "float", "duration"];
const successive: readonly DataType[] = ["date", "timestamp", "timeofday", "version"];

/** Positions numbers by size, everything else (and all values below bars) as categories. */
export function positionsOf(table: Table, description: PlotAxis, options: PositionOptions): AxisPositions {
  const column = requireColumn(table, description.name);
  if (measured.includes(column.variable.type) && !options.sideBySide) return alongNumbers(table, column, description);
  const { scale = "linear", from, to } = description;
  if (scale !== "linear" || from !== undefined || to !== undefined) {
    throw new Failure("unusable-combination", {
      what: `'${description.name}' has no ${scale === "linear" ? "size" : "logarithm"} here: its values are categories`,
      instead: scale === "linear" ? "select them by a condition instead of a range" : "leave the logarithmic axis out",
    });
  }
  return alongCategories(table, column, description, options);
}

function alongNumbers(table: Table, column: NamedColumn, description: PlotAxis): AxisPositions {
  const { scale = "linear", label = column.variable.name } = description;
  const values = Float64Array.from({ length: table.length }, (_, row) => numbersOf(column)(row));
  const own = unitOf(column.variable);
  const { unit, factor } = scale === "linear" ? readableScale([values], own) : { unit: own, factor: 1 };
  const axis: Axis = {
    label,
    ...(unit === undefined ? {} : { unit }),
    scale,
    ...rangeOf(description, column.variable, factor),
  };
  return { axis, isOrdered: true, at: (row) => (values[row] ?? Number.NaN) * factor };
}

function alongCategories(
  table: Table,
  column: NamedColumn,
  description: PlotAxis,
  { order, labels }: PositionOptions,
): AxisPositions {
  const values = orderedValues(table, column, order);
  const index = new Map(values.map((value, i) => [value, i]));
  const categories = values.map(
    (value) => labels?.get(value) ?? (/^[0-9a-f]{40,64}$/.test(value) ? value.slice(0, 8) : value),
  );
  const { type } = column.variable;
  const isOrdered = successive.includes(type) || measured.includes(type) || order !== undefined;
  const { unit } = column.variable;
  const axis: Axis = {
    label: description.label ?? column.variable.name,
    ...(unit === undefined ? {} : { unit }),
    scale: "category",
    categories,
  };
  return { axis, isOrdered, at: (row) => index.get(valueText(column, row)) ?? Number.NaN };
}

/** The values of a column: first those of `order`, then by size or alphabet. */
export function orderedValues(table: Table, column: NamedColumn, order: readonly string[] = []): string[] {
  const rows = Array.from({ length: table.length }, (_, row) => row);
  rows.sort((a, b) => compareValues(valueOf(column, a), valueOf(column, b), column.variable.type));
  const known = new Set(rows.map((row) => valueText(column, row)));
  const first = order.filter((value) => known.delete(value));
  return [...first, ...known];
}
