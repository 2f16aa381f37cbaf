import { type ChartBlock, type TableBlock, yAxisOf } from "../../../core/figures/index.ts";
import { axisTitle, positionText } from "./chart-scales.ts";

/**
 * The numbers of a chart as a table with one row per point, for media without graphics. Numbers have up to 15 digits,
 * which hides binary rounding errors; NaN is an empty cell.
 */
export function chartTable(chart: ChartBlock): TableBlock {
  const errors = chart.series.some((series) => series.low !== undefined || series.high !== undefined);
  const names = [axisTitle(chart.x), chart.y.map(axisTitle).join(" / "), ...(errors ? ["low", "high"] : [])];
  const labels = [...(chart.y.length === 2 ? ["axis"] : []), "series"];
  const rows = chart.series.flatMap((series) => {
    const own = [...(chart.y.length === 2 ? [axisTitle(yAxisOf(chart, series))] : []), series.label];
    return [...series.y].map((y, i) => {
      const x = series.x[i] ?? Number.NaN;
      const ends = errors ? [numberCell(series.low?.[i]), numberCell(series.high?.[i])] : [];
      return [...own, Number.isNaN(x) ? "" : positionText(chart.x, x), numberCell(y), ...ends];
    });
  });
  const head = [
    ...labels.map((label) => ({ label, align: "left" }) as const),
    ...names.map((label) => ({ label, align: "right" }) as const),
  ];
  return { kind: "table", ...(chart.caption === undefined ? {} : { caption: chart.caption }), head, rows };
}

/** Up to 15 digits; empty for NaN or undefined. */
export function numberCell(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? "" : String(Number(value.toPrecision(15)));
}
