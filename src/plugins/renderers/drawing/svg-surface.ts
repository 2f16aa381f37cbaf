import type { SurfaceBlock } from "../../../core/figure.ts";
import { drawableSurface, surfaceNote, type DrawableSurface } from "../../../core/surface.ts";
import { barWidth, colorBar } from "./color-bar.ts";
import { boxHeight, sightInto } from "./projection.ts";
import { surfaceFaces } from "./surface-faces.ts";
import { axisLabels, surfaceFrame, widestOf } from "./surface-frame.ts";
import { surfaceScales } from "./surface-scales.ts";
import { round } from "./svg-text.ts";
import type { Theme } from "./theme.ts";

/** More places along an axis than this cannot be told apart. */
const mostPlaces = 100;
const quarters = [0, 1, 2, 3] as const;

/**
 * A surface as seen from afar, its colours told by a bar at the right. With `canTurn` it holds what a script needs to turn it: the axes as each
 * quarter of the circle has them, and the places of everything.
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
