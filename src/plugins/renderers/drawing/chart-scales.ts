import { type Axis, type ChartBlock, drawablePoints } from "../../../core/figure.ts";
import { formatUnit } from "../../../core/unit.ts";
import { categoryScale, linearScale, logScale, type Scale } from "../../../math/scale.ts";

/** How a chart's values lie on its axes. */
export interface ChartScales {
  readonly x: Scale;
  /** Parallel to the y axes of the chart. */
  readonly y: readonly Scale[];
}

/** Scales that hold every drawable point and error bar; `xTicks` and `yTicks` say about how many ticks there is room for. */
export function scalesOf(chart: ChartBlock, xTicks: number, yTicks: number): ChartScales {
  const along = nowhere();
  const up = [nowhere(), nowhere()] as const;
  for (const series of chart.series) {
    for (const point of drawablePoints(chart, series)) {
      widen(along, point.x, point.x);
      widen(up[series.axis], point.low, point.high);
    }
  }
  const y = chart.y.map((axis, i) => {
    const range = found(up[i]);
    return scaleOf(axis, axis.scale === "linear" ? withZero(chart, range) : range, yTicks);
  });
  return { x: scaleOf(chart.x, found(along), xTicks), y };
}

/** The words at an axis: `B_bandwidth [MiByte/s]`. */
export function axisTitle(axis: Axis): string {
  const unit = formatUnit(axis.unit);
  return unit === "" ? axis.label : `${axis.label} [${unit}]`;
}

interface Extent {
  low: number;
  high: number;
}

function nowhere(): Extent {
  return { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY };
}

function widen(extent: Extent, low: number, high: number): void {
  extent.low = Math.min(extent.low, low);
  extent.high = Math.max(extent.high, high);
}

function found(extent: Extent | undefined): Extent | undefined {
  return extent !== undefined && extent.low <= extent.high ? extent : undefined;
}

/** Bars begin at zero; other marks show zero only when that costs less than half of the picture. */
function withZero(chart: ChartBlock, range: Extent | undefined): Extent | undefined {
  if (range === undefined) return undefined;
  const { low, high } = range;
  const near = (low > 0 && low <= high / 2) || (high < 0 && high >= low / 2);
  return chart.mark === "bars" || near ? { low: Math.min(low, 0), high: Math.max(high, 0) } : range;
}

function scaleOf(axis: Axis, range: Extent | undefined, ticks: number): Scale {
  if (axis.scale === "category") return categoryScale(Math.max(1, axis.categories?.length ?? 0));
  if (axis.scale === "linear") return linearScale(range?.low ?? 0, range?.high ?? 1, ticks);
  return logScale(range?.low ?? 1, range?.high ?? 10, ticks);
}
