import type { PlotAxis } from "../../core/experiments/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { Axis } from "../../core/figures/index.ts";
import {
  readableScale,
  convertFactor,
  sameDimension,
  type Unit,
  compareValues,
  type DataType,
  type Value,
} from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { rangeOf, unitOf } from "./axes.ts";
import { valueOf, valueText, numbersOf, type NamedColumn } from "./columns.ts";

/** A column along an axis with its number of rows; without a column all rows have the same position. */
export interface ColumnRows {
  readonly column: NamedColumn | undefined;
  readonly length: number;
}

/** Positions of rows along an axis. */
export interface AxisPositions {
  readonly axis: Axis;
  /**
   * True if neighbours on the axis are consecutive (numbers, times, versions), so that a line between them is
   * meaningful.
   */
  readonly isOrdered: boolean;
  /** The position of each row of a column. */
  of(column: NamedColumn | undefined): (row: number) => number;
}

/** What depends on the query: `plot` chooses units and an order, described queries show what they are given. */
export interface PositionOptions {
  /** Values of an axis in their order, if not by size or alphabet (versions in order of history). */
  readonly order?: readonly string[];
  /** Labels of values. */
  readonly labels?: ReadonlyMap<string, string>;
  /** Numbers keep their unit, and texts the order in which they appear. */
  readonly asGiven?: true;
  /** The text of a value; default: `valueText`. */
  readonly text?: (column: NamedColumn, row: number) => string;
}

const numbers: readonly DataType[] = ["integer", "float", "duration"];
const instants: readonly DataType[] = ["date", "timestamp"];
const successive: readonly DataType[] = [...numbers, ...instants, "timeofday", "version"];

/**
 * Positions numbers and instants by size, everything else (and all values below bars, `sideBySide`) as categories. The
 * columns share one axis.
 */
export function positionsOf(
  columns: readonly ColumnRows[],
  description: PlotAxis,
  options: PositionOptions,
  sideBySide: boolean,
): AxisPositions {
  const [first] = columns;
  const areAll = (types: readonly DataType[]): boolean =>
    !sideBySide && columns.every(({ column }) => column !== undefined && types.includes(column.variable.type));
  if (first?.column !== undefined && areAll(numbers)) return alongNumbers(columns, first.column, description, options);
  const { scale = "linear", from, to } = description;
  if (first?.column !== undefined && areAll(instants) && scale === "linear")
    return alongTimes(columns, first.column, description);
  if (scale !== "linear" || from !== undefined || to !== undefined) {
    const isTime = first?.column !== undefined && instants.includes(first.column.variable.type);
    throw new Failure("unusable-combination", {
      what:
        `'${description.name}' has no ${scale === "linear" ? "size" : "logarithm"} here: ` +
        `its values are ${isTime ? "instants" : "categories"}`,
      instead: scale === "linear" ? "select them by a condition instead of a range" : "leave the logarithmic axis out",
    });
  }
  return alongCategories(columns, description, options);
}

/** Whether all values of a column are numbers, which can have a logarithmic axis. */
export function isNumeric(column: NamedColumn | undefined): boolean {
  return column !== undefined && numbers.includes(column.variable.type);
}

function alongNumbers(
  columns: readonly ColumnRows[],
  { variable }: NamedColumn,
  description: PlotAxis,
  { asGiven }: PositionOptions,
): AxisPositions {
  const { scale = "linear", label = variable.name } = description;
  const own = unitOf(variable);
  const { unit, factor } =
    scale === "linear" && asGiven === undefined ? readableScale(columns.map(valuesOf), own) : { unit: own, factor: 1 };
  const axis: Axis = {
    label,
    ...(unit === undefined ? {} : { unit }),
    scale,
    ...rangeOf(description, variable, factor),
  };
  const factorOf = (other: Unit | undefined): number => (sameDimension(other, unit) ? convertFactor(other, unit) : 1);
  const of = (column: NamedColumn | undefined): ((row: number) => number) => {
    if (column === undefined) return () => Number.NaN;
    const [value, times] = [numbersOf(column), factorOf(unitOf(column.variable))];
    return (row) => value(row) * times;
  };
  return { axis, isOrdered: true, of };
}

function valuesOf({ column, length }: ColumnRows): Float64Array {
  const value = column === undefined ? (): number => Number.NaN : numbersOf(column);
  return Float64Array.from({ length }, (_, row) => value(row));
}

/** Seconds of a value of the types `timestamp` (microseconds) and `date` (days). */
const secondsPer = { timestamp: 1e-6, date: 86_400 } as const;

function alongTimes(columns: readonly ColumnRows[], { variable }: NamedColumn, description: PlotAxis): AxisPositions {
  const secondsOf = ({ type }: Variable): number => (type === "date" ? secondsPer.date : secondsPer.timestamp);
  const scale = columns.every(({ column }) => column?.variable.type === "date") ? "date" : "time";
  const range = rangeOf(description, variable, secondsOf(variable));
  const axis: Axis = { label: description.label ?? variable.name, scale, ...range };
  const of = (column: NamedColumn | undefined): ((row: number) => number) => {
    if (column === undefined) return () => Number.NaN;
    const [value, factor] = [numbersOf(column), secondsOf(column.variable)];
    return (row) => value(row) * factor;
  };
  return { axis, isOrdered: true, of };
}

/** All values as categories. */
export function alongCategories(
  columns: readonly ColumnRows[],
  description: PlotAxis,
  options: PositionOptions,
): AxisPositions {
  const { order, labels, text = valueText } = options;
  const values = orderedValues(columns, options);
  const index = new Map(values.map((value, i) => [value, i]));
  const categories = values.map(
    (value) => labels?.get(value) ?? (/^[0-9a-f]{40,64}$/.test(value) ? value.slice(0, 8) : value),
  );
  const variable = columns[0]?.column?.variable;
  const axis: Axis = {
    label: description.label ?? variable?.name ?? "",
    ...(variable?.unit === undefined ? {} : { unit: variable.unit }),
    scale: "category",
    categories,
  };
  const isOrdered = (variable !== undefined && successive.includes(variable.type)) || order !== undefined;
  const of =
    (column: NamedColumn | undefined) =>
    (row: number): number =>
      index.get(column === undefined ? "" : text(column, row)) ?? Number.NaN;
  return { axis, isOrdered, of };
}

/** The texts of values: first those of `order`, then by size or alphabet; texts as given, in order of appearance. */
function orderedValues(
  columns: readonly ColumnRows[],
  { order = [], asGiven, text = valueText }: PositionOptions,
): string[] {
  const found = new Map<string, Value>();
  for (const { column, length } of columns)
    for (let row = 0; row < length; row++) {
      const name = column === undefined ? "" : text(column, row);
      if (!found.has(name)) found.set(name, column === undefined ? "" : valueOf(column, row));
    }
  const type = columns[0]?.column?.variable.type ?? "string";
  const isSorted = asGiven === undefined || columns.every(({ column }) => isNumeric(column));
  const bySize = ([, a]: [string, Value], [, b]: [string, Value]): number =>
    a === null || b === null ? Number(a === null) - Number(b === null) : compareValues(a, b, type);
  const names = new Set((isSorted ? [...found].sort(bySize) : [...found]).map(([name]) => name));
  return [...order.filter((value) => names.delete(value)), ...names];
}
