import type { FlameBlock } from "../../../../core/figures/index.ts";
import { cutToPixels } from "./dejavu-sans.ts";
import { boxText, flameColors } from "../flame-colors.ts";
import { type VisibleFrames, visibleFrames } from "../visible-frames.ts";
import { frameText, graphNotes, displayName, summaryText } from "../flame-words.ts";
import type { Piece } from "./svg-pieces.ts";
import { markupText } from "../../../../core/text/index.ts";
import { svgText } from "./svg-text.ts";
import type { Theme } from "../theme.ts";

const margin = 16;
/**
 * Pixels above the boxes: the summary line, and the legend line, in which the script describes the frame under the
 * pointer.
 */
const head = { height: 58, summary: 20, status: 44 };
const lineHeight = 18;
const defaultRowHeight = 20;

/**
 * A flame graph as labelled boxes. `flame-script.ts` finds it by `data-flame`: margin, row height, and 1 if it grows
 * upwards.
 */
export function svgFlame(block: FlameBlock, theme: Theme, paperWidth: number): Piece {
  const width = Math.max(160, Math.round(block.width ?? paperWidth));
  const shown = visibleFrames(block, width - 2 * margin);
  const row = Math.max(8, Math.round(block.frameHeight ?? defaultRowHeight));
  const notes = [...shown.notes, ...graphNotes(block.graph)];
  const below = head.height + shown.rows * row + 6;
  const lines = notes.map((note, at) => textLine(note, below + 14 + at * lineHeight, width, theme, 12));
  const label = `Flame graph of ${block.graph.quantity}`;
  const data = `data-flame="${[margin, row, block.grows === "up" ? 1 : 0].join(",")}"`;
  const origin = `translate(${margin} ${head.height})`;
  const svg = `<g ${data} data-label="${markupText(label)}">${[
    `<style>${style}</style>`,
    textLine(summaryText(block.graph), head.summary, width, theme, 13, "flame-summary"),
    textLine(legendOf(block), head.status, width, theme, 12, "flame-status"),
    `<g class="flame-frames" transform="${origin}">${boxes(block, shown, width - 2 * margin, row)}</g>`,
    restOf(block, shown, width - 2 * margin),
    ...lines,
  ].join("\n")}</g>`;
  return { svg, height: below + notes.length * lineHeight + 8 };
}

const style = `
.flame-frames g { cursor: pointer; }
.flame-frames text { pointer-events: none; }
.flame-frames g:focus { outline: none; }
.flame-frames g:hover > rect, .flame-frames g:focus > rect { stroke: #000; stroke-width: 1.5; }
.flame-frames g:focus > rect { stroke: #06c; stroke-width: 2.5; }
.flame-frames .flame-found > rect { fill: #e25dff; }
.flame-frames .flame-above { opacity: 0.55; }
@media print { .flame-controls { display: none; } svg:root { width: 100%; height: auto; } }
`;

/** A truncated line of text, with the full text as an attribute for the script. */
function textLine(
  text: string,
  y: number,
  width: number,
  { text: color }: Theme,
  size: number,
  name = "flame-note",
): string {
  const cut = cutToPixels(text, width - 2 * margin, size);
  return svgText(margin, y, cut, { size, color }).replace(
    "<text",
    `<text class="${name}" data-text="${markupText(text)}"`,
  );
}

function legendOf({ graph, grows, intensity = "relative" }: FlameBlock): string {
  if (graph.before !== undefined) {
    const [red, blue] = intensity === "relative" ? ["grew", "shrank"] : ["grew most", "shrank most"];
    const profile = graph.total === graph.before ? "base" : "target";
    return `Red: ${red}, blue: ${blue}; boxes are as wide as in the ${profile} profile.`;
  }
  const side = grows === "up" ? "Above" : "Below";
  const relation = graph.form === "inverted" ? "what called it" : "what it called";
  return `${side} a box: ${relation}. ${
    graph.byTime === true ? "From left to right: time" : "Widths are amounts; order is by name"
  }.`;
}

function boxes(block: FlameBlock, { frames, rows }: VisibleFrames, pixels: number, row: number): string {
  const { graph, grows } = block;
  const { names, name, depth, start, total } = graph;
  const colorOf = flameColors(block);
  const scale = pixels / total[0]!;
  const fontSize = Math.min(12, Math.round(row * 0.62));
  const marked = new Map<number, string>();
  const nameOf = (nameIndex: number): string => {
    const known = marked.get(nameIndex) ?? markupText(displayName(names[nameIndex]!));
    marked.set(nameIndex, known);
    return known;
  };
  return frames
    .map((frame) => {
      const [x, width] = [start[frame]! * scale, total[frame]! * scale];
      const y = (grows === "up" ? rows - 1 - depth[frame]! : depth[frame]!) * row;
      const title = `<title>${nameOf(name[frame]!)}\n${markupText(frameText(graph, frame))}</title>`;
      const size = `width="${exact(width > 2 ? width - 0.5 : width)}" height="${row - 1}"`;
      const rect = `<rect x="${exact(x)}" y="${y}" ${size} rx="1" fill="${colorOf(frame)}"/>`;
      const label = labelText(names[name[frame]!]!, x, y, width, row, fontSize);
      return `<g data-w="${exact(width)}">${title}${rect}${label}</g>`;
    })
    .join("\n");
}

/**
 * The frames that are not drawn, for the script, as JSON: columns with the number of drawn frames before each, its
 * level, position and width in pixels, and its name and color by their indexes.
 */
function restOf(block: FlameBlock, { frames, rest, omitted }: VisibleFrames, pixels: number): string {
  if (rest.length === 0) return "";
  const { names, name, depth, start, total } = block.graph;
  const colorOf = flameColors(block);
  const scale = pixels / total[0]!;
  const [ownNames, fills] = [new Map<string, number>(), new Map<string, number>()];
  const indexIn = (known: Map<string, number>, text: string): number => {
    if (!known.has(text)) known.set(text, known.size);
    return known.get(text)!;
  };
  let drawn = 0;
  const after = rest.map((frame) => {
    while (drawn < frames.length && frames[drawn]! < frame) drawn += 1;
    return drawn;
  });
  const short = (amount: number): number => Number((amount * scale).toPrecision(7));
  const columns = {
    after,
    level: rest.map((frame) => depth[frame]!),
    x: rest.map((frame) => short(start[frame]!)),
    w: rest.map((frame) => short(total[frame]!)),
    name: rest.map((frame) => indexIn(ownNames, displayName(names[name[frame]!]!))),
    fill: rest.map((frame) => indexIn(fills, colorOf(frame))),
    omitted,
  };
  const json = JSON.stringify({ ...columns, names: [...ownNames.keys()], fills: [...fills.keys()] });
  return `<metadata class="flame-rest">${markupText(json)}</metadata>`;
}

function labelText(name: string, x: number, y: number, width: number, row: number, size: number): string {
  if (width < 3 * size || size < 6) return "";
  const text = markupText(cutToPixels(displayName(name), width - 7, size));
  const baseline = Math.round((y + row * 0.5 + size * 0.36) * 10) / 10;
  return `<text x="${exact(x + 3)}" y="${baseline}" font-size="${size}" fill="${boxText}">${text}</text>`;
}

/** Rounds to a thousandth of a pixel, since zooming magnifies errors. */
function exact(pixels: number): number {
  return Math.round(pixels * 1000) / 1000;
}
