import type { Axis, ChartBlock, Figure, TextBlock } from "../../core/figures/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import type { Values } from "../../core/values/index.ts";
import {
  largestParts,
  largestCategories,
  type Pivot,
  chartPivot,
  isAdditive,
  textOption,
  titled,
} from "../../query/profile/index.ts";
import { withDefaults, numberWithin, option } from "../plugin.ts";
import type { View } from "./view.ts";

/** Maximum number of distinguishable bars. */
const maxBars = 200;

/** One bar per value of a column: FUNC of `of` per `per`, split by `by`. */
export const bars: View = Object.freeze<View>({
  kind: "view",
  name: "bars",
  synopsis: "bars: a statistic of amounts for each value of a column",
  operand: "func",
  options: [
    option("func", "string", "sum", "sum, mean, count, nunique, median, min, max, or a quantile (q95)"),
    option("of", "string", "amount", "column to aggregate"),
    option(
      "per",
      "string",
      null,
      "column with one bar per value; default: the first common one, such as snapshot or order",
    ),
    option("by", "string", null, "column whose values split the bars"),
    option("subtype", "string", null, "only rows of this quantity, if there are several"),
    option("where", "text", null, "conditions on rows, one per line, as in perfkeep query"),
    option("stacked", "boolean", true, "stack the parts of a bar; otherwise side by side"),
    option("lying", "boolean", null, "horizontal bars; default: if the column contains text"),
    option("top", "integer", null, "maximum bars, the largest; default: 30 for text, 200 for numbers"),
    option("parts", "integer", 8, "maximum values of `by`, the largest; the others are combined"),
    option("title", "string", null, "title"),
    option("x-label", "string", null, "label of the category axis"),
    option("y-label", "string", null, "label of the value axis"),
  ],
  draw: drawBars,
});

function drawBars(run: Run, given: Values): Figure {
  const options = withDefaults(bars, given);
  const isSum = isAdditive(options);
  const whole = chartPivot(run, options, "per");
  const hasNumbers = !whole.positions.some(Number.isNaN);
  const top = options.get("top") === null ? (hasNumbers ? maxBars : 30) : numberWithin(bars, options, "top", 1, 2000);
  const parts = largestParts(whole, numberWithin(bars, options, "parts", 1, 1000), isSum);
  const shownBars = largestCategories(parts.pivot, top, isSum);
  const chart = chartOf(shownBars.pivot, options, hasNumbers);
  const words = `${chart.y[0].label} per ${chart.x.label}`;
  return {
    title: textOption(options, "title") ?? titled(run, words),
    blocks: [chart, ...omissionNotes(shownBars.omitted, parts.omitted, options)],
  };
}

function chartOf(pivot: Pivot, options: Values, hasNumbers: boolean): ChartBlock {
  const label = textOption(options, "x-label") ?? pivot.per.name;
  const x: Axis = {
    label,
    ...(pivot.per.unit ? { unit: pivot.per.unit } : {}),
    scale: "category",
    categories: pivot.categories,
  };
  const horizontal = options.get("lying") ?? !hasNumbers;
  return {
    kind: "chart",
    mark: "bars",
    ...(options.get("stacked") !== false && pivot.parts.length > 1 ? { stacked: true } : {}),
    ...(horizontal === true ? { horizontal } : {}),
    x,
    y: [valueAxis(pivot, options)],
    series: pivot.parts.map(({ label: part, values }) => ({
      label: part,
      axis: 0,
      x: Float64Array.from(pivot.categories.keys()),
      y: values,
    })),
  };
}

function valueAxis({ value }: Pivot, options: Values): Axis {
  const label = textOption(options, "y-label") ?? `${textOption(options, "func")} of ${textOption(options, "of")}`;
  return { label, scale: "linear", ...(value.unit ? { unit: value.unit } : {}) };
}

/** Notes on omitted values. */
function omissionNotes(bars: number, parts: number, options: Values): TextBlock[] {
  const notes = [
    ...(bars > 0
      ? [`${bars} more values of ${textOption(options, "per") ?? "the column"} are omitted: raise top to show more`]
      : []),
    ...(parts > 0
      ? [`${parts} more values of ${textOption(options, "by")} are omitted: -p 'parts: N' shows more`]
      : []),
  ];
  return notes.length === 0 ? [] : [{ kind: "text", text: notes.join("\n") }];
}
