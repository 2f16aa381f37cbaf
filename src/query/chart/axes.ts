import type { AxisOptions, PlotAxis } from "../../core/experiments/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { isLog, type Axis, type ChartBlock, type ChartSeries } from "../../core/figures/index.ts";
import type { Table } from "../../core/tables/index.ts";
import {
  readableScale,
  convertFactor,
  formatUnit,
  parseUnit,
  sameDimension,
  type Unit,
  compareValues,
  type DataType,
} from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { parseBound } from "../plan/index.ts";
import { valueOf, valueText, numbersOf, requireColumn, type NamedColumn } from "./columns.ts";
import type { Plot } from "./plot.ts";
import type { ResultPoints } from "./points.ts";

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

interface PositionOptions {
  /** Numbers are categories, too, since they have bars. */
  readonly sideBySide: boolean;
  readonly order?: readonly string[];
  /** Labels of values. */
  readonly labels?: ReadonlyMap<string, string>;
}

const measured: readonly DataType[] = ["integer", "float", "duration"];
const successive: readonly DataType[] = ["date", "timestamp", "timeofday", "version"];

/** Positions numbers and instants by size, everything else (and all values below bars) as categories. */
export function positionsOf(table: Table, description: PlotAxis, options: PositionOptions): AxisPositions {
  const column = requireColumn(table, description.name);
  if (measured.includes(column.variable.type) && !options.sideBySide) return alongNumbers(table, column, description);
  const { scale = "linear", from, to } = description;
  const isTime = column.variable.type === "timestamp" || column.variable.type === "date";
  if (isTime && scale === "linear" && !options.sideBySide) return alongTimes(table, column, description);
  if (scale !== "linear" || from !== undefined || to !== undefined) {
    throw new Failure("unusable-combination", {
      what:
        `'${description.name}' has no ${scale === "linear" ? "size" : "logarithm"} here: ` +
        `its values are ${isTime ? "instants" : "categories"}`,
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

/** Seconds of a value of the types `timestamp` (microseconds) and `date` (days). */
const secondsPer = { timestamp: 1e-6, date: 86_400 } as const;

function alongTimes(table: Table, column: NamedColumn, description: PlotAxis): AxisPositions {
  const { type, name } = column.variable;
  const isDate = type === "date";
  const factor = isDate ? secondsPer.date : secondsPer.timestamp;
  const value = numbersOf(column);
  const scale = isDate ? "date" : "time";
  const axis: Axis = { label: description.label ?? name, scale, ...rangeOf(description, column.variable, factor) };
  return { axis, isOrdered: true, at: (row) => value(row) * factor };
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

/** The unit of a variable's numbers; durations are in seconds. */
export function unitOf(variable: Variable): Unit | undefined {
  return variable.unit ?? (variable.type === "duration" ? parseUnit("s") : undefined);
}

/** The y axes of a plot, the axis of each result, and the factor that converts its numbers to the unit of that axis. */
export interface ValueAxes {
  readonly axes: readonly [Axis] | readonly [Axis, Axis];
  axisOf(result: number): 0 | 1;
  factorOf(result: number): number;
}

/**
 * Results without an axis share one with those of their dimension; at most two axes. Fails with `unusable-combination`
 * for more axes, or for two kinds of quantities on one axis.
 */
export function valueAxes(results: readonly ResultPoints[], plot: Plot): ValueAxes {
  const kinds = kindsOf(results, plot);
  const looks = [plot.left, plot.right];
  const axes = kinds.map((kind, side) => valueAxis(kind, looks[side]));
  const [first, second] = axes;
  if (first === undefined || axes.length > 2) throw tooMany(results);
  const unused = plot.right !== undefined && second === undefined;
  if (unused)
    throw new Failure("unusable-combination", {
      what: "no result is on the right axis",
      instead: "put one there, or leave it out",
    });
  const indexOf = (result: number): 0 | 1 => (kinds[0]?.includes(results[result] as ResultPoints) === true ? 0 : 1);
  return {
    axes: second === undefined ? [first] : [first, second],
    axisOf: indexOf,
    factorOf: (result) =>
      convertFactor(unitOf((results[result] as ResultPoints).variable), axes[indexOf(result)]?.unit),
  };
}

/** The results of each axis, left one first. If all are on the right axis, it is the only one and drawn on the left. */
function kindsOf(results: readonly ResultPoints[], { type }: Plot): ResultPoints[][] {
  const sides: { side: "left" | "right" | undefined; kind: ResultPoints[] }[] = [];
  for (const [at, points] of results.entries()) {
    const side = points.result.axis ?? (type === "2D-multi" ? (at === 0 ? "left" : "right") : undefined);
    const fits = ({ kind, ...own }: (typeof sides)[number]): boolean =>
      side === undefined
        ? isSameKind(kind, points)
        : own.side === side || (own.side === undefined && isSameKind(kind, points));
    const found = sides.find(fits);
    if (found === undefined) sides.push({ side, kind: [points] });
    else if (isSameKind(found.kind, points)) Object.assign(found, { side: found.side ?? side }).kind.push(points);
    else throw mixed(points, found.kind);
  }
  return sides.sort((a, b) => Number(a.side === "right") - Number(b.side === "right")).map(({ kind }) => kind);
}

function isSameKind([first]: readonly ResultPoints[], { variable }: ResultPoints): boolean {
  return sameDimension(unitOf(first?.variable ?? variable), unitOf(variable));
}

/** The axis of results of one dimension, in a readable unit. */
export function valueAxis(kind: readonly ResultPoints[], look: AxisOptions = {}): Axis {
  const [first] = kind as [ResultPoints];
  const own = unitOf(first.variable);
  const { scale = "linear" } = look;
  const { unit, factor } = readableScale(
    kind.map((result) => allOf(result, own)),
    own,
  );
  const range = rangeOf(look, first.variable, factor);
  return { label: look.label ?? nameOf(kind), ...(unit === undefined ? {} : { unit }), scale, ...range };
}

function nameOf(kind: readonly ResultPoints[]): string {
  const names = kind.map(
    ({ result: { name, statistic, label } }) => label ?? (statistic === undefined ? name : `${statistic} ${name}`),
  );
  const different = [...new Set(names)];
  return different.length <= 3 ? different.join(", ") : `${different.slice(0, 3).join(", ")}, …`;
}

/** The numbers of a result, error bars included, in the unit `to`. */
function allOf(result: ResultPoints, to: Unit | undefined): Float64Array {
  const factor = convertFactor(unitOf(result.variable), to);
  const ends = [
    result.center,
    ...(result.low === undefined ? [] : [result.low]),
    ...(result.high === undefined ? [] : [result.high]),
  ];
  return Float64Array.from(
    { length: result.length * ends.length },
    (_, i) => (ends[i % ends.length]?.(Math.floor(i / ends.length)) ?? Number.NaN) * factor,
  );
}

function measuredName({ result, variable }: ResultPoints): string {
  return `${result.name} [${formatUnit(unitOf(variable)) || "1"}]`;
}

function tooMany(results: readonly ResultPoints[]): Failure {
  return new Failure("unusable-combination", {
    what:
      results.length === 0
        ? "there is no result to draw"
        : `a picture has two y axes, but these need more: ${results.map(measuredName).join(", ")}`,
    instead: "plot fewer results at a time",
  });
}

function mixed(points: ResultPoints, kind: readonly ResultPoints[]): Failure {
  const what = `one axis cannot hold ${[...kind, points].map(measuredName).join(" and ")}`;
  return new Failure("unusable-combination", { what, instead: "put them on different axes" });
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
      if (!Number.isFinite(value) || (isLog(axis) && value <= 0)) continue;
      [low, high] = [Math.min(low, value), Math.max(high, value)];
    }
  return low <= high ? { ...axis, holds: [low, high] } : axis;
}

/**
 * The requested ends of an axis, as numbers of the variable times `factor`. Fails with `unusable-combination` if the
 * range is empty.
 */
function rangeOf({ from, to, scale }: AxisOptions, variable: Variable, factor: number): Pick<Axis, "from" | "to"> {
  const end = (text: string): number => Number(parseBound(text, variable)) * factor;
  const [low, high] = [from, to].map((text) => (text === undefined ? undefined : end(text)));
  const isLog = scale === "log" || scale === "log2";
  const bad = [low, high].some((value) => value !== undefined && (!Number.isFinite(value) || (isLog && value <= 0)));
  if (bad || (low !== undefined && high !== undefined && low >= high)) {
    throw new Failure("unusable-combination", {
      what: `an axis from ${from ?? "its smallest value"} to ${to ?? "its largest"} has no room`,
      instead: isLog ? "name two positive ends, the lower one first" : "name the lower end first",
    });
  }
  return { ...(low === undefined ? {} : { from: low }), ...(high === undefined ? {} : { to: high }) };
}
