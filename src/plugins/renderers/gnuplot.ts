import {
  type Block,
  type ChartBlock,
  type ChartSeries,
  drawablePoints,
  type Figure,
  markOf,
  requirePoints,
  type FlameBlock,
  stackedChart,
} from "../../core/figures/index.ts";
import { enhanced, quoted } from "../../core/text/index.ts";
import { linearScale } from "../../math/plotting/index.ts";
import { scalesOf } from "./drawing/chart-scales.ts";
import { flameColors } from "./drawing/flame-colors.ts";
import { graphNotes, displayName, summaryText } from "./drawing/flame-words.ts";
import { axisLines, surfaceScript } from "./drawing/gnuplot-surface.ts";
import { visibleFrames } from "./drawing/visible-frames.ts";
import type { Renderer } from "./renderer.ts";

/** Assumed plot width and width of a letter in pixels. */
const pixels = 1000;
const letter = 8;

/** Settings, data and plot command of a flame graph. `name`: name of the data block. */
function flameScript(block: FlameBlock, name: string): string[] {
  const { graph, grows } = block;
  const { names, start, total, depth } = graph;
  const { frames, rows, notes } = visibleFrames(block, pixels);
  const colorOf = flameColors(block);
  const boxes = frames.map((frame) => {
    const [from, to, at] = [start[frame]!, start[frame]! + total[frame]!, depth[frame]!];
    return [(from + to) / 2, at + 0.5, from, to, at, at + 0.96, Number.parseInt(colorOf(frame).slice(1), 16)].join(" ");
  });
  const labels = frames.flatMap((frame) => {
    const letters = Math.floor(((total[frame]! / total[0]!) * pixels) / letter) - 1;
    if (letters < 3) return [];
    const text = [...displayName(names[graph.name[frame]!]!)];
    const cut = text.length <= letters ? text.join("") : `${text.slice(0, letters - 1).join("")}…`;
    return [
      `set label ${quoted(enhanced(cut))} at ` +
        `${start[frame]! + (3 / pixels) * total[0]!}, ${depth[frame]! + 0.5} left front`,
    ];
  });
  const below = [summaryText(graph), ...notes, ...graphNotes(graph)].join("; ");
  return [
    "unset key",
    "unset tics",
    "unset border",
    `set xrange [0:${total[0]}]`,
    `set yrange ${grows === "up" ? `[0:${rows}]` : `[${rows}:0]`}`,
    `set xlabel ${quoted(enhanced(below))}`,
    ...labels,
    `${name} << EOD`,
    ...boxes,
    "EOD",
    `plot ${name} using 1:2:3:4:5:6:7 with boxxyerror fillstyle solid noborder linecolor rgb variable notitle`,
  ];
}

/**
 * A figure as a script for gnuplot 5 with inline data. It opens a window, unless a terminal and an output are set
 * before: `gnuplot -e "set terminal pdfcairo; set output 'x.pdf'" x.gp`. Data are numbers and text is in single quotes,
 * so that the script can only draw.
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

/** Text and tables become comments. `title`: title of a figure with a single block. */
function blockLines(block: Block, name: string, title: string | undefined): string[] {
  if (block.kind === "text") return block.text.split("\n").map(comment);
  if (block.kind === "table")
    return [block.head.map(({ label }) => label), ...block.rows].map((cells) => comment(cells.join("\t")));
  const caption = block.caption === undefined ? undefined : quoted(enhanced(block.caption));
  const heading = title === undefined || caption === undefined ? (caption ?? title) : `${title}."\\n".${caption}`;
  const head = ["reset session", ...(heading === undefined ? ["unset title"] : [`set title ${heading}`])];
  if (block.kind === "flame") return [...head, ...flameScript(block, name)];
  return block.kind === "surface" ? [...head, ...surfaceScript(block, name)] : [...head, ...chartScript(block, name)];
}

/** A comment line; a trailing backslash would continue it. */
function comment(text: string): string {
  return `# ${text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, " ").replaceAll("\\", "/")}`;
}

function chartScript(block: ChartBlock, name: string): string[] {
  requirePoints(block);
  if (block.horizontal === true) return horizontalBarsScript(block, name);
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
    const title = quoted(enhanced(series.label));
    const style = styleOf(chart, series, hasErrors);
    return `${data} using ${columns} axes x1y${series.axis + 1} title ${title} with ${style}`;
  });
  // Stacked series are drawn from the top of the stack down, so that lower ones cover the upper.
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

/** Offset of a series' bars, which are side by side around their category. */
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

/**
 * Settings, data and plot command of horizontal bars: boxes from zero to each value, the first category at the top.
 * `name`: name of the data blocks.
 */
function horizontalBarsScript(block: ChartBlock, name: string): string[] {
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
    ...axisLines("x", chart.y[0], value ?? linearScale(0, 1, 5)),
    `set ylabel ${quoted(enhanced(chart.x.label))}`,
    `set ytics (${named.join(", ")})`,
    `set yrange [${categories.length - 0.5}:-0.5]`,
    "set style fill solid 0.8 border -1",
    ...(chart.legend === false || chart.series.length < 2 ? ["unset key"] : ["set key outside top center horizontal"]),
    ...blocks,
    `plot ${(chart.stacked === true ? words.toReversed() : words).join(", \\\n     ")}`,
  ];
}
