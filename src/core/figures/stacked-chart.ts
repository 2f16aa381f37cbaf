import { type ChartBlock, type ChartSeries, markOf } from "./figure.ts";

/**
 * The stacked values of a chart: bars and areas reach from zero to the sum of their value and those of the previous
 * series at the same x; negative values are stacked downwards. Draw from the last series to the first. Other charts are
 * unchanged.
 */
export function stackedChart(chart: ChartBlock): ChartBlock {
  if (chart.stacked !== true) return chart;
  const sums = chart.y.map(() => ({ up: new Map<number, number>(), down: new Map<number, number>() }));
  const series = chart.series.map((each) =>
    isStacked(chart, each) ? stackedOn(each, sums[each.axis] ?? sums[0]!) : each,
  );
  return { ...chart, series };
}

/** Whether a series is stacked. */
export function isStacked(chart: ChartBlock, series: ChartSeries): boolean {
  const mark = markOf(chart, series);
  return chart.stacked === true && (mark === "bars" || mark === "area");
}

interface Sums {
  readonly up: Map<number, number>;
  readonly down: Map<number, number>;
}

/** Error bars move with their points. */
function stackedOn(series: ChartSeries, { up, down }: Sums): ChartSeries {
  const { low, high, ...bare } = series;
  const below = series.y.map((y, i) => (y < 0 ? down : up).get(series.x[i] ?? Number.NaN) ?? 0);
  const raised = (values: Float64Array): Float64Array => values.map((value, i) => value + (below[i] ?? 0));
  const y = raised(series.y);
  y.forEach((top, i) => {
    if (Number.isFinite(top)) ((series.y[i] ?? 0) < 0 ? down : up).set(series.x[i] ?? Number.NaN, top);
  });
  return { ...bare, y, ...(low ? { low: raised(low) } : {}), ...(high ? { high: raised(high) } : {}) };
}
