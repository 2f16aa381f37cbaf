import type { SeriesChanges } from "../../commands/change-points.ts";
import type { Figure, TableBlock } from "../../core/figure.ts";

const head: TableBlock["head"] = [
  { label: "series", align: "left" },
  { label: "index", align: "right" },
  { label: "at", align: "left" },
  { label: "before", align: "right" },
  { label: "after", align: "right" },
  { label: "change", align: "right" },
  { label: "p", align: "right" },
];

/** A line for each change. */
export function changePointsFigure(found: readonly SeriesChanges[]): Figure {
  const rows = found.flatMap(({ name, changePoints }) =>
    changePoints.map(({ index, label, before, after, p }) => {
      const change = before === 0 ? "" : `${after >= before ? "+" : ""}${((after / before - 1) * 100).toFixed(1)} %`;
      return [name, String(index), label, short(before), short(after), change, p === null ? "" : p.toPrecision(2)];
    }),
  );
  return { title: "", blocks: [rows.length > 0 ? { kind: "table", head, rows } : { kind: "text", text: "no changes" }] };
}

function short(value: number): string {
  return String(Number(value.toPrecision(6)));
}
