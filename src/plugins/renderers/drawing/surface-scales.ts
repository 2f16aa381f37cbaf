import { drawableOn, type SurfaceBlock } from "../../../core/figures/index.ts";
import type { Scale } from "../../../math/plotting/index.ts";
import { fixedExtent, scaleOf, widen, withZero } from "./chart-scales.ts";

/** Scales of a surface's axes. */
export interface SurfaceScales {
  readonly x: Scale;
  readonly y: Scale;
  readonly z: Scale;
}

/** Scales that cover all drawable heights; `ticks`: approximate number of ticks. */
export function surfaceScales(surface: SurfaceBlock, ticks: number): SurfaceScales {
  const { x, y, z, xs, ys, zs } = surface;
  const [alongX, alongY, zExtent] = [
    extentOfPositions(xs, drawableOn(x)),
    extentOfPositions(ys, drawableOn(y)),
    fixedExtent(z),
  ];
  const isDrawable = drawableOn(z);
  for (const height of zs) {
    if (!isDrawable(height)) continue;
    widen(zExtent, height, height);
    zExtent.whole &&= Number.isInteger(height);
  }
  return {
    x: scaleOf(x, alongX, ticks),
    y: scaleOf(y, alongY, ticks),
    z: scaleOf(z, z.scale === "linear" ? withZero(zExtent, false) : zExtent, ticks),
  };
}

function extentOfPositions(
  positions: Float64Array,
  isDrawable: (value: number) => boolean,
): ReturnType<typeof fixedExtent> {
  const extent = fixedExtent(undefined);
  for (const position of positions) {
    if (!isDrawable(position)) continue;
    widen(extent, position, position);
    extent.whole &&= Number.isInteger(position);
  }
  return extent;
}
