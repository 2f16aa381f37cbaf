import {
  type Block,
  type ChartBlock,
  type Figure,
  type FlameBlock,
  type SurfaceBlock,
  omittedNote,
  requirePoints,
} from "../../../../core/figures/figure.ts";
import { terminalLines, terminalText } from "../../../../core/text/terminal-text.ts";
import { chartOption } from "./chart-option.ts";
import { cutToPixels, fontFamily } from "./dejavu-sans.ts";
import { flameScript } from "./flame-script.ts";
import { svgFlame } from "./svg-flame.ts";
import { type Piece, svgLegend } from "./svg-legend.ts";
import { surfacePictureNote, svgSurface } from "./svg-surface.ts";
import { svgHeatMap } from "./svg-heat-map.ts";
import { svgLyingBars } from "./svg-horizontal-bars.ts";
import { svgTable } from "./svg-table.ts";
import { markupText } from "../../../../core/text/markup-escape.ts";
import { round, svgText } from "./svg-text.ts";
import { type Theme, themeOf } from "../theme.ts";

const margin = 16;
/** How wide letters of titles are: bold ones of 16 pixels as plain ones of this size. */
const boldSize = 18;
/** Pixels below which blocks stand below one another. */
const narrowestCell = 230;

/** The size of a picture in pixels and its background. A figure of several blocks grows beyond `height`. */
export interface Paper {
  readonly width: number;
  readonly height: number;
  readonly dark: boolean;
}

/** A whole figure as an SVG document. */
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
    besides(pieces.slice(row * columns, (row + 1) * columns), cell.width),
  );
  const flames = figure.blocks.some(isFlame) ? flameFacts(figure, columns) : {};
  const style = paper.dark ? {} : { style: darkWhereWanted() };
  return documentOf(figure.title, [title, ...rows], theme, width, { ...flames, ...style });
}

/** What a document has besides its pieces. */
interface DocumentFacts {
  /** The script may give it another width. */
  readonly fits?: boolean;
  readonly style?: string;
  readonly script?: string;
}

function isFlame(block: Block): block is FlameBlock {
  return block.kind === "flame";
}

/** A picture of flame graphs alone follows the window where nobody chose a width. */
function flameFacts({ blocks }: Figure, columns: number): DocumentFacts {
  return {
    fits: columns === 1 && blocks.every((block) => isFlame(block) && block.width === undefined),
    script: flameScript,
  };
}

function darkWhereWanted(): string {
  const [light, dark] = [themeOf(false), themeOf(true)];
  const behind = (theme: Theme): string => `svg:root { background: ${theme.background}; }`;
  return `${behind(light)} @media screen and (prefers-color-scheme: dark) { ${behind(dark)} ${darkRules()} }`;
}

/**
 * The colours of the light theme as those of the dark one, for viewers that prefer it. What must not follow is named in
 * other words: `white`.
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

/** One flame graph as an SVG element of its own, which the script of a page makes answer. */
export function svgFlameGraph(flame: FlameBlock, paper: Paper): string {
  const theme = themeOf(paper.dark);
  const width = Math.round(flame.width ?? paper.width);
  const piece = captioned(flame.caption, theme, svgFlame(flame, theme, width), width);
  return documentOf(flame.caption ?? `Flame graph of ${flame.graph.quantity}`, [piece], theme, width, {
    fits: flame.width === undefined,
  });
}

/** How many blocks of a figure stand side by side in a picture of this width, and the room of each. */
export function cellsOf(
  figure: Figure,
  width: number,
  height: number,
): { readonly columns: number; readonly cell: { width: number; height: number } } {
  const columns = Math.max(1, Math.min(figure.columns ?? 1, figure.blocks.length, Math.floor(width / narrowestCell)));
  const cell = Math.floor(width / columns);
  return { columns, cell: { width: cell, height: columns === 1 ? height : Math.max(220, Math.round(cell * 0.7)) } };
}

function besides(pieces: readonly Piece[], width: number): Piece {
  const svg = pieces.map((piece, i) =>
    i === 0 ? piece.svg : `<g transform="translate(${i * width} 0)">${piece.svg}</g>`,
  );
  return { svg: svg.join(""), height: Math.max(...pieces.map((piece) => piece.height)) };
}

