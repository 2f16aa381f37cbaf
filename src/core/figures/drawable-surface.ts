import { drawableOn, isLog, nothingToDraw, pointNotes, type SurfaceBlock } from "./figure.ts";

/** The positions and heights of a surface within its axes. */
export interface DrawableSurface {
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  /** heights[j][i] over xs[i] and ys[j]; NaN for a hole. */
  readonly heights: readonly (readonly number[])[];
}

/** Fails with `nothing-to-draw` when no height can be drawn. */
export function drawableSurface({ x, y, z, xs, ys, zs }: SurfaceBlock): DrawableSurface {
  const along = indexes(xs, drawableOn(x));
  const across = indexes(ys, drawableOn(y));
  const onZ = drawableOn(z);
  const height = (i: number, j: number): number => {
    const found = zs[j * xs.length + i] ?? Number.NaN;
    return onZ(found) ? found : Number.NaN;
  };
  const heights = across.map((j) => along.map((i) => height(i, j)));
  if (!heights.some((row) => row.some(Number.isFinite))) throw nothingToDraw([z], [x, y]);
  return { xs: along.map((i) => xs[i] ?? 0), ys: across.map((j) => ys[j] ?? 0), heights };
}

/** The note on heights that the axes omit. */
export function surfaceNote({ x, y, z, xs, ys, zs }: SurfaceBlock): string | undefined {
  const isDrawable = [drawableOn(x), drawableOn(y), drawableOn(z)] as const;
  let [logless, outside] = [0, 0];
  zs.forEach((height, at) => {
    const point = [xs[at % xs.length] ?? 0, ys[Math.floor(at / xs.length)] ?? 0, height] as const;
    if (!Number.isFinite(height) || point.every((value, axis) => isDrawable[axis]?.(value))) return;
    if ([x, y, z].some((axis, i) => isLog(axis) && (point[i] ?? 0) <= 0)) logless += 1;
    else outside += 1;
  });
  return pointNotes(logless, outside);
}

function indexes(positions: Float64Array, isDrawable: (value: number) => boolean): number[] {
  return [...positions.keys()].filter((i) => isDrawable(positions[i] ?? Number.NaN));
}
