import { mean } from "../descriptive/summary-statistics.ts";

/** A place in a series where the level changes. */
export interface LevelChange {
  /** The first value of the new level. */
  readonly index: number;
  /**
   * Mean of the level before, back to the change before it or the beginning, and of the one after, as far as the next
   * change or the end.
   */
  readonly before: number;
  readonly after: number;
  /** How likely so great a difference is without a change, where the method tests that. */
  readonly p?: number;
}

/** Changes at `places` (ascending) with the means of the levels around them. */
export function levelChanges(values: Float64Array, places: readonly number[]): LevelChange[] {
  const bounds = [0, ...places, values.length];
  const levels = places.concat(values.length).map((end, at) => mean(values.subarray(bounds[at], end)));
  return places.map((index, at) => ({ index, before: levels[at] as number, after: levels[at + 1] as number }));
}
