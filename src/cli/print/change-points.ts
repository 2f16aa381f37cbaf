import type { SearchedSeries } from "../../commands/change-points.ts";
import type { ChartBlock, Figure, TableBlock } from "../../core/figure.ts";
import { steppedChart } from "./stepped-chart.ts";

const head: TableBlock["head"] = [
  { label: "series", align: "left" },
  { label: "index", align: "right" },
  { label: "at", align: "left" },
  { label: "before", align: "right" },
  { label: "after", align: "right" },
  { label: "change", align: "right" },
  { label: "p", align: "right" },
];

/** Charts of the first series, then a line for each change of all. */
export function changePointsFigure(series: readonly SearchedSeries[], charts: number): Figure {
  const rows = series.flatMap(({ found: { name, changePoints } }) =>
    changePoints.map(({ index, label, before, after, p }) => {
      const change = before === 0 ? "" : `${after >= before ? "+" : ""}${((after / before - 1) * 100).toFixed(1)} %`;
      return [name, String(index), label, short(before), short(after), change, p === null ? "" : p.toPrecision(2)];
    }),
  );
  const table =
    rows.length > 0 ? ({ kind: "table", head, rows } as const) : ({ kind: "text", text: "no changes" } as const);
  const drawn = series.slice(0, charts).filter(({ searched: { values } }) => values.length > 0);
  return { title: "", blocks: [...drawn.map(chartOf), table] };
}

function chartOf({ found: { name, changePoints }, searched: { values, labels } }: SearchedSeries): ChartBlock {
  const changes = changePoints.map(({ index }) => ({ at: index, word: "change" }));
  return steppedChart({ name, values: [...values], places: labels, along: "at", changes });
}

function short(value: number): string {
  return String(Number(value.toPrecision(6)));
}
