import type { SurfaceBlock } from "../../../../core/figures/figure.ts";
import { drawableSurface, surfaceNote, type DrawableSurface } from "../../../../core/figures/drawable-surface.ts";
import { barWidth, colorBar } from "./color-bar.ts";
import { rampColor } from "../color-ramp.ts";
import { boxHeight, sightInto, type Place } from "./projection.ts";
import { axisLabels, surfaceFrame, widestOf } from "./surface-frame.ts";
import { surfaceScales, type SurfaceScales } from "../surface-scales.ts";
import { dot, shape, type Shapes } from "./svg-shapes.ts";
import { round } from "./svg-text.ts";
import type { Theme } from "../theme.ts";

/** From so many faces on their edges have their own colour: others would hide them, and none would leave seams. */
const edgesUpTo = 2500;

/** A piece of a surface and where in the grid its middle is. */
interface Piece {
  readonly i: number;
  readonly j: number;
  readonly svg: string;
}

/**
 * The faces between neighbouring places, and a dot on a stem for each place that has no face. The far ones come first
 * and are covered by the near ones (painter's algorithm), which is exact for heights over a grid seen from afar: what
 * lies behind in x and in y is drawn before.
 */
function surfaceFaces(surface: DrawableSurface, scales: SurfaceScales, theme: Theme, shapes: Shapes): string {
  const { xs, ys, heights } = surface;
  const place = (i: number, j: number): Place => [
    scales.x.at(xs[i] ?? 0),
    scales.y.at(ys[j] ?? 0),
    scales.z.at(heights[j]?.[i] ?? Number.NaN),
  ];
  const hasEdges = (xs.length - 1) * (ys.length - 1) <= edgesUpTo;
  const cells = cellsOf(surface);
  const faces = cells.map(({ i, j, corners }): Piece => {
    const places = corners.map(([x, y]) => place(x, y));
    return { i, j, svg: face(places, turning(i, j, shapes), hasEdges, shapes) };
  });
  const stems = lonePlaces(surface, cells).map(([i, j]): Piece => ({
    i,
    j,
    svg: stem(place(i, j), turning(i, j, shapes), theme, shapes),
  }));
  const edges = hasEdges ? ` stroke="${theme.text}" stroke-opacity="0.45"` : "";
  const all = [...faces, ...stems].sort((a, b) => b.i + b.j - a.i - a.j).map(({ svg }) => svg);
  return `<g stroke-linejoin="round" stroke-width="0.6"${edges}${shapes.canTurn ? ' data-faces=""' : ""}>${all.join("")}</g>`;
}

interface Cell extends Omit<Piece, "svg"> {
  readonly corners: readonly (readonly [number, number])[];
}

/** Cells of the grid of which at least three corners have a height. */
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

function lonePlaces({ xs, heights }: DrawableSurface, cells: readonly Cell[]): (readonly [number, number])[] {
  const hasFace = new Set(cells.flatMap(({ corners }) => corners.map(([i, j]) => j * xs.length + i)));
  return heights.flatMap((row, j) =>
    row.flatMap((height, i) => (Number.isFinite(height) && !hasFace.has(j * xs.length + i) ? [[i, j] as const] : [])),
  );
}

function turning(i: number, j: number, { canTurn }: Shapes): string {
  return canTurn ? ` data-i="${i}" data-j="${j}"` : "";
}

function face(places: readonly Place[], grid: string, hasEdges: boolean, shapes: Shapes): string {
  const mean = places.reduce((sum, [, , z]) => sum + z, 0) / places.length;
  const color = rampColor(mean);
  return shape("polygon", places, `${grid} fill="${color}"${hasEdges ? "" : ` stroke="${color}"`}`, shapes);
}

function stem(place: Place, grid: string, theme: Theme, shapes: Shapes): string {
  const [x, y, z] = place;
  const line = shape(
    "polyline",
    [[x, y, 0], place],
    ` fill="none" stroke="${theme.axis}" stroke-opacity="1" stroke-width="1.2"`,
    shapes,
  );
  return `<g${grid}>${line}${dot(place, 4, ` fill="${rampColor(z)}"`, shapes)}</g>`;
}

/** More places along an axis than this cannot be told apart. */
const mostPlaces = 100;
const quarters = [0, 1, 2, 3] as const;

/**
 * A surface as seen from afar, its colours told by a bar at the right. With `canTurn` it holds what a script needs to
 * turn it: the axes as each quarter of the circle has them, and the places of everything.
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
  const sight = sightInto({
    ...room,
    width: width - room.left - right - sides / 2 - 24,
    height: height - room.top - 58,
  });
  const frame = (yaw: number): string => surfaceFrame(surface, scales, theme, { sight: { ...sight, yaw }, canTurn });
  const frames = canTurn
    ? quarters.map(
        (quarter) =>
          `<g data-quarter="${quarter}"${quarter === 0 ? "" : ' display="none"'}>${frame(sight.yaw + 90 * quarter)}</g>`,
      )
    : [frame(sight.yaw)];
  const faces = surfaceFaces(shown, scales, theme, { sight, canTurn });
  const turns = canTurn ? ` data-turns="${[sight.left, sight.top, sight.size].map(round).join(",")},${boxHeight}"` : "";
  const bar = colorBar(heights, scales.z.ticks.map(scales.z.at), theme, { left: width - right, height }, id);
  return `<g${turns}>${frames.join("")}${faces}</g>${bar}`;
}

/** Of very many places an even choice, first and last among them. */
function thinned({ xs, ys, heights }: DrawableSurface): DrawableSurface {
  const chosen = (count: number): number[] =>
    count <= mostPlaces
      ? Array.from({ length: count }, (_, i) => i)
      : Array.from({ length: mostPlaces }, (_, i) => Math.round((i * (count - 1)) / (mostPlaces - 1)));
  const [columns, rows] = [chosen(xs.length), chosen(ys.length)];
  return {
    xs: columns.map((i) => xs[i] ?? 0),
    ys: rows.map((j) => ys[j] ?? 0),
    heights: rows.map((j) => columns.map((i) => heights[j]?.[i] ?? Number.NaN)),
  };
}

/** What is said below the picture of a surface. */
export function surfacePictureNote(surface: SurfaceBlock): string | undefined {
  const whole = drawableSurface(surface);
  const shown = thinned(whole);
  const isWhole = shown.xs.length === whole.xs.length && shown.ys.length === whole.ys.length;
  const thinning = isWhole
    ? undefined
    : `${shown.xs.length} by ${shown.ys.length} of ${whole.xs.length} by ${whole.ys.length} places are shown`;
  const notes = [surfaceNote(surface), thinning].filter((note) => note !== undefined);
  return notes.length === 0 ? undefined : notes.join(", ");
}
