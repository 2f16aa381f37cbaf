import {
  type Block,
  type ChartBlock,
  type Figure,
  type FlameBlock,
  type SurfaceBlock,
  omittedNote,
  requirePoints,
  surfaceNote,
} from "../../../../core/figures/index.ts";
import { markupText, terminalLines, terminalText } from "../../../../core/text/index.ts";
import { type Theme, themeOf } from "../theme.ts";
import { chartOption } from "./chart-option.ts";
import { cutToPixels, fontFamily } from "./dejavu-sans.ts";
import { flameScript } from "./flame-script.ts";
import { svgContours } from "./svg-contours.ts";
import { svgFlame } from "./svg-flame.ts";
import { svgHeatMap } from "./svg-heat-map.ts";
import { svgHorizontalBars } from "./svg-horizontal-bars.ts";
import { type Piece, svgLegend, svgTable } from "./svg-pieces.ts";
import { surfacePictureNote, svgSurface } from "./svg-surface.ts";
import { round, svgText } from "./svg-text.ts";

const margin = 16;
/** Size of regular text with the width of bold text of 16 pixels. */
const boldSize = 18;
/** Minimum width of blocks side by side. */
const minCellWidth = 230;

/** The size of a picture in pixels and its background. Figures of several blocks exceed `height`. */
export interface Paper {
  readonly width: number;
  readonly height: number;
  readonly dark: boolean;
}

/** A figure as an SVG document. */
export async function svgFigure(figure: Figure, paper: Paper): Promise<string> {
  const theme = themeOf(paper.dark);
  const width = Math.max(200, Math.round(paper.width));
  const title = titlePiece(figure.title, theme, width);
  const charts = figure.blocks.length === 1 ? paper.height - title.height : paper.height * 0.75;
  const { columns, cell } = cellsOf(figure, width, Math.max(180, charts));
  const pieces: Piece[] = [];
  for (const [i, block] of figure.blocks.entries())
    pieces.push(await blockPiece(block, theme, cell.width, cell.height, `c${i}`));
  const rows = Array.from({ length: Math.ceil(pieces.length / columns) }, (_, row) =>
    sideBySide(pieces.slice(row * columns, (row + 1) * columns), cell.width),
  );
  const flames = figure.blocks.some(isFlame) ? flameOptions(figure, columns) : {};
  const style = paper.dark ? {} : { style: darkPreferenceStyle() };
  return documentOf(figure.title, [title, ...rows], theme, width, { ...flames, ...style });
}

/** Style, script and sizing of a document. */
interface DocumentOptions {
  /** Whether the script may change its width. */
  readonly fits?: boolean;
  readonly style?: string;
  readonly script?: string;
}

function isFlame(block: Block): block is FlameBlock {
  return block.kind === "flame";
}

/** Pictures with only flame graphs adapt to the window, unless a width is set. */
function flameOptions({ blocks }: Figure, columns: number): DocumentOptions {
  return {
    fits: columns === 1 && blocks.every((block) => isFlame(block) && block.width === undefined),
    script: flameScript,
  };
}

function darkPreferenceStyle(): string {
  const [light, dark] = [themeOf(false), themeOf(true)];
  const backgroundRule = (theme: Theme): string => `svg:root { background: ${theme.background}; }`;
  const darkStyle = `${backgroundRule(dark)} ${darkRules()}`;
  return `${backgroundRule(light)} @media screen and (prefers-color-scheme: dark) { ${darkStyle} }`;
}

/**
 * CSS rules that replace light theme colours by dark ones, for viewers that prefer dark. Colours that must not change
 * are written by name: `white`.
 */
export function darkRules(): string {
  const colorsOf = ({ background, text, grid, axis, palette }: Theme): string[] => [
    background,
    text,
    grid,
    axis,
    ...palette,
  ];
  const dark = colorsOf(themeOf(true));
  const rules = colorsOf(themeOf(false)).map(
    (color, at) => `[fill="${color}"] { fill: ${dark[at]}; } [stroke="${color}"] { stroke: ${dark[at]}; }`,
  );
  return rules.join(" ");
}

