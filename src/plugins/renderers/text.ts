import {
  fittedWidths,
  naturalWidth,
  asciiText,
  cutToWidth,
  displayWidth,
  terminalLines,
  cutMiddle,
  padToWidth,
  terminalText,
} from "../../core/text/index.ts";
import {
  type Block,
  type ChartBlock,
  type Figure,
  omittedNote,
  markOf,
  requirePoints,
  type TableBlock,
  type FlameBlock,
  type FlameGraph,
  stackedChart,
  surfaceNote,
} from "../../core/figures/index.ts";
import { terminalLink } from "../../core/versions/index.ts";
import { frameWidth, widestFrames } from "./drawing/flame-table.ts";
import { graphNotes, percent, displayName, relativeText, summaryText } from "./drawing/flame-words.ts";
import type { Renderer, RenderOptions } from "./renderer.ts";
import { barLines } from "./text/bars.ts";
import { curveLines } from "./text/chart.ts";
import { asciiGlyphs, unicodeGlyphs } from "./text/glyphs.ts";
import { heatMapLines } from "./text/heat-map.ts";
import { type Style, styleOf } from "./text/style.ts";

/** Maximum and minimum number of frames; without a width limit always the maximum. */
const maxFrames = 60;
const minFrames = 10;
const barColumns = { wide: 20, narrow: 8 };

/** The widest frames of a graph as an indented tree with bars; siblings are sorted by width. */
function flameLines(
  { graph }: FlameBlock,
  style: Style,
  { width, height }: Pick<RenderOptions, "width" | "height">,
): string[] {
  const count = Number.isFinite(width) ? Math.max(minFrames, Math.min(maxFrames, height - 7)) : maxFrames;
  const frames = widestFrames(graph, count);
  const order = widestFirst(graph, frames);
  const bars = style.width >= 70 ? barColumns.wide : barColumns.narrow;
  const lines = order.map((frame) => frameLine(graph, frame, bars, style));
  const fit = (text: string): string =>
    cutToWidth(style.sanitize(asciiSigns(text, style)), style.width, style.glyphs.ellipsis);
  const rest = restText(graph, frames);
  const [first, second] = graph.before === undefined ? ["total", "itself"] : ["share", "change"];
  const head = `${padToWidth(first, 7, "right")}  ${padToWidth(second, 9, "right")}`;
  return [fit(summaryText(graph)), "", head, ...lines, ...rest.map(fit), ...graphNotes(graph).map(fit)];
}

function restText(graph: FlameGraph, frames: readonly number[]): string[] {
  const widthOf = frameWidth(graph);
  const more = graph.total.filter((_, frame) => widthOf(frame) > 0).length - frames.length;
  if (more <= 0) return [];
  const narrowest = frames.reduce((least, frame) => Math.min(least, widthOf(frame)), Infinity);
  return [`${more} more ${more === 1 ? "frame" : "frames"}, none wider than ${percent(narrowest / widthOf(0))}`];
}

/** Depth-first order with siblings sorted by width. */
function widestFirst({ parent, total }: FlameGraph, frames: readonly number[]): number[] {
  const children = new Map<number, number[]>();
  for (const frame of frames) children.set(parent[frame]!, [...(children.get(parent[frame]!) ?? []), frame]);
  for (const all of children.values()) all.sort((a, b) => total[a]! - total[b]! || b - a);
  const waiting = [...(children.get(-1) ?? [])];
  const order: number[] = [];
  for (let frame = waiting.pop(); frame !== undefined; frame = waiting.pop()) {
    order.push(frame);
    waiting.push(...(children.get(frame) ?? []));
  }
  return order;
}

/**
 * `45.6 % 3.2 % ████ name`: total and self share of a frame; in a comparison its change instead, which also colours the
 * bar.
 */
function frameLine(graph: FlameGraph, frame: number, bars: number, style: Style): string {
  const { total, self, before, after, depth, names, name } = graph;
  const whole = total[0]! || 1;
  const bar = padToWidth((style.glyphs.fills[0] ?? "#").repeat(Math.round((total[frame]! / whole) * bars)), bars);
  const compared = before !== undefined && after !== undefined;
  const second = compared
    ? asciiSigns(relativeText(before[frame]!, after[frame]!), style)
    : percent(self[frame]! / whole);
  const numbers = `${padToWidth(percent(total[frame]! / whole), 7, "right")}  ${padToWidth(second, 9, "right")}  `;
  const room = style.width - numbers.length - bars - 2;
  const label = `${indent(depth[frame]!, room)}${style.sanitize(displayName(names[name[frame]!]!))}`;
  const color = compared ? changeColor(after[frame]! - before[frame]!) : 4;
  return `${numbers}${style.paint(bar, color)}  ${cutToWidth(label, room, style.glyphs.ellipsis)}`;
}

/** Replaces typographic characters if only ASCII is allowed. */
function asciiSigns(text: string, { unicode }: Style): string {
  return unicode ? text : text.replaceAll("−", "-").replaceAll("±", "").replaceAll("→", "to").replaceAll(" · ", ", ");
}

/** The depth as spaces, or as a number if there is no room. */
function indent(depth: number, room: number): string {
  return depth <= room / 3 ? " ".repeat(depth) : `${" ".repeat(Math.max(0, Math.floor(room / 3) - 6))}(${depth}) `;
}

