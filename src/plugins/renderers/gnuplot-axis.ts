import { type Axis, isLog } from "../../core/figures/figure.ts";
import { enhanced, quoted } from "../../core/text/gnuplot-escape.ts";
import { formatUnit } from "../../core/values/unit.ts";
import type { Scale } from "../../math/plotting/scale.ts";
import { axisTitle } from "./drawing/chart-scales.ts";

/**
 * Label, log scale, range and categories of an axis; `scale` gives the range of an axis shared by several plots.
 */
export function axisLines(axis: "x" | "y" | "y2" | "z", look: Axis, scale: Pick<Scale, "low" | "high">): string[] {
  const { categories = [], holds } = look;
  const [from, to] = holds === undefined ? [look.from, look.to] : [scale.low, scale.high];
  const named = categories.map((category, i) => `${quoted(enhanced(category))} ${i}`);
  const bytes = look.scale === "log2" && formatUnit(look.unit) === "Byte" && axis !== "z";
  return [
    `set ${axis}label ${quoted(enhanced(axisTitle(look)))}`,
    ...(isLog(look) ? [`set logscale ${axis} ${look.scale === "log2" ? 2 : 10}`] : []),
    ...(bytes ? [`set format ${axis} '%.0b %BB'`] : []),
    ...(look.scale === "category"
      ? [`set ${axis}tics (${named.join(", ")})`, `set ${axis}range [-0.5:${categories.length - 0.5}]`]
      : []),
    ...(from === undefined && to === undefined ? [] : [`set ${axis}range [${from ?? "*"}:${to ?? "*"}]`]),
  ];
}
