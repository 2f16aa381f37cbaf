import { type ChartBlock, type ChartSeries, markOf } from "./figure.ts";

/**
 * A stacked chart as it is drawn: bars and areas reach from zero to the sum of their own content and those of the
 * series before them at the same x; what is below zero is stacked downwards. Drawn from the last series to the first,
 * each covers what is not its own of the one behind it. Other charts are as they were.
 */
export function stackedChart(chart: ChartBlock): ChartBlock {
  if (chart.stacked !== true) return chart;
  const sums = chart.y.map(() => ({ up: new Map<number, number>(), down: new Map<number, number>() }));
  const series = chart.series.map((each) => (isStacked(chart, each) ? upon(each, sums[each.axis] ?? sums[0]!) : each));
  return { ...chart, series };
}

/** Whether a series stands upon others. */
export function isStacked(chart: ChartBlock, series: ChartSeries): boolean {
  const mark = markOf(chart, series);
  return chart.stacked === true && (mark === "bars" || mark === "area");
}

interface Sums {
  readonly up: Map<number, number>;
  readonly down: Map<number, number>;
}

/** Error bars move with their points. */
function upon(series: ChartSeries, { up, down }: Sums): ChartSeries {
  const { low, high, ...bare } = series;
  const below = series.y.map((y, i) => (y < 0 ? down : up).get(series.x[i] ?? Number.NaN) ?? 0);
  const raised = (values: Float64Array): Float64Array => values.map((value, i) => value + (below[i] ?? 0));
  const y = raised(series.y);
  y.forEach((top, i) => {
    if (Number.isFinite(top)) ((series.y[i] ?? 0) < 0 ? down : up).set(series.x[i] ?? Number.NaN, top);
  });
  return { ...bare, y, ...(low ? { low: raised(low) } : {}), ...(high ? { high: raised(high) } : {}) };
}
