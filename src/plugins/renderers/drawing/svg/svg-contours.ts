import { Failure } from "../../../../core/failures/index.ts";
import { type Axis, drawableSurface, type SurfaceBlock } from "../../../../core/figures/index.ts";
import { terminalText } from "../../../../core/text/index.ts";
import {
  areaAbove,
  clippedScale,
  contourLines,
  isolatedPoints,
  type ContourPoint,
  type HeightGrid,
  type Scale,
} from "../../../../math/plotting/index.ts";
import { drawnAxisTitle, tickLabel } from "../chart-scales.ts";
import { rampColor } from "../color-ramp.ts";
import { surfaceScales } from "../surface-scales.ts";
import type { Theme } from "../theme.ts";
import { type BarRoom, lineBar, outlinedLine, steppedBar } from "./color-bar.ts";
import { cutToPixels, textWidth } from "./dejavu-sans.ts";
import { surfaceTitles } from "./surface-titles.ts";
import { round, svgText } from "./svg-text.ts";

const size = 12;
const margin = 16;
const [top, below] = [34, 56];
/** Approximate number of levels, and least pixels of a line with its height on it. */
const [levelCount, minLabelled] = [12, 110];
const [widestLabel, labelGap] = [140, 12];

/** The rectangle of the plot in pixels. */
interface Plot {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
}

/** A level with its colour and the text of its height. */
interface Level {
  readonly share: number;
  readonly color: string;
  readonly label: string;
}

/**
 * A surface from above: areas between levels, or lines at the levels, with a colour bar that labels them. Positions are
 * to scale. Points without neighbours are dots. Fails with `nothing-to-draw` without neighbouring points.
 */
export function svgContours(surface: SurfaceBlock, theme: Theme, width: number, height: number): string {
  const scales = surfaceScales(surface, levelCount);
  const [x, y] = [fitted(surface.x, scales.x, surface.xs), fitted(surface.y, scales.y, surface.ys)];
  const heights = scales.z.ticks.map((tick) => tickLabel(surface.z, tick, scales.z));
  const rows = axisLabels(surface.y, y);
  const right = width - 14 - widest(heights) - 28;
  const plot = { left: margin + widest(rows) + 10, right: right - margin, bottom: height - below };
  const grid = pixelGrid(surface, { ...scales, x, y }, plot);
  const dots = isolatedPoints(grid);
  const points = grid.heights.flat().filter(Number.isFinite).length;
  if (dots.length === points) throw withoutNeighbours(surface);
  const room = { left: right, height };
  const levels = scales.z.ticks.map((tick, at): Level => {
    const share = scales.z.at(tick);
    return { share, color: rampColor(share), label: heights[at] ?? "" };
  });
  const drawn = surface.contours === "lines" ? lines(grid, levels, theme, room) : areas(grid, levels, theme, room);
  const frame =
    `<rect x="${round(plot.left)}" y="${top}" width="${round(plot.right - plot.left)}" ` +
    `height="${round(plot.bottom - top)}" fill="none" stroke="${theme.axis}"/>`;
  return (
    heading(surface, width, theme) +
    drawn +
    frame +
    dots.map(([i, j]) => dot(grid, i, j, theme)).join("") +
    tooltips(surface, grid) +
    xAxis(surface.x, x, plot, theme) +
    yAxis(y, rows, plot, theme)
  );
}

/** Half the size in pixels of the area of a point that shows a tooltip. */
const tooltipRadius = 8;

/** Invisible areas around the points with their numbers as tooltips. */
function tooltips(surface: SurfaceBlock, { xs, ys }: HeightGrid): string {
  const titleOf = surfaceTitles(surface);
  const areas = Array.from(ys, (y, j) =>
    Array.from(xs, (x, i) => {
      const title = titleOf(i, j);
      const circle = `cx="${round(x)}" cy="${round(y)}" r="${tooltipRadius}"`;
      return title === "" ? "" : `<circle ${circle} fill="transparent">${title}</circle>`;
    }).join(""),
  );
  return areas.join("");
}

function withoutNeighbours({ x, y, z }: SurfaceBlock): Failure {
  return new Failure("nothing-to-draw", {
    what: `no three neighbouring points of ${x.label} and ${y.label} have a value of ${z.label}, as contours need`,
    instead: "draw a heat map instead",
  });
}

/** The scale of the positions, without the margins of rounded ends. */
function fitted(axis: Axis, scale: Scale, positions: Float64Array): Scale {
  if (axis.scale === "category") return scale;
  const within = positions.filter((position) => position >= scale.low && position <= scale.high);
  return clippedScale(scale, Math.min(...within), Math.max(...within));
}

function pixelGrid(surface: SurfaceBlock, { x, y, z }: Record<"x" | "y" | "z", Scale>, plot: Plot): HeightGrid {
  const { xs, ys, heights } = drawableSurface(surface);
  return {
    xs: xs.map((position) => plot.left + x.at(position) * (plot.right - plot.left)),
    ys: ys.map((position) => plot.bottom - y.at(position) * (plot.bottom - top)),
    heights: heights.map((row) => row.map((height) => z.at(height))),
  };
}

