import type { Values } from "../../core/value.ts";
import type { LevelChange } from "../../math/detectors/level-change.ts";
import type { PluginInfo } from "../plugin.ts";

/** Finds where the level of a series of measurements changes; pure. */
export interface Detector extends PluginInfo {
  readonly kind: "detector";
  /**
   * The changes in `values`, which are finite and in the order of their versions, by ascending index. Nothing where there are too few values. Options
   * left out have their default. Fails with `bad-collector-option`.
   */
  detect(values: Float64Array, options: Values): readonly LevelChange[];
}