/** A flame graph as an SVG element, made interactive by the page's script. */
export function svgFlameGraph(flame: FlameBlock, paper: Paper): string {
  const theme = themeOf(paper.dark);
  const width = Math.round(flame.width ?? paper.width);
  const piece = captioned(flame.caption, theme, svgFlame(flame, theme, width), width);
  return documentOf(flame.caption ?? `Flame graph of ${flame.graph.quantity}`, [piece], theme, width, {
    fits: flame.width === undefined,
  });
}

/** Number of blocks side by side at this width, and the size of each. */
export function cellsOf(
  figure: Figure,
  width: number,
  height: number,
): { readonly columns: number; readonly cell: { width: number; height: number } } {
  const columns = Math.max(1, Math.min(figure.columns ?? 1, figure.blocks.length, Math.floor(width / minCellWidth)));
  const cell = Math.floor(width / columns);
  return { columns, cell: { width: cell, height: columns === 1 ? height : Math.max(220, Math.round(cell * 0.7)) } };
}

function sideBySide(pieces: readonly Piece[], width: number): Piece {
  const svg = pieces.map((piece, i) =>
    i === 0 ? piece.svg : `<g transform="translate(${i * width} 0)">${piece.svg}</g>`,
  );
  return { svg: svg.join(""), height: Math.max(...pieces.map((piece) => piece.height)) };
}

/**
 * A chart as an SVG element for a page. `id` makes its definitions unique on the page.
 */
export async function svgChart(chart: ChartBlock, paper: Paper, id: string): Promise<string> {
  const theme = themeOf(paper.dark);
  const piece = await chartPiece(chart, theme, paper.width, paper.height, id);
  return documentOf(chart.caption ?? "", [piece], theme, paper.width);
}

function documentOf(
  title: string,
  pieces: readonly Piece[],
  theme: Theme,
  width: number,
  options: DocumentOptions = {},
): string {
  let y = 0;
  let body = "";
  for (const piece of pieces) {
    body += piece.svg === "" ? "" : `<g transform="translate(0 ${round(y)})">${piece.svg}</g>\n`;
    y += piece.height;
  }
  const height = Math.ceil(y);
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const label = `role="img" aria-label="${markupText(title)}"${options.fits === true ? ' data-fits="yes"' : ""}`;
  const head = `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="${fontFamily}" ${label}>`;
  const style = options.style === undefined ? "" : `<style>${options.style}</style>\n`;
  const script = options.script === undefined ? "" : `<script>//<![CDATA[${options.script}//]]></script>\n`;
  return `${head}\n${style}<rect width="100%" height="100%" fill="${theme.background}"/>\n${body}${script}</svg>\n`;
}

function titlePiece(title: string, theme: Theme, width: number): Piece {
  if (title === "") return { svg: "", height: 8 };
  const text = cutToPixels(terminalText(title), width - 2 * margin, boldSize);
  return { svg: svgText(margin, 26, text, { size: 16, color: theme.text, bold: true }), height: 40 };
}

async function blockPiece(block: Block, theme: Theme, width: number, height: number, id: string): Promise<Piece> {
  if (block.kind === "text") return textPiece(block.text, theme);
  if (block.kind === "table")
    return captioned(block.caption, theme, svgTable(block, theme, margin, width - 2 * margin), width);
  if (isFlame(block)) return captioned(block.caption, theme, svgFlame(block, theme, width), width);
  return block.kind === "chart"
    ? chartPiece(block, theme, width, height, id)
    : surfacePiece(block, theme, width, height, id, false);
}

/** A surface as an SVG element that the page's script can rotate, unless it is flat. */
export function rotatableSurface(surface: SurfaceBlock, paper: Paper, id: string): string {
  const theme = themeOf(paper.dark);
  return documentOf(
    surface.caption ?? "",
    [surfacePiece(surface, theme, paper.width, paper.height, id, true)],
    theme,
    paper.width,
  );
}

