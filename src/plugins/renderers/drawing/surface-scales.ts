import { drawableOn, type SurfaceBlock } from "../../../core/figures/figure.ts";
import type { Scale } from "../../../math/plotting/scale.ts";
import { heldBy, scaleOf, widen, withZero } from "./chart-scales.ts";

/** How places and heights of a surface lie on its axes. */
export interface SurfaceScales {
  readonly x: Scale;
  readonly y: Scale;
  readonly z: Scale;
}

/** Scales that hold every height that can be drawn; `ticks` says about how many ticks there is room for. */
export function surfaceScales(surface: SurfaceBlock, ticks: number): SurfaceScales {
  const { x, y, z, xs, ys, zs } = surface;
  const [alongX, alongY, up] = [placesHeld(xs, drawableOn(x)), placesHeld(ys, drawableOn(y)), heldBy(z)];
  const isDrawable = drawableOn(z);
  for (const height of zs) if (isDrawable(height)) widen(up, height, height);
  return {
    x: scaleOf(x, alongX, ticks),
    y: scaleOf(y, alongY, ticks),
    z: scaleOf(z, z.scale === "linear" ? withZero(up, false) : up, ticks),
  };
}

function placesHeld(places: Float64Array, isDrawable: (value: number) => boolean): ReturnType<typeof heldBy> {
  const extent = heldBy(undefined);
  for (const place of places) if (isDrawable(place)) widen(extent, place, place);
  return extent;
}
