import { Failure } from "../../core/failures/failure.ts";
import type { Axis, ChartBlock, Figure, TextBlock } from "../../core/figures/figure.ts";
import type { Run } from "../../core/profiles/run.ts";
import type { Values } from "../../core/values/value.ts";
import { largestParts } from "../../query/profile/largest-groups.ts";
import type { Part, Pivot } from "../../query/profile/pivot.ts";
import { chartPivot, isAdditive, textOption, titled } from "../../query/profile/view-points.ts";
import { completed, numberWithin, option } from "../plugin.ts";
import type { View } from "./view.ts";

/** How a statistic goes on through the numbers of a column: FUNC of `of` through `through`, taken apart by `by`. */
export const flow: View = Object.freeze<View>({
  kind: "view",
  name: "flow",
  synopsis: "areas or curves: a statistic of amounts through the numbers of a column, summed up so far",
  operand: "func",
  options: [
    option("func", "string", "sum", "sum, mean, count, nunique, median, min, max, or a quantile (q95)"),
    option("of", "string", "amount", "column whose contents are taken together"),
    option("through", "string", null, "column of numbers; default: the first usual one, such as snapshot or order"),
    option("by", "string", null, "column with an area for each content"),
    option("subtype", "string", null, "rows of this quantity alone, where there are several"),
    option("where", "text", null, "conditions on rows, one a line, as in perfkeep query"),
    option("stacked", "boolean", null, "areas upon each other, else curves; default: where parts make the whole"),
    option("accumulate", "boolean", null, "sums of what came so far; default: of sum and count"),
    option("parts", "integer", 8, "so many contents of `by`, the greatest; the others are put together"),
    option("title", "string", null, "what stands above it"),
    option("x-label", "string", null, "what the lying axis is called"),
    option("y-label", "string", null, "what the upright axis is called"),
  ],
  draw: drawFlow,
});

function drawFlow(run: Run, given: Values): Figure {
  const options = completed(flow, given);
  const isSum = isAdditive(options);
  const pivot = chartPivot(run, options, "through");
  if (pivot.positions.some(Number.isNaN)) throw new Failure("not-numbers", { columns: [pivot.per.name] });
  const { pivot: kept, omitted: left } = largestParts(pivot, numberWithin(flow, options, "parts", 1, 1000), isSum);
  const accumulates = options.get("accumulate") ?? isSum;
  const parts = kept.parts.map((part) => filled(part, isSum, accumulates === true));
  const isPositive = parts.every(({ values }) => values.every((value) => !(value < 0)));
  const stacked = (options.get("stacked") ?? isSum) === true && isPositive;
  const chart = chartOf({ ...kept, parts }, options, stacked, accumulates === true);
  const note: TextBlock[] =
    left === 0
      ? []
      : [
          {
            kind: "text",
            text: `${left} more contents of ${textOption(options, "by")} are left out: -p 'parts: N' shows more`,
          },
        ];
  const words = `${chart.y[0].label} through ${chart.x.label}`;
  return { title: textOption(options, "title") ?? titled(run, words), blocks: [chart, ...note] };
}

/** Where a part has nothing, nothing is added. */
function filled({ label, values }: Part, isSum: boolean, accumulates: boolean): Part {
  if (!isSum && !accumulates) return { label, values };
  let sum = 0;
  return {
    label,
    values: values.map((value) =>
      accumulates ? (sum += Number.isNaN(value) ? 0 : value) : Number.isNaN(value) ? 0 : value,
    ),
  };
}

function chartOf(pivot: Pivot, options: Values, stacked: boolean, accumulates: boolean): ChartBlock {
  const { per, value, positions, parts } = pivot;
  const x: Axis = {
    label: textOption(options, "x-label") ?? per.name,
    scale: "linear",
    ...(per.unit ? { unit: per.unit } : {}),
  };
  const label = `${textOption(options, "func")} of ${textOption(options, "of")}${accumulates ? " so far" : ""}`;
  const y: Axis = {
    label: textOption(options, "y-label") ?? label,
    scale: "linear",
    ...(value.unit ? { unit: value.unit } : {}),
  };
  const series = parts.map((part) => ({ label: part.label, axis: 0 as const, x: positions, y: part.values }));
  return { kind: "chart", mark: stacked ? "area" : "curve", ...(stacked ? { stacked: true } : {}), x, y: [y], series };
}
