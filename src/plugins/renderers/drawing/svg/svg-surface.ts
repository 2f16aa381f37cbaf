import {
  drawableSurface,
  surfaceNote,
  type DrawableSurface,
  type SurfaceBlock,
  type Axis,
} from "../../../../core/figures/index.ts";
import { terminalText } from "../../../../core/text/index.ts";
import type { Scale } from "../../../../math/plotting/index.ts";
import { drawnAxisTitle, tickLabel } from "../chart-scales.ts";
import { rampColor } from "../color-ramp.ts";
import { surfaceScales, type SurfaceScales } from "../surface-scales.ts";
import type { Theme } from "../theme.ts";
import { barWidth, colorBar } from "./color-bar.ts";
import { cutToPixels, textWidth } from "./dejavu-sans.ts";
import {
  boxHeight,
  fitView,
  type Position,
  project,
  type Projection,
  cornersOf,
  type Corner,
  wallsOf,
} from "./projection.ts";
import { dot, shape, type Shapes, edgeText, label } from "./svg-shapes.ts";
import { round } from "./svg-text.ts";

const [labelSize, titleSize, widestLabel] = [12, 13, 140];
/** Minimum pixels between labels. */
const lineHeight = 16;

/**
 * The rear walls with their grid, and the axes with ticks, labels and titles, for one quadrant of the rotation.
 */
function surfaceFrame(surface: SurfaceBlock, scales: SurfaceScales, theme: Theme, shapes: Shapes): string {
  const corner = cornersOf(shapes.view.yaw);
  const { near, far } = corner;
  const wall = ` fill="${theme.grid}" fill-opacity="0.35" stroke="${theme.grid}"`;
  const out = [
    ...wallsOf(far).map((positions) => shape("polygon", positions, wall, shapes)),
    ...gridOf(scales, near, far).map((positions) =>
      shape("polyline", positions, ` fill="none" stroke="${theme.grid}"`, shapes),
    ),
    ...floorAxis(surface.x, scales.x, (at) => [at, near.y, 0], [0, near.y - far.y, 0], theme, shapes),
    ...floorAxis(surface.y, scales.y, (at) => [near.x, at, 0], [near.x - far.x, 0, 0], theme, shapes),
    ...verticalAxis(surface.z, scales.z, corner.left, theme, shapes),
  ];
  return out.join("");
}

/** Grid lines at the ticks, each across two walls. */
function gridOf({ x, y, z }: SurfaceScales, near: Corner, far: Corner): Position[][] {
  const all = (scale: Scale, line: (at: number) => Position[]): Position[][] =>
    scale.ticks.map((tick) => line(scale.at(tick)));
  return [
    ...all(x, (at) => [near.y, far.y].map((side): Position => [at, side, 0]).concat([[at, far.y, 1]])),
    ...all(y, (at) => [near.x, far.x].map((side): Position => [side, at, 0]).concat([[far.x, at, 1]])),
    ...all(z, (at) => [near.x, far.x].map((side): Position => [side, far.y, at]).concat([[far.x, near.y, at]])),
  ];
}

type Along = (at: number) => Position;

/** A horizontal axis; `outwards`: the direction away from the box. */
function floorAxis(axis: Axis, scale: Scale, along: Along, outwards: Position, theme: Theme, shapes: Shapes): string[] {
  const isRight = project(along(0.5), shapes.view)[0] > shapes.view.left;
  const ends = [along(0), along(1)] as const;
  const labels = axisLabels(axis, scale);
  const stride = strideOf(labels.length, ends, shapes.view);
  const ticks = scale.ticks.flatMap((tick, i) => {
    if (i % stride !== 0) return [];
    const position = along(scale.at(tick));
    const end = position.map((share, dimension) => share + 0.02 * (outwards[dimension] ?? 0)) as unknown as Position;
    const look = ` font-size="${labelSize}" fill="${theme.text}" text-anchor="${isRight ? "start" : "end"}"`;
    return [
      axisLine([position, end], theme, shapes),
      label(labels[i] ?? "", end, [isRight ? 3 : -3, 13], look, shapes),
    ];
  });
  const distance = titleDistance(labels, ends, shapes.view);
  return [axisLine(ends, theme, shapes), ...ticks, edgeText(titleOf(axis), ends, distance, titleLook(theme), shapes)];
}

