import { type Axis, type ChartBlock, drawablePoints, isTime, markOf } from "../../../core/figures/index.ts";
import { formatUnit } from "../../../core/values/index.ts";
import {
  categoryScale,
  clippedScale,
  instantText,
  linearScale,
  log2Scale,
  logScale,
  type Scale,
  shortNumber,
  timeScale,
} from "../../../math/plotting/index.ts";

/** Scales of a chart's axes. */
export interface ChartScales {
  readonly x: Scale;
  /** One per y axis of the chart. */
  readonly y: readonly Scale[];
}

/**
 * Scales that cover all drawable points and error bars of a chart, which must already be stacked; `xTicks` and
 * `yTicks`: approximate number of ticks.
 */
export function scalesOf(chart: ChartBlock, xTicks: number, yTicks: number): ChartScales {
  const xExtent = fixedExtent(chart.x);
  const yExtents = [fixedExtent(chart.y[0]), fixedExtent(chart.y[1])] as const;
  for (const series of chart.series) {
    for (const point of drawablePoints(chart, series)) {
      widen(xExtent, point.x, point.x);
      widen(yExtents[series.axis], point.low, point.high);
      xExtent.whole &&= Number.isInteger(point.x);
      yExtents[series.axis].whole &&= Number.isInteger(point.y);
    }
  }
  const y = chart.y.map((axis, i) => {
    const range = unlessEmpty(yExtents[i]);
    return scaleOf(axis, axis.scale === "linear" ? withZero(range, startsAtZero(chart)) : range, yTicks);
  });
  // Instants have longer labels than numbers.
  return { x: scaleOf(chart.x, unlessEmpty(xExtent), isTime(chart.x) ? Math.ceil(xTicks / 2) : xTicks), y };
}

function startsAtZero(chart: ChartBlock): boolean {
  return chart.series.some((series) => ["bars", "area"].includes(markOf(chart, series)));
}

/** Title of an axis: `B_bandwidth [MiByte/s]`, for instants with their time zone. */
export function axisTitle(axis: Axis): string {
  if (axis.scale === "time") return `${axis.label} [UTC]`;
  const unit = formatUnit(axis.unit);
  return unit === "" ? axis.label : `${axis.label} [${unit}]`;
}

/** Title of a drawn axis, without the unit if the tick labels contain it. */
export function drawnAxisTitle(axis: Axis): string {
  return hasUnitInTicks(axis) ? axis.label : axisTitle(axis);
}

/** Whether the tick labels of an axis contain its unit: `4 KiB`. */
export function hasUnitInTicks(axis: Axis): boolean {
  return binaryUnit(axis) !== undefined;
}

/**
 * Label of a tick: a category, a number, on a log2 axis `2^20` or, for bytes, `4 KiB`; an instant as precise as the
 * ticks of `scale`, or in full.
 */
export function tickLabel(axis: Axis, tick: number, scale?: Scale): string {
  if (axis.scale === "category") return axis.categories?.[tick] ?? "";
  if (isTime(axis)) return scale?.label?.(tick) ?? positionText(axis, tick);
  if (axis.scale !== "log2") return shortNumber(tick);
  const unit = binaryUnit(axis);
  const power = Math.log2(tick);
  if (unit === undefined)
    return Number.isInteger(power) && (power > 19 || power < -3) ? `2^${power}` : shortNumber(tick);
  const step = Math.min(prefixes.length - 1, Math.max(0, Math.floor((power + unit.power) / 10)));
  return `${shortNumber(tick * 2 ** (unit.power - 10 * step))} ${prefixes[step]}${unit.symbol}`;
}

/** An instant or a day in full; other positions with up to 15 digits, which hides binary rounding errors. */
export function positionText(axis: Axis, position: number): string {
  if (axis.scale === "category") return axis.categories?.[position] ?? "";
  if (!isTime(axis)) return String(Number(position.toPrecision(15)));
  return axis.scale === "date" ? instantText(position).replace(/ 00:00:00$/, "") : instantText(position);
}

const prefixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi"] as const;

/** Bytes or bytes per second on a log2 axis; `power`: exponent of the unit's prefix. */
function binaryUnit({ scale, unit }: Axis): { readonly power: number; readonly symbol: string } | undefined {
  const [, prefix, time] = /^(|Ki|Mi|Gi|Ti|Pi)Byte(\/s)?$/.exec(scale === "log2" ? formatUnit(unit) : "") ?? [];
  const step = prefixes.findIndex((each) => each === prefix);
  return step < 0 ? undefined : { power: 10 * step, symbol: `B${time ?? ""}` };
}

export interface Extent {
  low: number;
  high: number;
  /** Whether all values are whole numbers, so that ticks are, too. */
  whole: boolean;
}

export function fixedExtent(axis: Axis | undefined): Extent {
  const [low, high] = axis?.holds ?? [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  return { low, high, whole: axis?.holds === undefined || axis.holds.every(Number.isInteger) };
}

export function widen(extent: Extent, low: number, high: number): void {
  extent.low = Math.min(extent.low, low);
  extent.high = Math.max(extent.high, high);
}

function endsOf({ from, to }: Axis, { low, high }: Pick<Extent, "low" | "high">): Pick<Extent, "low" | "high"> {
  const start = from ?? Math.min(low, to ?? low);
  return { low: start, high: to ?? Math.max(high, start) };
}

function unlessEmpty(extent: Extent | undefined): Extent | undefined {
  return extent !== undefined && extent.low <= extent.high ? extent : undefined;
}

/** Bars and areas start at zero; other marks include zero only if that takes less than half of the axis. */
export function withZero(range: Extent | undefined, always: boolean): Extent | undefined {
  if (range === undefined) return undefined;
  const { low, high, whole } = range;
  const near = (low > 0 && low <= high / 2) || (high < 0 && high >= low / 2);
  return always || near ? { low: Math.min(low, 0), high: Math.max(high, 0), whole } : range;
}

/** The scale of an axis that covers `range`, or the axis's own limits. */
export function scaleOf(axis: Axis, range: Extent | undefined, ticks: number): Scale {
  if (axis.scale === "category") return categoryScale(Math.max(1, axis.categories?.length ?? 0));
  const { low, high } = endsOf(axis, range ?? (axis.scale === "linear" ? { low: 0, high: 1 } : { low: 1, high: 10 }));
  if (isTime(axis)) return timeScale(low, high, ticks, axis.scale === "date");
  const scale =
    axis.scale === "linear"
      ? linearScale(low, high, ticks, range?.whole === true)
      : { log: logScale, log2: log2Scale }[axis.scale as "log" | "log2"](low, high, ticks);
  return axis.from === undefined && axis.to === undefined
    ? scale
    : clippedScale(scale, axis.from ?? scale.low, axis.to ?? scale.high);
}
