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
  const points = chart.series.map((series) => ({ axis: series.axis, points: drawablePoints(chart, series) }));
  const xs = extent(points.flatMap((series) => series.points.map((point) => [point.x, point.x])));
  const y = chart.y.map((axis, index) => {
    const own = points.filter((series) => series.axis === index);
    const range = extent(own.flatMap((series) => series.points.map((point) => [point.low, point.high])));
    return scaleOf(axis, axis.scale === "linear" ? withZero(chart, range) : range, yTicks);
  });
  return { x: scaleOf(chart.x, xs, xTicks), y };
}

/** The words at an axis: `B_bandwidth [MiByte/s]`. */
export function axisTitle(axis: Axis): string {
  const unit = formatUnit(axis.unit);
  return unit === "" ? axis.label : `${axis.label} [${unit}]`;
}

interface Extent {
  readonly low: number;
  readonly high: number;
}

function extent(pairs: readonly (readonly number[])[]): Extent | undefined {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const [from = low, to = high] of pairs) {
    low = Math.min(low, from);
    high = Math.max(high, to);
  }
  return low <= high ? { low, high } : undefined;
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
