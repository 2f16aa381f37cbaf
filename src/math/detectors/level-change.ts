import { mean } from "../descriptive/index.ts";

/** A change of level in a series. */
export interface LevelChange {
  /** The first value of the new level. */
  readonly index: number;
  /**
   * Means (ensemble: medians) of the levels before and after, up to the adjacent changes or the ends of the series.
   */
  readonly before: number;
  readonly after: number;
  /** p-value, if the method tests the change. */
  readonly p?: number;
}

/** Changes at `positions` (ascending) with the centres of the levels around them. */
export function levelChanges(
  values: Float64Array,
  positions: readonly number[],
  centreOf: (level: Float64Array) => number = mean,
): LevelChange[] {
  const bounds = [0, ...positions, values.length];
  const levels = positions.concat(values.length).map((end, at) => centreOf(values.subarray(bounds[at], end)));
  return positions.map((index, at) => ({ index, before: levels[at] as number, after: levels[at + 1] as number }));
}
