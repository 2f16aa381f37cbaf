import type { FlameBlock } from "../../../core/figure.ts";
import type { FlameGraph } from "../../../core/flame-graph.ts";
import { cutToWidth, padToWidth } from "../../../core/terminal-text.ts";
import { frameWidth, widestFrames } from "../drawing/flame-table.ts";
import { graphNotes, percent, readName, relativeText, summaryText } from "../drawing/flame-words.ts";
import type { RenderOptions } from "../renderer.ts";
import type { Style } from "./style.ts";

/** Frames told where nothing has to fit. */
const mostLines = 60;
const fewestLines = 10;
const barColumns = { wide: 20, narrow: 8 };

/** The widest frames of a graph as an indented tree with bars, the widest of those below a frame first. */
export function flameLines(
  { graph }: FlameBlock,
  style: Style,
  { width, height }: Pick<RenderOptions, "width" | "height">,
): string[] {
  const count = Number.isFinite(width) ? Math.max(fewestLines, Math.min(mostLines, height - 7)) : mostLines;
  const frames = widestFrames(graph, count);
  const order = widestFirst(graph, frames);
  const bars = style.width >= 70 ? barColumns.wide : barColumns.narrow;
  const lines = order.map((frame) => frameLine(graph, frame, bars, style));
  const fit = (text: string): string => cutToWidth(style.shown(signs(text, style)), style.width, style.glyphs.ellipsis);
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

/** Depth first, as before, but for the order of those next to each other. */
function widestFirst({ parent, total }: FlameGraph, frames: readonly number[]): number[] {
  const below = new Map<number, number[]>();
  for (const frame of frames) below.set(parent[frame]!, [...(below.get(parent[frame]!) ?? []), frame]);
  for (const all of below.values()) all.sort((a, b) => total[a]! - total[b]! || b - a);
  const waiting = [...(below.get(-1) ?? [])];
  const order: number[] = [];
  for (let frame = waiting.pop(); frame !== undefined; frame = waiting.pop()) {
    order.push(frame);
    waiting.push(...(below.get(frame) ?? []));
  }
  return order;
}

/** `45.6 %  3.2 %  ████  name`: the share of a frame, that of itself; of a comparison how much it changed, with a bar in the colour of that. */
function frameLine(graph: FlameGraph, frame: number, bars: number, style: Style): string {
  const { total, self, before, after, depth, names, name } = graph;
  const whole = total[0]! || 1;
  const bar = padToWidth((style.glyphs.fills[0] ?? "#").repeat(Math.round((total[frame]! / whole) * bars)), bars);
  const compared = before !== undefined && after !== undefined;
  const second = compared ? signs(relativeText(before[frame]!, after[frame]!), style) : percent(self[frame]! / whole);
  const numbers = `${padToWidth(percent(total[frame]! / whole), 7, "right")}  ${padToWidth(second, 9, "right")}  `;
  const room = style.width - numbers.length - bars - 2;
  const label = `${indent(depth[frame]!, room)}${style.shown(readName(names[name[frame]!]!))}`;
  const color = compared ? changeColor(after[frame]! - before[frame]!) : 4;
  return `${numbers}${style.paint(bar, color)}  ${cutToWidth(label, room, style.glyphs.ellipsis)}`;
}

/** The signs of our own words where only ASCII may be shown. */
function signs(text: string, { unicode }: Style): string {
  return unicode ? text : text.replaceAll("−", "-").replaceAll("±", "").replaceAll("→", "to").replaceAll(" · ", ", ");
}

/** The depth as blanks, or as a number where there is no room for so many. */
function indent(depth: number, room: number): string {
  return depth <= room / 3 ? " ".repeat(depth) : `${" ".repeat(Math.max(0, Math.floor(room / 3) - 6))}(${depth}) `;
}

/** Places in the palette: orange, or blue. */
function changeColor(change: number): number {
  return change > 0 ? 1 : change < 0 ? 0 : -1;
}
