import type { Values } from "../../core/values/index.ts";
import type { LevelChange, Noise, SettledMemory } from "../../math/detectors/index.ts";
import type { PluginInfo } from "../plugin.ts";

/**
 * A possible level shift: after `before` values, followed by `after` values, in a series of `count` values with
 * `noise`.
 */
export interface PossibleShift {
  readonly before: number;
  readonly after: number;
  readonly count: number;
  readonly noise: Noise;
}

/** Detects level changes in a series of measurements; pure. */
export interface Detector extends PluginInfo {
  readonly kind: "detector";
  /**
   * The changes in `values` by ascending index; empty if there are too few values. `values` are finite and in order of
   * their versions. Omitted options have their default. `memory` caches work of a detector with the same options and
   * does not affect the result. Fails with `bad-collector-option`.
   */
  detect(values: Float64Array, options: Values, memory?: SettledMemory): readonly LevelChange[];
  /**
   * The smallest upward shift, in the unit of the values, that is detected with a probability of 80 %. `quantile`:
   * cached quantiles of Student's distribution. Absent: estimated by simulating shifts in noise like that of the
   * series.
   */
  detectable?(at: PossibleShift, options: Values, quantile: (p: number, freedom: number) => number): number;
}