/**
 * One chart as an SVG element of its own, for a page. `id` tells its definitions from those of other charts on the
 * page.
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
  facts: DocumentFacts = {},
): string {
  let y = 0;
  let body = "";
  for (const piece of pieces) {
    body += piece.svg === "" ? "" : `<g transform="translate(0 ${round(y)})">${piece.svg}</g>\n`;
    y += piece.height;
  }
  const height = Math.ceil(y);
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const head = `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="${fontFamily}" role="img" aria-label="${markupText(title)}"${facts.fits === true ? ' data-fits="yes"' : ""}>`;
  const style = facts.style === undefined ? "" : `<style>${facts.style}</style>\n`;
  const script = facts.script === undefined ? "" : `<script>//<![CDATA[${facts.script}//]]></script>\n`;
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

/** One surface as an SVG element of its own that the script of a page can turn, if it is not flat. */
export function turningSurface(surface: SurfaceBlock, paper: Paper, id: string): string {
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
  const note = notePiece(surfacePictureNote(surface), theme);
  const room = Math.max(220, height - note.height - (surface.caption === undefined ? 0 : 24));
  const below = note.svg === "" ? "" : `<g transform="translate(0 ${round(room)})">${note.svg}</g>`;
  const drawn =
    surface.flat === true
      ? svgHeatMap(surface, theme, width, room, id)
      : svgSurface(surface, theme, width, room, id, canTurn);
  const svg = drawn + below;
  return captioned(surface.caption, theme, { svg, height: room + note.height }, width);
}

async function chartPiece(chart: ChartBlock, theme: Theme, width: number, height: number, id: string): Promise<Piece> {
  requirePoints(chart);
  const { legend, note, rest } = chartRooms(chart, theme, width, height);
  if (chart.lying === true)
    return captioned(chart.caption, theme, above([legend, svgLyingBars(chart, theme, width), note]), width);
  const { echartsSvg } = await import("../echarts.ts");
  const drawing = stillPicture(echartsSvg(chartOption(chart, theme, width, rest), width, rest), id);
  const below = note.svg === "" ? "" : `<g transform="translate(0 ${legend.height + rest})">${note.svg}</g>`;
  const svg = `${legend.svg}<g transform="translate(0 ${legend.height})">${drawing}</g>${below}`;
  return captioned(chart.caption, theme, { svg, height: legend.height + rest + note.height }, width);
}

interface ChartRooms {
  readonly legend: Piece;
  readonly note: Piece;
  /** Pixels between both. */
  readonly rest: number;
}

/** What stands above and below a chart of this size, and what is left for itself. */
export function chartRooms(chart: ChartBlock, theme: Theme, width: number, height: number): ChartRooms {
  const legend = svgLegend(chart, theme, margin + 40, width - 2 * margin - 60);
  const note = notePiece(omittedNote(chart), theme);
  return {
    legend,
    note,
    rest: Math.max(160, Math.round(height - legend.height - note.height - (chart.caption === undefined ? 0 : 24))),
  };
}

function above(pieces: readonly Piece[]): Piece {
  let height = 0;
  let svg = "";
  for (const piece of pieces) {
    svg += piece.svg === "" ? "" : `<g transform="translate(0 ${round(height)})">${piece.svg}</g>`;
    height += piece.height;
  }
  return { svg, height };
}

/** What is said below a chart. */
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
 * Only what is seen: echarts adds classes and data for a page that reacts to the mouse, and numbers them and its
 * definitions through the whole process; numbered by block a picture is the same each time. Texts of the data hold no
 * raw quotes, so they stay as they are.
 */
function stillPicture(svg: string, id: string): string {
  return svg
    .replace(/<style\s*>[^<]*<!\[CDATA\[[^\]]*\]\]>\s*<\/style>\n?/g, "")
    .replace(/ (?:class|ecmeta_\w+|pointer-events)="[^"]*"/g, "")
    .replace(/"((?:url\()?#?)zr\d+-/g, `"$1${id}-`);
}
