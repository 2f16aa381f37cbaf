import type { Axis, ChartBlock, Figure, TextBlock } from "../../core/figures/figure.ts";
import type { Run } from "../../core/profiles/run.ts";
import type { Values } from "../../core/values/value.ts";
import { largestParts, largestCategories } from "../../query/profile/largest-groups.ts";
import type { Pivot } from "../../query/profile/pivot.ts";
import { chartPivot, isAdditive, textOption, titled } from "../../query/profile/view-points.ts";
import { completed, numberWithin, option } from "../plugin.ts";
import type { View } from "./view.ts";

/** More bars than this are not told apart, whatever they stand for. */
const mostNumbers = 200;

/** A bar for each content of a column: FUNC of `of` per `per`, taken apart by `by`. */
export const bars: View = Object.freeze<View>({
  kind: "view",
  name: "bars",
  synopsis: "bars: a statistic of amounts for each content of a column",
  operand: "func",
  options: [
    option("func", "string", "sum", "sum, mean, count, nunique, median, min, max, or a quantile (q95)"),
    option("of", "string", "amount", "column whose contents are taken together"),
    option(
      "per",
      "string",
      null,
      "column with a bar for each content; default: the first usual one, such as snapshot or order",
    ),
    option("by", "string", null, "column with a part of the bar for each content"),
    option("subtype", "string", null, "rows of this quantity alone, where there are several"),
    option("where", "text", null, "conditions on rows, one a line, as in perfkeep query"),
    option("stacked", "boolean", true, "parts upon each other; else side by side"),
    option("lying", "boolean", null, "bars that lie; default: where the column holds texts"),
    option("top", "integer", null, "so many bars, the greatest; default: 30 of texts, 200 of numbers"),
    option("parts", "integer", 8, "so many contents of `by`, the greatest; the others are put together"),
    option("title", "string", null, "what stands above it"),
    option("x-label", "string", null, "what the axis of the contents is called"),
    option("y-label", "string", null, "what the axis of the numbers is called"),
  ],
  draw: drawBars,
});

function drawBars(run: Run, given: Values): Figure {
  const options = completed(bars, given);
  const isSum = isAdditive(options);
  const whole = chartPivot(run, options, "per");
  const hasNumbers = !whole.positions.some(Number.isNaN);
  const top =
    options.get("top") === null ? (hasNumbers ? mostNumbers : 30) : numberWithin(bars, options, "top", 1, 2000);
  const parts = largestParts(whole, numberWithin(bars, options, "parts", 1, 1000), isSum);
  const places = largestCategories(parts.pivot, top, isSum);
  const chart = chartOf(places.pivot, options, hasNumbers);
  const words = `${chart.y[0].label} per ${chart.x.label}`;
  return {
    title: textOption(options, "title") ?? titled(run, words),
    blocks: [chart, ...leftOut(places.omitted, parts.omitted, options)],
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
  const lying = options.get("lying") ?? !hasNumbers;
  return {
    kind: "chart",
    mark: "bars",
    ...(options.get("stacked") !== false && pivot.parts.length > 1 ? { stacked: true } : {}),
    ...(lying === true ? { lying } : {}),
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

/** What the picture does not show is said. */
function leftOut(places: number, parts: number, options: Values): TextBlock[] {
  const told = [
    ...(places > 0
      ? [`${places} more contents of ${textOption(options, "per") ?? "the column"} are left out: --top shows more`]
      : []),
    ...(parts > 0
      ? [`${parts} more contents of ${textOption(options, "by")} are left out: -p 'parts: N' shows more`]
      : []),
  ];
  return told.length === 0 ? [] : [{ kind: "text", text: told.join("\n") }];
}
