import type { SurfaceBlock } from "../../../../core/figures/figure.ts";
import { drawableSurface, surfaceNote, type DrawableSurface } from "../../../../core/figures/drawable-surface.ts";
import { barWidth, colorBar } from "./color-bar.ts";
import { rampColor } from "../color-ramp.ts";
import { boxHeight, fitView, type Position } from "./projection.ts";
import { axisLabels, surfaceFrame, widestOf } from "./surface-frame.ts";
import { surfaceScales, type SurfaceScales } from "../surface-scales.ts";
import { dot, shape, type Shapes } from "./svg-shapes.ts";
import { round } from "./svg-text.ts";
import type { Theme } from "../theme.ts";

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
  const rotationData = canTurn ? ` data-rotationData="${[view.left, view.top, view.size].map(round).join(",")},${boxHeight}"` : "";
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
    : `${shown.xs.length} by ${shown.ys.length} of ${whole.xs.length} by ${whole.ys.length} positions are shown`;
  const notes = [surfaceNote(surface), thinning].filter((note) => note !== undefined);
  return notes.length === 0 ? undefined : notes.join(", ");
}
