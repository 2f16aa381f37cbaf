import { type Block, type ChartBlock, type Figure, leftOutNote, markOf, requirePoints } from "../../core/figure.ts";
import { stackedChart } from "../../core/stacked-chart.ts";
import { asciiText, cutToWidth, terminalLines } from "../../core/terminal-text.ts";
import { surfaceNote } from "../../core/surface.ts";
import { flameLines } from "./text/flame.ts";
import { barLines } from "./text/bars.ts";
import { curveLines } from "./text/chart.ts";
import { heatMapLines } from "./text/heat-map.ts";
import { type Style, styleOf } from "./text/style.ts";
import { tableLines } from "./text/table.ts";
import type { Renderer, RenderOptions } from "./renderer.ts";

/** A figure as lines of a terminal: tables aligned and cut to its width, charts drawn with braille dots or plain ASCII, surfaces as heat maps. */
export const text = Object.freeze<Renderer>({
  kind: "renderer",
  name: "text",
  synopsis: "text for the terminal",
  options: [],
  mediaType: "text/plain; charset=utf-8",
  extension: "txt",
  render: async (figure: Figure, options: RenderOptions) => renderText(figure, options),
});

/** The text of a figure, ended by a line feed. A blank line stands between blocks. */
export function renderText(figure: Figure, options: RenderOptions): string {
  const style = styleOf(options);
  const blocks = figure.blocks.map((block) => blockLines(block, options, style));
  const all = figure.title === "" ? blocks : [[style.shown(figure.title)], ...blocks];
  return `${all.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function blockLines(block: Block, options: RenderOptions, style: Style): string[] {
  if (block.kind === "text") return textLines(block.text, options.unicode);
  const caption = block.caption === undefined ? [] : [style.shown(block.caption)];
  if (block.kind === "table") return [...caption, ...tableLines(block, options.width, options.unicode)];
  if (block.kind === "flame") return [...caption, ...flameLines(block, style, options)];
  const lines = block.kind === "surface" ? heatMapLines(block, style) : chartLines(block, style);
  const note = block.kind === "surface" ? surfaceNote(block) : leftOutNote(block);
  return [...caption, ...lines, ...(note === undefined ? [] : [cutToWidth(note, style.width, style.glyphs.ellipsis)])];
}

/** Bars lie, unless lines are drawn over them. */
function chartLines(chart: ChartBlock, style: Style): string[] {
  requirePoints(chart);
  const allBars = chart.series.every((series) => markOf(chart, series) === "bars");
  return allBars ? barLines(chart, style) : curveLines(stackedChart(chart), style);
}

function textLines(content: string, unicode: boolean): string[] {
  const lines = terminalLines(content.replace(/\n$/, "")).split("\n");
  return unicode ? lines : lines.map((line) => line.split("\t").map(asciiText).join("\t"));
}
