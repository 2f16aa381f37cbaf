import type { AxisOptions } from "../../core/experiments/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { isLog, type Axis, type ChartBlock, type ChartSeries } from "../../core/figures/index.ts";
import {
  readableScale,
  convertFactor,
  formatUnit,
  parseUnit,
  sameDimension,
  type Unit,
} from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { parseBound } from "../plan/index.ts";
import type { ResultPoints } from "./points.ts";

/** How the y axes of a chart look. */
export interface AxesOptions {
  readonly left?: AxisOptions;
  readonly right?: AxisOptions;
  /** Numbers keep their unit. */
  readonly asGiven?: true;
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
export function valueAxes(results: readonly ResultPoints[], options: AxesOptions): ValueAxes {
  const kinds = kindsOf(results);
  const looks = [options.left, options.right];
  const axes = kinds.map((kind, side) => valueAxis(kind, looks[side], options));
  const [first, second] = axes;
  if (first === undefined || axes.length > 2) throw tooMany(results);
  const unused = options.right !== undefined && second === undefined;
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
function kindsOf(results: readonly ResultPoints[]): ResultPoints[][] {
  const sides: { side: "left" | "right" | undefined; kind: ResultPoints[] }[] = [];
  for (const points of results) {
    const side = points.result.axis;
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
export function valueAxis(
  kind: readonly ResultPoints[],
  look: AxisOptions = {},
  { asGiven }: Pick<AxesOptions, "asGiven"> = {},
): Axis {
  const [first] = kind as [ResultPoints];
  const own = unitOf(first.variable);
  const { scale = "linear" } = look;
  const { unit, factor } =
    asGiven === undefined
      ? readableScale(
          kind.map((result) => allOf(result, own)),
          own,
        )
      : { unit: own, factor: 1 };
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

/** The unit of a variable's numbers; durations are in seconds. */
export function unitOf(variable: Variable): Unit | undefined {
  return variable.unit ?? (variable.type === "duration" ? parseUnit("s") : undefined);
}

/**
 * The requested ends of an axis, as numbers of the variable times `factor`. Fails with `unusable-combination` if the
 * range is empty.
 */
export function rangeOf(
  { from, to, scale }: AxisOptions,
  variable: Variable,
  factor: number,
): Pick<Axis, "from" | "to"> {
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