function verticalAxis(axis: Axis, scale: Scale, { x, y }: Corner, theme: Theme, shapes: Shapes): string[] {
  const labels = axisLabels(axis, scale);
  const ticks = scale.ticks.map((tick, i) =>
    label(
      labels[i] ?? "",
      [x, y, scale.at(tick)],
      [-8, 1],
      ` font-size="${labelSize}" fill="${theme.text}" text-anchor="end"`,
      shapes,
    ),
  );
  const title = titleOf(axis);
  const offset = [-widestOf(labels) - 22, 0] as const;
  const [left, middle] = project([x, y, 0.5], shapes.view);
  const rotation = `rotate(-90 ${Math.round(left + offset[0])} ${Math.round(middle)})`;
  const rotated = ` text-anchor="middle"${titleLook(theme)} transform="${rotation}"`;
  return [
    axisLine(
      [
        [x, y, 0],
        [x, y, 1],
      ],
      theme,
      shapes,
    ),
    ...ticks,
    shapes.canTurn
      ? label(title, [x, y, 1], [-widestOf(labels), -14], titleLook(theme), shapes)
      : label(title, [x, y, 0.5], offset, rotated, shapes),
  ];
}

function axisLine(positions: readonly Position[], theme: Theme, shapes: Shapes): string {
  return shape("polyline", positions, ` fill="none" stroke="${theme.axis}"`, shapes);
}

function titleLook(theme: Theme): string {
  return ` font-size="${titleSize}" fill="${theme.text}"`;
}

function titleOf(axis: Axis): string {
  return cutToPixels(terminalText(drawnAxisTitle(axis)), 300, titleSize);
}

/** The labels of the ticks as they are drawn. */
function axisLabels(axis: Axis, scale: Scale): string[] {
  return scale.ticks.map((tick) => cutToPixels(terminalText(tickLabel(axis, tick, scale)), widestLabel, labelSize));
}

function widestOf(labels: readonly string[]): number {
  return labels.reduce((maximum, text) => Math.max(maximum, textWidth(text, labelSize)), 0);
}

/** Stride of the ticks that prevents labels from overlapping. */
function strideOf(count: number, ends: readonly [Position, Position], view: Projection): number {
  const height = Math.abs(project(ends[0], view)[1] - project(ends[1], view)[1]);
  const width = Math.abs(project(ends[0], view)[0] - project(ends[1], view)[0]);
  return Math.max(1, Math.ceil((count * lineHeight) / Math.max(lineHeight, height, width / 3)));
}

/** Distance of the title from its edge, leaving room for the labels. */
function titleDistance(labels: readonly string[], ends: readonly [Position, Position], view: Projection): number {
  const [[x1, y1], [x2, y2]] = ends.map((position) => project(position, view)) as [[number, number], [number, number]];
  const angle = Math.abs(Math.atan2(y2 - y1, Math.abs(x2 - x1)));
  return widestOf(labels) * Math.sin(angle) + 14 * Math.cos(angle) + 26;
}

/** Maximum faces with drawn edges; above it, edges have the colour of their face to hide seams. */
const maxEdgedFaces = 2500;

/** A face or stem and the grid position of its centre. */
interface Piece {
  readonly i: number;
  readonly j: number;
  readonly svg: string;
}

/**
 * The faces between neighbouring points, and a dot on a stem for each point without a face, drawn from far to near
 * (painter's algorithm), which is exact for a height field in parallel projection.
 */
function surfaceFaces(surface: DrawableSurface, scales: SurfaceScales, theme: Theme, shapes: Shapes): string {
  const { xs, ys, heights } = surface;
  const position = (i: number, j: number): Position => [
    scales.x.at(xs[i] ?? 0),
    scales.y.at(ys[j] ?? 0),
    scales.z.at(heights[j]?.[i] ?? Number.NaN),
  ];
  const hasEdges = (xs.length - 1) * (ys.length - 1) <= maxEdgedFaces;
  const cells = cellsOf(surface);
  const faces = cells.map(({ i, j, corners }): Piece => {
    const positions = corners.map(([x, y]) => position(x, y));
    return { i, j, svg: face(positions, gridData(i, j, shapes), hasEdges, shapes) };
  });
  const stems = isolatedPoints(surface, cells).map(([i, j]): Piece => ({
    i,
    j,
    svg: stem(position(i, j), gridData(i, j, shapes), theme, shapes),
  }));
  const edges = hasEdges ? ` stroke="${theme.text}" stroke-opacity="0.45"` : "";
  const all = [...faces, ...stems].sort((a, b) => b.i + b.j - a.i - a.j).map(({ svg }) => svg);
  const rotationData = shapes.canTurn ? ' data-faces=""' : "";
  return `<g stroke-linejoin="round" stroke-width="0.6"${edges}${rotationData}>${all.join("")}</g>`;
}

interface Cell extends Omit<Piece, "svg"> {
  readonly corners: readonly (readonly [number, number])[];
}

/** Cells of the grid with at least three defined corners. */
function cellsOf({ xs, ys, heights }: DrawableSurface): Cell[] {
  const cells: Cell[] = [];
  for (let j = 0; j + 1 < ys.length; j++)
    for (let i = 0; i + 1 < xs.length; i++) {
      const around: Cell["corners"] = [0, 1, 3, 2].map((corner) => [i + (corner & 1), j + (corner >> 1)]);
      const corners = around.filter(([x, y]) => Number.isFinite(heights[y]?.[x]));
      if (corners.length >= 3) cells.push({ i: i + 0.5, j: j + 0.5, corners });
    }
  return cells;
}

