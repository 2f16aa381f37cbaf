import { Failure } from "../../core/failures/failure.ts";
import type { Axis } from "../../core/figures/figure.ts";
import type { PlotPlace } from "../../core/experiments/plot-description.ts";
import type { Table } from "../../core/tables/table.ts";
import { readableScale } from "../../core/values/unit-display.ts";
import { compareValues, type DataType } from "../../core/values/value.ts";
import { rangeOf } from "./axis-range.ts";
import { contentAt, contentText, numbersOf, requireColumn, type NamedColumn } from "./columns.ts";
import { unitOf } from "./value-axes.ts";

/** Where the rows of an answer lie along an axis. */
export interface Places {
  readonly axis: Axis;
  /**
   * True when neighbours on the axis follow one another (numbers, times, versions), so that a line between them means
   * something.
   */
  readonly isOrdered: boolean;
  at(row: number): number;
}

export interface PlaceOptions {
  /** Numbers stand side by side, too: there are bars above them. */
  readonly sideBySide: boolean;
  readonly order?: readonly string[];
  /** What stands at contents instead of themselves. */
  readonly labels?: ReadonlyMap<string, string>;
}

const measured: readonly DataType[] = ["integer", "float", "duration"];
const successive: readonly DataType[] = ["date", "timestamp", "timeofday", "version"];

/** Numbers lie by their size, everything else (and whatever stands below bars) side by side as categories. */
export function placesOf(table: Table, place: PlotPlace, options: PlaceOptions): Places {
  const column = requireColumn(table, place.name);
  if (measured.includes(column.variable.type) && !options.sideBySide) return alongNumbers(table, column, place);
  const { scale = "linear", from, to } = place;
  if (scale !== "linear" || from !== undefined || to !== undefined) {
    throw new Failure("unusable-combination", {
      what: `'${place.name}' has no ${scale === "linear" ? "size" : "logarithm"} here: its contents stand side by side`,
      instead: scale === "linear" ? "choose them by a condition instead of a range" : "leave the logarithmic axis out",
    });
  }
  return alongCategories(table, column, place, options);
}

function alongNumbers(table: Table, column: NamedColumn, place: PlotPlace): Places {
  const { scale = "linear", label = column.variable.name } = place;
  const values = Float64Array.from({ length: table.length }, (_, row) => numbersOf(column)(row));
  const own = unitOf(column.variable);
  const { unit, factor } = scale === "linear" ? readableScale([values], own) : { unit: own, factor: 1 };
  const axis: Axis = {
    label,
    ...(unit === undefined ? {} : { unit }),
    scale,
    ...rangeOf(place, column.variable, factor),
  };
  return { axis, isOrdered: true, at: (row) => (values[row] ?? Number.NaN) * factor };
}

function alongCategories(table: Table, column: NamedColumn, place: PlotPlace, { order, labels }: PlaceOptions): Places {
  const contents = orderedContents(table, column, order);
  const index = new Map(contents.map((content, i) => [content, i]));
  const categories = contents.map(
    (content) => labels?.get(content) ?? (/^[0-9a-f]{40,64}$/.test(content) ? content.slice(0, 8) : content),
  );
  const { type } = column.variable;
  const isOrdered = successive.includes(type) || measured.includes(type) || order !== undefined;
  const { unit } = column.variable;
  const axis: Axis = {
    label: place.label ?? column.variable.name,
    ...(unit === undefined ? {} : { unit }),
    scale: "category",
    categories,
  };
  return { axis, isOrdered, at: (row) => index.get(contentText(column, row)) ?? Number.NaN };
}

/** The contents of a column: first those of `order`, then by size or alphabet. */
export function orderedContents(table: Table, column: NamedColumn, order: readonly string[] = []): string[] {
  const rows = Array.from({ length: table.length }, (_, row) => row);
  rows.sort((a, b) => compareValues(contentAt(column, a), contentAt(column, b), column.variable.type));
  const known = new Set(rows.map((row) => contentText(column, row)));
  const first = order.filter((content) => known.delete(content));
  return [...first, ...known];
}
