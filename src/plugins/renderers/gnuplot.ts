import {
  type Block,
  type ChartBlock,
  type ChartSeries,
  drawablePoints,
  type Figure,
  markOf,
  requirePoints,
} from "../../core/figure.ts";
import { enhanced, quoted } from "../../core/gnuplot-text.ts";
import { stackedChart } from "../../core/stacked-chart.ts";
import { scalesOf } from "./drawing/chart-scales.ts";
import { axisLines } from "./drawing/gnuplot-axis.ts";
import { lyingScript } from "./drawing/gnuplot-lying.ts";
import { flameScript } from "./drawing/gnuplot-flame.ts";
import { surfaceScript } from "./drawing/gnuplot-surface.ts";
import type { Renderer } from "./renderer.ts";

/**
 * A figure as a script for gnuplot 5 with the data in it. It opens a window; a terminal and an output set before it make a picture:
 * `gnuplot -e "set terminal pdfcairo; set output 'x.pdf'" x.gp`. Data are numbers, texts stand in single quotes: the script can only draw.
 */
export const gnuplot = Object.freeze<Renderer>({
  kind: "renderer",
  name: "gnuplot",
  synopsis: "script for gnuplot",
  options: [],
  mediaType: "text/x-gnuplot; charset=utf-8",
  extension: "gp",
  render: async (figure: Figure) => scriptOf(figure),
});

function scriptOf(figure: Figure): string {
  const drawn = figure.blocks.filter((block) => block.kind !== "text" && block.kind !== "table").length;
  const columns = Math.max(1, Math.min(figure.columns ?? 1, drawn));
  const rows = Math.ceil(drawn / columns);
  const title = figure.title === "" ? [] : [quoted(enhanced(figure.title))];
  const several = drawn > 1;
  return [
    "set encoding utf8",
    ...(several ? [`set multiplot layout ${rows},${columns}${title.length > 0 ? ` title ${title[0]}` : ""}`] : []),
    ...figure.blocks.flatMap((block, i) => blockLines(block, `$d${i}`, several ? undefined : title[0])),
    ...(several ? ["unset multiplot"] : []),
    "",
  ].join("\n");
}

/** Texts and tables are remarks. `title`: of the picture, where the block is all there is. */
function blockLines(block: Block, name: string, title: string | undefined): string[] {
  if (block.kind === "text") return block.text.split("\n").map(remark);
  if (block.kind === "table")
    return [block.head.map(({ label }) => label), ...block.rows].map((cells) => remark(cells.join("\t")));
  const heading = block.caption === undefined ? title : quoted(enhanced(block.caption));
  const head = ["reset session", ...(heading === undefined ? ["unset title"] : [`set title ${heading}`])];
  if (block.kind === "flame") return [...head, ...flameScript(block, name)];
  return block.kind === "surface" ? [...head, ...surfaceScript(block, name)] : [...head, ...chartScript(block, name)];
}

/** A remark ends with its line, wherever a backslash stands. */
function remark(text: string): string {
  return `# ${text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, " ").replaceAll("\\", "/")}`;
}

function chartScript(block: ChartBlock, name: string): string[] {
  requirePoints(block);
  if (block.lying === true) return lyingScript(block, name);
  const chart = stackedChart(block);
  const bars = chart.series.filter((series) => markOf(chart, series) === "bars");
  const count = chart.stacked === true ? 1 : bars.length;
  const drawn = chart.series.flatMap((series, i) => {
    const points = drawablePoints(chart, series);
    const shift = chart.stacked === true ? 0 : barShift(bars.indexOf(series), count);
    return points.length === 0 ? [] : [{ series, points, data: `${name}_${i}`, shift }];
  });
  const blocks = drawn.flatMap(({ points, data, shift }) => [
    `${data} << EOD`,
    ...points.map(({ x, y, low, high }) => [x + shift, y, low, high].join(" ")),
    "EOD",
  ]);
  const words = drawn.map(({ series, points, data }) => {
    const hasErrors = points.some(({ low, high }) => high > low) && markOf(chart, series) !== "area";
    const width = markOf(chart, series) === "bars" ? `:(${barWidth(count)})` : "";
    const columns = hasErrors ? `1:2:3:4${width}` : "1:2";
    return `${data} using ${columns} axes x1y${series.axis + 1} title ${quoted(enhanced(series.label))} with ${styleOf(chart, series, hasErrors)}`;
  });
  // What is stacked covers what is not its own of the one behind it.
  const inOrder = chart.stacked === true ? words.toReversed() : words;
  return [...settingsOf(chart, count), ...blocks, `plot ${inOrder.join(", \\\n     ")}`];
}

function settingsOf(chart: ChartBlock, bars: number): string[] {
  const [left, right] = chart.y;
  const scales = scalesOf(chart, 5, 5);
  const [leftScale = scales.x, rightScale = scales.x] = scales.y;
  const hasBars =
    bars === 0 ? [] : [`set boxwidth ${barWidth(bars)}`, "set style fill solid 0.8 border -1", "set xzeroaxis"];
  const second = right === undefined ? [] : [...axisLines("y2", right, rightScale), "set ytics nomirror", "set y2tics"];
  return [
    ...axisLines("x", chart.x, scales.x),
    ...axisLines("y", left, leftScale),
    ...second,
    ...hasBars,
    ...(chart.legend === false || chart.series.length < 2 ? ["unset key"] : ["set key outside top center horizontal"]),
  ];
}

/** Bars of several series stand side by side around their category. */
function barShift(at: number, count: number): number {
  return at < 0 ? 0 : (at - (count - 1) / 2) * (0.8 / count);
}

function barWidth(count: number): string {
  return (0.8 / count).toFixed(6);
}

function styleOf(chart: ChartBlock, series: ChartSeries, hasErrors: boolean): string {
  const mark = markOf(chart, series);
  const plain = {
    line: "linespoints",
    curve: "lines",
    points: "points",
    steps: "steps",
    area: "filledcurves y1=0",
    bars: "boxes",
  } as const;
  const errors = {
    line: "yerrorlines",
    curve: "yerrorlines ps 0",
    points: "yerrorbars",
    steps: "yerrorbars",
    area: "filledcurves y1=0",
    bars: "boxerrorbars",
  } as const;
  return hasErrors ? errors[mark] : plain[mark];
}
