import type { Values } from "../../core/values/value.ts";
import type { LevelChange } from "../../math/detectors/level-change.ts";
import type { Noise } from "../../math/detectors/noise.ts";
import type { SettledMemory } from "../../math/detectors/incremental-ensemble.ts";
import type { PluginInfo } from "../plugin.ts";

/**
 * Where a level might shift: `before` values of one level, `after` ones behind them, in a series of `count` values with
 * noise of that kind.
 */
export interface PossibleShift {
  readonly before: number;
  readonly after: number;
  readonly count: number;
  readonly noise: Noise;
}

/** Finds where the level of a series of measurements changes; pure. */
export interface Detector extends PluginInfo {
  readonly kind: "detector";
  /**
   * The changes in `values`, which are finite and in the order of their versions, by ascending index. Nothing where
   * there are too few values. Options left out have their default. `memory`, of a detector with the same options, may
   * spare work; the answer is the same without it. Fails with `bad-collector-option`.
   */
  detect(values: Float64Array, options: Values, memory?: SettledMemory): readonly LevelChange[];
  /**
   * The least shift upwards of the level, in the unit of the values, that is told in four of five cases. `quantile`: of
   * Student's distribution, remembered. Absent: it is found by planting shifts in noise like that of the series.
   */
  detectable?(at: PossibleShift, options: Values, quantile: (p: number, freedom: number) => number): number;
}
