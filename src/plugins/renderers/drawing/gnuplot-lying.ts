import { type ChartBlock, drawablePoints } from "../../../core/figure.ts";
import { enhanced, quoted } from "../../../core/gnuplot-text.ts";
import { stackedChart } from "../../../core/stacked-chart.ts";
import { scalesOf } from "./chart-scales.ts";
import { axisLines } from "./gnuplot-axis.ts";

/** Settings, data and command for bars that lie: boxes from zero to each value, the first category at the top. `name`: of the data. */
export function lyingScript(block: ChartBlock, name: string): string[] {
  const chart = stackedChart(block);
  const { categories = [] } = chart.x;
  const [value] = scalesOf(chart, 5, 5).y;
  const count = chart.stacked === true ? 1 : chart.series.length;
  const blocks = chart.series.flatMap((series, i) => {
    const middle = (x: number): number => x + (count === 1 ? 0 : (i - (count - 1) / 2) * (0.8 / count));
    const box = (x: number, y: number): string =>
      [y, middle(x), 0, y, middle(x) - 0.4 / count, middle(x) + 0.4 / count].join(" ");
    return [`${name}_${i} << EOD`, ...drawablePoints(chart, series).map(({ x, y }) => box(x, y)), "EOD"];
  });
  const words = chart.series.flatMap((series, i) =>
    drawablePoints(chart, series).length === 0
      ? []
      : [`${name}_${i} using 1:2:3:4:5:6 title ${quoted(enhanced(series.label))} with boxxyerror`],
  );
  const named = categories.map((category, i) => `${quoted(enhanced(category))} ${i}`);
  return [
    ...axisLines("x", chart.y[0], value ?? { low: 0, high: 1 }),
    `set ylabel ${quoted(enhanced(chart.x.label))}`,
    `set ytics (${named.join(", ")})`,
    `set yrange [${categories.length - 0.5}:-0.5]`,
    "set style fill solid 0.8 border -1",
    ...(chart.legend === false || chart.series.length < 2 ? ["unset key"] : ["set key outside top center horizontal"]),
    ...blocks,
    `plot ${(chart.stacked === true ? words.toReversed() : words).join(", \\\n     ")}`,
  ];
}
