import type { Bounds } from "./bounds.ts";
import { type LevelChange, levelChanges } from "./level-change.ts";

export interface OutsideOptions {
  /** Earlier values that are needed, and that are looked at. */
  readonly fewest: number;
  readonly most: number;
  /** What a value may be after these; NaN bounds nothing. */
  bounds(earlier: Float64Array): Bounds;
}

/**
 * Where a series leaves the bounds that its earlier values set. From there on they are set anew: nothing is told until
 * there are enough values of the new level, and those of the old one count no more.
 */
export function outside(values: Float64Array, { fewest, most, bounds }: OutsideOptions): LevelChange[] {
  const places: number[] = [];
  for (let at = 0, from = 0; at < values.length; at++) {
    if (at - from < fewest) continue;
    const { low, high } = bounds(values.subarray(Math.max(from, at - most), at));
    const value = values[at] as number;
    if (!(value < low || value > high)) continue;
    places.push(at);
    from = at;
  }
  return levelChanges(values, places);
}