function isolatedPoints({ xs, heights }: DrawableSurface, cells: readonly Cell[]): (readonly [number, number])[] {
  const hasFace = new Set(cells.flatMap(({ corners }) => corners.map(([i, j]) => j * xs.length + i)));
  return heights.flatMap((row, j) =>
    row.flatMap((height, i) => (Number.isFinite(height) && !hasFace.has(j * xs.length + i) ? [[i, j] as const] : [])),
  );
}

function gridData(i: number, j: number, { canTurn }: Shapes): string {
  return canTurn ? ` data-i="${i}" data-j="${j}"` : "";
}

function face(positions: readonly Position[], grid: string, hasEdges: boolean, shapes: Shapes): string {
  const mean = positions.reduce((sum, [, , z]) => sum + z, 0) / positions.length;
  const color = rampColor(mean);
  return shape("polygon", positions, `${grid} fill="${color}"${hasEdges ? "" : ` stroke="${color}"`}`, shapes);
}

function stem(position: Position, grid: string, theme: Theme, shapes: Shapes): string {
  const [x, y, z] = position;
  const line = shape(
    "polyline",
    [[x, y, 0], position],
    ` fill="none" stroke="${theme.axis}" stroke-opacity="1" stroke-width="1.2"`,
    shapes,
  );
  return `<g${grid}>${line}${dot(position, 4, ` fill="${rampColor(z)}"`, shapes)}</g>`;
}

/** Maximum points per axis that are distinguishable. */
const maxPoints = 100;
const quarters = [0, 1, 2, 3] as const;

/**
 * A surface in parallel projection with a colour bar. With `canTurn` it contains data for the rotation script: the axes
 * of each quadrant, and the position of every shape.
 */
export function svgSurface(
  surface: SurfaceBlock,
  theme: Theme,
  width: number,
  height: number,
  id: string,
  canTurn: boolean,
): string {
  const shown = thinned(drawableSurface(surface));
  const scales = surfaceScales(surface, 6);
  const heights = axisLabels(surface.z, scales.z);
  const sides = Math.max(widestOf(axisLabels(surface.x, scales.x)), widestOf(axisLabels(surface.y, scales.y)));
  const right = barWidth + widestOf(heights) + 24;
  const room = { left: 24 + Math.max(widestOf(heights) + 20, sides / 2), top: canTurn ? 40 : 12 };
  const view = fitView({
    ...room,
    width: width - room.left - right - sides / 2 - 24,
    height: height - room.top - 58,
  });
  const frame = (yaw: number): string => surfaceFrame(surface, scales, theme, { view: { ...view, yaw }, canTurn });
  const frames = canTurn
    ? quarters.map((quarter) => {
        const display = quarter === 0 ? "" : ' display="none"';
        return `<g data-quarter="${quarter}"${display}>${frame(view.yaw + 90 * quarter)}</g>`;
      })
    : [frame(view.yaw)];
  const faces = surfaceFaces(shown, scales, theme, { view, canTurn });
  const rotationData = canTurn
    ? ` data-turns="${[view.left, view.top, view.size].map(round).join(",")},${boxHeight}"`
    : "";
  const bar = colorBar(heights, scales.z.ticks.map(scales.z.at), theme, { left: width - right, height }, id);
  return `<g${rotationData}>${frames.join("")}${faces}</g>${bar}`;
}

/** Thins points evenly per axis to `maxPoints`, keeping the first and the last. */
function thinned({ xs, ys, heights }: DrawableSurface): DrawableSurface {
  const indexes = (count: number): number[] =>
    count <= maxPoints
      ? Array.from({ length: count }, (_, i) => i)
      : Array.from({ length: maxPoints }, (_, i) => Math.round((i * (count - 1)) / (maxPoints - 1)));
  const [columns, rows] = [indexes(xs.length), indexes(ys.length)];
  return {
    xs: columns.map((i) => xs[i] ?? 0),
    ys: rows.map((j) => ys[j] ?? 0),
    heights: rows.map((j) => columns.map((i) => heights[j]?.[i] ?? Number.NaN)),
  };
}

/** The note below a surface. */
export function surfacePictureNote(surface: SurfaceBlock): string | undefined {
  const whole = drawableSurface(surface);
  const shown = thinned(whole);
  const isWhole = shown.xs.length === whole.xs.length && shown.ys.length === whole.ys.length;
  const thinning = isWhole
    ? undefined
    : `${shown.xs.length} by ${shown.ys.length} of ${whole.xs.length} by ${whole.ys.length} points shown`;
  const notes = [surfaceNote(surface), thinning].filter((note) => note !== undefined);
  return notes.length === 0 ? undefined : notes.join(", ");
}