/** The areas of ascending levels, each on top of the one below it, with a thin line between them. */
function areas(grid: HeightGrid, levels: readonly Level[], theme: Theme, room: BarRoom): string {
  const shares = levels.map(({ share }) => share);
  // Rounded ends of the scale are levels; a logarithmic scale may begin and end between levels.
  const ends = [...new Set([0, ...shares, 1])];
  const bands = ends.slice(0, -1).map((low, at) => {
    const high = ends[at + 1] ?? 1;
    return { low, high, color: rampColor((low + high) / 2) };
  });
  const filled = bands.map(({ low, high, color }) => {
    const path = areaAbove(grid, low, high).map((polygon) => `${pathOf(polygon)}Z`);
    // The stroke hides seams between polygons.
    return path.length === 0
      ? ""
      : `<path d="${path.join("")}" fill="${color}" stroke="${color}" stroke-width="0.7" stroke-linejoin="round"/>`;
  });
  const between = bands.slice(1).flatMap(({ low }) => contourLines(grid, low).map(pathOf));
  const edges = `<path d="${between.join("")}" fill="none" stroke="black" stroke-opacity="0.45" stroke-width="0.7"/>`;
  const labels = levels.map(({ label }) => label);
  return filled.join("") + (between.length === 0 ? "" : edges) + steppedBar(labels, shares, bands, theme, room);
}

/** The longest line of each level has its height on it. */
function lines(grid: HeightGrid, levels: readonly Level[], theme: Theme, room: BarRoom): string {
  const drawn = levels.map(({ share, color, label }) => {
    const all = contourLines(grid, share);
    if (all.length === 0) return { path: "", text: "" };
    const longest = all.reduce((best, line) => (lengthOf(line) > lengthOf(best) ? line : best));
    return {
      path: outlinedLine(all.map(pathOf).join(""), color, theme),
      text: lengthOf(longest) >= minLabelled ? lineLabel(longest, label, theme) : "",
    };
  });
  const labels = levels.map(({ label }) => label);
  const [shares, colors] = [levels.map(({ share }) => share), levels.map(({ color }) => color)];
  const bar = lineBar(labels, shares, colors, theme, room);
  return drawn.map(({ path }) => path).join("") + drawn.map(({ text }) => text).join("") + bar;
}

function lineLabel(line: readonly ContourPoint[], label: string, theme: Theme): string {
  const [x, y] = middleOf(line);
  const half = textWidth(label, size) / 2;
  const box =
    `<rect x="${round(x - half - 3)}" y="${round(y - 8)}" width="${round(2 * half + 6)}" height="16" ` +
    `fill="${theme.background}"/>`;
  return box + svgText(x - half, y + 4, label, { size, color: theme.text });
}

function lengthOf(line: readonly ContourPoint[]): number {
  return line.reduce((sum, point, at) => (at === 0 ? 0 : sum + distance(line[at - 1] ?? point, point)), 0);
}

function distance([x1, y1]: ContourPoint, [x2, y2]: ContourPoint): number {
  return Math.hypot(x2 - x1, y2 - y1);
}

function middleOf(line: readonly ContourPoint[]): ContourPoint {
  let left = lengthOf(line) / 2;
  const at = line.findIndex((point, i) => {
    left -= i === 0 ? 0 : distance(line[i - 1] ?? point, point);
    return left <= 0;
  });
  return line[Math.max(0, at)] ?? [0, 0];
}

function pathOf(points: readonly ContourPoint[]): string {
  return points.map(([x, y], at) => `${at === 0 ? "M" : "L"}${round(x)} ${round(y)}`).join("");
}

function dot({ xs, ys, heights }: HeightGrid, i: number, j: number, theme: Theme): string {
  const position = `cx="${round(xs[i] ?? 0)}" cy="${round(ys[j] ?? 0)}"`;
  return `<circle ${position} r="4" fill="${rampColor(heights[j]?.[i] ?? 0)}" stroke="${theme.text}"/>`;
}

/** The titles of the vertical axis and of the colour bar, above them. */
function heading({ y, z }: SurfaceBlock, width: number, theme: Theme): string {
  const cut = (axis: Axis, room: number): string => cutToPixels(terminalText(drawnAxisTitle(axis)), room, size);
  const look = { size, color: theme.text };
  return (
    svgText(margin, 14, cut(y, width / 2 - margin), look) +
    svgText(width - margin, 14, cut(z, width / 2 - margin), { ...look, align: "right" })
  );
}

function axisLabels(axis: Axis, scale: Scale): string[] {
  return scale.ticks.map((tick) => cutToPixels(terminalText(tickLabel(axis, tick, scale)), widestLabel, size));
}

function widest(labels: readonly string[]): number {
  return labels.reduce((maximum, label) => Math.max(maximum, textWidth(label, size)), 0);
}

function xAxis(axis: Axis, scale: Scale, { left, right, bottom }: Plot, theme: Theme): string {
  let free = Number.NEGATIVE_INFINITY;
  const labels = axisLabels(axis, scale);
  const ticks = scale.ticks.map((tick, at) => {
    const x = left + scale.at(tick) * (right - left);
    const text = labels[at] ?? "";
    const half = textWidth(text, size) / 2;
    const mark = `<path d="M${round(x)} ${round(bottom)}v5" stroke="${theme.axis}"/>`;
    if (x - half < free) return mark;
    free = x + half + labelGap;
    return mark + svgText(x - half, bottom + 19, text, { size, color: theme.text });
  });
  const title = cutToPixels(terminalText(drawnAxisTitle(axis)), right - left, 13);
  const start = (left + right - textWidth(title, 13)) / 2;
  return ticks.join("") + svgText(Math.max(0, start), bottom + 42, title, { size: 13, color: theme.text });
}

function yAxis(scale: Scale, labels: readonly string[], { left, bottom }: Plot, theme: Theme): string {
  let free = Number.POSITIVE_INFINITY;
  const ticks = scale.ticks.map((tick, at) => {
    const y = bottom - scale.at(tick) * (bottom - top);
    const mark = `<path d="M${round(left - 5)} ${round(y)}h5" stroke="${theme.axis}"/>`;
    if (y > free) return mark;
    free = y - 16;
    return mark + svgText(left - 8, y + 4, labels[at] ?? "", { size, color: theme.text, align: "right" });
  });
  return ticks.join("");
}
