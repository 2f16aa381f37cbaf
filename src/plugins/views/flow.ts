import { Failure } from "../../core/failures/index.ts";
import type { Axis, ChartBlock, Figure, TextBlock } from "../../core/figures/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import type { Values } from "../../core/values/index.ts";
import {
  largestParts,
  type Part,
  type Pivot,
  chartPivot,
  isAdditive,
  textOption,
  titled,
} from "../../query/profile/index.ts";
import { withDefaults, numberWithin, option } from "../plugin.ts";
import type { View } from "./view.ts";

/** A statistic over the numbers of a column: FUNC of `of` through `through`, split by `by`. */
export const flow: View = Object.freeze<View>({
  kind: "view",
  name: "flow",
  synopsis: "areas or curves: a statistic of amounts over a numeric column, optionally cumulative",
  operand: "func",
  options: [
    option("func", "string", "sum", "sum, mean, count, nunique, median, min, max, or a quantile (q95)"),
    option("of", "string", "amount", "column to aggregate"),
    option("through", "string", null, "numeric column; default: the first common one, such as snapshot or order"),
    option("by", "string", null, "column with one area per value"),
    option("subtype", "string", null, "only rows of this quantity, if there are several"),
    option("where", "text", null, "conditions on rows, one per line, as in perfkeep query"),
    option("stacked", "boolean", null, "stacked areas instead of curves; default: for sum and count"),
    option("accumulate", "boolean", null, "cumulative values; default: for sum and count"),
    option("parts", "integer", 8, "maximum values of `by`, the largest; the others are combined"),
    option("title", "string", null, "title"),
    option("x-label", "string", null, "label of the horizontal axis"),
    option("y-label", "string", null, "label of the vertical axis"),
  ],
  draw: drawFlow,
});

function drawFlow(run: Run, given: Values): Figure {
  const options = withDefaults(flow, given);
  const isSum = isAdditive(options);
  const pivot = chartPivot(run, options, "through");
  if (pivot.positions.some(Number.isNaN)) throw new Failure("not-numbers", { columns: [pivot.per.name] });
  const { pivot: kept, omitted } = largestParts(pivot, numberWithin(flow, options, "parts", 1, 1000), isSum);
  const accumulates = options.get("accumulate") ?? isSum;
  const parts = kept.parts.map((part) => filled(part, isSum, accumulates === true));
  const isPositive = parts.every(({ values }) => values.every((value) => !(value < 0)));
  const stacked = (options.get("stacked") ?? isSum) === true && isPositive;
  const chart = chartOf({ ...kept, parts }, options, stacked, accumulates === true);
  const note: TextBlock[] =
    omitted === 0
      ? []
      : [
          {
            kind: "text",
            text: `${omitted} more values of ${textOption(options, "by")} are omitted: -p 'parts: N' shows more`,
          },
        ];
  const words = `${chart.y[0].label} through ${chart.x.label}`;
  return { title: textOption(options, "title") ?? titled(run, words), blocks: [chart, ...note] };
}

/** Replaces missing values by zero, and accumulates if requested. */
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