function surfacePiece(
  surface: SurfaceBlock,
  theme: Theme,
  width: number,
  height: number,
  id: string,
  canTurn: boolean,
): Piece {
  const note = notePiece(surface.flat === true ? surfaceNote(surface) : surfacePictureNote(surface), theme);
  const room = Math.max(220, height - note.height - (surface.caption === undefined ? 0 : 24));
  const below = note.svg === "" ? "" : `<g transform="translate(0 ${round(room)})">${note.svg}</g>`;
  const drawn =
    surface.flat !== true
      ? svgSurface(surface, theme, width, room, id, canTurn)
      : surface.contours === undefined
        ? svgHeatMap(surface, theme, width, room, id)
        : svgContours(surface, theme, width, room);
  const svg = drawn + below;
  return captioned(surface.caption, theme, { svg, height: room + note.height }, width);
}

async function chartPiece(chart: ChartBlock, theme: Theme, width: number, height: number, id: string): Promise<Piece> {
  requirePoints(chart);
  const { legend, note, rest } = chartLayout(chart, theme, width, height);
  if (chart.horizontal === true)
    return captioned(chart.caption, theme, stacked([legend, svgHorizontalBars(chart, theme, width), note]), width);
  const { echartsSvg } = await import("../echarts.ts");
  const drawing = staticSvg(echartsSvg(chartOption(chart, theme, width, rest), width, rest), id);
  const below = note.svg === "" ? "" : `<g transform="translate(0 ${legend.height + rest})">${note.svg}</g>`;
  const svg = `${legend.svg}<g transform="translate(0 ${legend.height})">${drawing}</g>${below}`;
  return captioned(chart.caption, theme, { svg, height: legend.height + rest + note.height }, width);
}

interface ChartLayout {
  readonly legend: Piece;
  readonly note: Piece;
  /** Remaining height for the plot. */
  readonly rest: number;
}

/** Legend and note of a chart, and the remaining height. */
export function chartLayout(chart: ChartBlock, theme: Theme, width: number, height: number): ChartLayout {
  const legend = svgLegend(chart, theme, margin + 40, width - 2 * margin - 60);
  const note = notePiece(omittedNote(chart), theme);
  return {
    legend,
    note,
    rest: Math.max(160, Math.round(height - legend.height - note.height - (chart.caption === undefined ? 0 : 24))),
  };
}

function stacked(pieces: readonly Piece[]): Piece {
  let height = 0;
  let svg = "";
  for (const piece of pieces) {
    svg += piece.svg === "" ? "" : `<g transform="translate(0 ${round(height)})">${piece.svg}</g>`;
    height += piece.height;
  }
  return { svg, height };
}

/** The note below a chart. */
function notePiece(note: string | undefined, theme: Theme): Piece {
  return note === undefined
    ? { svg: "", height: 0 }
    : { svg: svgText(margin, 14, note, { size: 12, color: theme.text }), height: 22 };
}

function captioned(caption: string | undefined, theme: Theme, piece: Piece, width: number): Piece {
  if (caption === undefined) return piece;
  const head = svgText(margin, 16, cutToPixels(terminalText(caption), width - margin - 8, 13), {
    size: 13,
    color: theme.text,
  });
  return { svg: `${head}<g transform="translate(0 24)">${piece.svg}</g>`, height: piece.height + 24 };
}

function textPiece(text: string, theme: Theme): Piece {
  const lines = terminalLines(text.replace(/\n$/, "")).replaceAll("\t", "    ").split("\n");
  const svg = lines.map((line, i) => svgText(margin, 14 + i * 17, line, { size: 12, color: theme.text })).join("");
  return { svg, height: lines.length * 17 + 10 };
}

/**
 * Removes echarts' classes and data for mouse interaction, and replaces its process-wide numbering of definitions by
 * `id`, which makes the picture deterministic. Text of the data contains no raw quotes, so it does not match.
 */
function staticSvg(svg: string, id: string): string {
  return svg
    .replace(/<style\s*>[^<]*<!\[CDATA\[[^\]]*\]\]>\s*<\/style>\n?/g, "")
    .replace(/ (?:class|ecmeta_\w+|pointer-events)="[^"]*"/g, "")
    .replace(/"((?:url\()?#?)zr\d+-/g, `"$1${id}-`);
}
