import { Failure } from "../core/errors.ts";
import type { Axis } from "../core/figure.ts";
import type { Table } from "../core/table.ts";
import { compareValues, type DataType } from "../core/value.ts";
import { contentAt, contentText, numbersOf, requireColumn, type NamedColumn } from "./plot-columns.ts";
import type { Plot } from "./plot.ts";
import { readableScale, unitOf } from "./plot-units.ts";

/** Where the rows of an answer lie along the x axis. */
export interface Places {
  readonly axis: Axis;
  /** True when neighbours on the axis follow one another (numbers, times, versions), so that a line between them means something. */
  readonly isOrdered: boolean;
  at(row: number): number;
}

const measured: readonly DataType[] = ["integer", "float", "duration"];
const successive: readonly DataType[] = ["date", "timestamp", "timeofday", "version"];

/** Numbers lie by their size, everything else (and whatever stands below bars) side by side as categories. */
export function placesOf(table: Table, plot: Plot): Places {
  const column = requireColumn(table, plot.x);
  const isNumber = measured.includes(column.variable.type) && plot.mark !== "bars";
  if (isNumber) return alongNumbers(table, column, plot);
  if (plot.logX) {
    throw new Failure("unusable-combination", { what: `'${plot.x}' has no logarithm here`, instead: "leave the logarithmic x axis out" });
  }
  return alongCategories(table, column, plot);
}

function alongNumbers(table: Table, column: NamedColumn, plot: Plot): Places {
  const values = Float64Array.from({ length: table.length }, (_, row) => numbersOf(column)(row));
  const own = unitOf(column.variable);
  const { unit, factor } = plot.logX ? { unit: own, factor: 1 } : readableScale([values], own);
  const axis: Axis = { label: column.variable.name, ...(unit === undefined ? {} : { unit }), scale: plot.logX ? "log" : "linear" };
  return { axis, isOrdered: true, at: (row) => (values[row] ?? Number.NaN) * factor };
}

function alongCategories(table: Table, column: NamedColumn, plot: Plot): Places {
  const rows = Array.from({ length: table.length }, (_, row) => row);
  const { type } = column.variable;
  rows.sort((a, b) => compareValues(contentAt(column, a), contentAt(column, b), type));
  const present = [...new Set(rows.map((row) => contentText(column, row)))];
  const known = new Set(present);
  const first = (plot.order ?? []).filter((content) => known.delete(content));
  const contents = [...first, ...known];
  const index = new Map(contents.map((content, i) => [content, i]));
  const categories = contents.map((content) => (/^[0-9a-f]{40,64}$/.test(content) ? content.slice(0, 8) : content));
  const isOrdered = successive.includes(type) || measured.includes(type) || plot.order !== undefined;
  const axis: Axis = { label: column.variable.name, scale: "category", categories };
  return { axis, isOrdered, at: (row) => index.get(contentText(column, row)) ?? Number.NaN };
}