/** Palette index for a change: orange or blue; -1 for none. */
function changeColor(change: number): number {
  return change > 0 ? 1 : change < 0 ? 0 : -1;
}

const gap = "  ";

/**
 * The lines of a table: header, rule, rows. To fit into `width` columns, omits optional columns, then truncates the
 * widest text columns in the middle. An infinite width disables this.
 */
function tableLines(whole: TableBlock, width: number, unicode: boolean): string[] {
  const glyphs = unicode ? unicodeGlyphs : asciiGlyphs;
  const shown = unicode ? terminalText : (text: string): string => asciiText(terminalText(text));
  const table = whole.head.some(({ spare }) => spare) ? withoutOptionalColumns(whole, width, shown) : whole;
  const head = table.head.map((column) => shown(column.label));
  const rows = table.rows.map((row) => row.map(shown));
  const isLimited = Number.isFinite(width);
  const natural = naturalWidths(head, rows, isLimited);
  const widths = fittedWidths(natural, excessOf(natural, width), (i) => isCuttable(table, i));
  const cut = (cell: string, i: number): string =>
    isLimited ? cutMiddle(cell, widths[i] ?? 0, glyphs.ellipsis) : cell;
  const line = (cells: readonly string[], row?: number): string =>
    cells
      .map((cell, i) => {
        const padded = padToWidth(cut(cell, i), widths[i] ?? 0, table.head[i]?.align);
        const address = row === undefined ? undefined : table.head[i]?.links?.[row];
        return address ? linked(padded, address) : padded;
      })
      .join(gap)
      .trimEnd();
  const rule = widths.map((columns) => glyphs.rule.repeat(columns)).join(gap);
  return [line(head), rule, ...rows.map(line)];
}

/** Links a text without its padding. */
function linked(padded: string, address: string): string {
  const text = padded.trim();
  return text === "" ? padded : padded.replace(text, () => terminalLink(text, address));
}

/** Omits as many optional columns as necessary, from the last to the first. */
function withoutOptionalColumns(table: TableBlock, width: number, shown: (text: string) => string): TableBlock {
  const natural = naturalWidths(
    table.head.map(({ label }) => shown(label)),
    table.rows.map((row) => row.map(shown)),
    Number.isFinite(width),
  );
  const kept = new Set(natural.keys());
  const total = (): number => [...kept].reduce((sum, i) => sum + (natural[i] ?? 0), gap.length * (kept.size - 1));
  for (let i = natural.length - 1; i >= 0 && total() > width; i--) if (table.head[i]?.spare === true) kept.delete(i);
  if (kept.size === natural.length) return table;
  const of = <Cell>(cells: readonly Cell[]): Cell[] => cells.filter((_, i) => kept.has(i));
  return { ...table, head: of(table.head), rows: table.rows.map(of) };
}

function naturalWidths(head: readonly string[], rows: readonly (readonly string[])[], isLimited: boolean): number[] {
  return head.map((label, i) => {
    const widths = rows.map((row) => displayWidth(row[i] ?? ""));
    return naturalWidth(label, widths, isLimited);
  });
}

function excessOf(widths: readonly number[], width: number): number {
  return widths.reduce((sum, columns) => sum + columns, gap.length * (widths.length - 1)) - width;
}

function isCuttable({ head }: TableBlock, i: number): boolean {
  return head[i]?.align === "left" && head[i]?.whole !== true;
}

/**
 * A figure for the terminal: aligned tables cut to its width, charts drawn with braille dots or ASCII, surfaces as heat
 * maps.
 */
export const text = Object.freeze<Renderer>({
  kind: "renderer",
  name: "text",
  synopsis: "text for the terminal",
  options: [],
  mediaType: "text/plain; charset=utf-8",
  extension: "txt",
  render: async (figure: Figure, options: RenderOptions) => renderText(figure, options),
});

/** The text of a figure, with a trailing newline. A blank line separates blocks. */
export function renderText(figure: Figure, options: RenderOptions): string {
  const style = styleOf(options);
  const blocks = figure.blocks.map((block) => blockLines(block, options, style));
  const all = figure.title === "" ? blocks : [[style.sanitize(figure.title)], ...blocks];
  return `${all.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function blockLines(block: Block, options: RenderOptions, style: Style): string[] {
  if (block.kind === "text") return textLines(block.text, options.unicode);
  const caption = block.caption === undefined ? [] : [style.sanitize(block.caption)];
  if (block.kind === "table") return [...caption, ...tableLines(block, options.width, options.unicode)];
  if (block.kind === "flame") return [...caption, ...flameLines(block, style, options)];
  const lines = block.kind === "surface" ? heatMapLines(block, style) : chartLines(block, style);
  const note = block.kind === "surface" ? surfaceNote(block) : omittedNote(block);
  return [...caption, ...lines, ...(note === undefined ? [] : [cutToWidth(note, style.width, style.glyphs.ellipsis)])];
}

/** Bars are horizontal, unless other marks are combined with them. */
function chartLines(chart: ChartBlock, style: Style): string[] {
  requirePoints(chart);
  const allBars = chart.series.every((series) => markOf(chart, series) === "bars");
  return allBars ? barLines(chart, style) : curveLines(stackedChart(chart), style);
}

function textLines(block: string, unicode: boolean): string[] {
  const lines = terminalLines(block.replace(/\n$/, "")).split("\n");
  return unicode ? lines : lines.map((line) => line.split("\t").map(asciiText).join("\t"));
}
