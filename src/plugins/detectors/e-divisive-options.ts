import type { Values } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { eDivisiveDefaults, type EDivisiveOptions } from "../../math/detectors/e-divisive.ts";
import { completed, numberWithin, option, type PluginInfo } from "../plugin.ts";

/** Named as Otava names them. */
export const eDivisiveOptions: readonly Variable[] = [
  option("window-len", "integer", eDivisiveDefaults.window, "values of a window that is split on its own"),
  option("max-pvalue", "float", eDivisiveDefaults.maxP, "a change has a p below this"),
  option(
    "min-magnitude",
    "float",
    eDivisiveDefaults.minMagnitude,
    "a change is greater than this share of the smaller level",
  ),
];

export function readEDivisive(plugin: PluginInfo, given: Values): EDivisiveOptions {
  const options = completed(plugin, given);
  return {
    window: numberWithin(plugin, options, "window-len", 2, 10_000),
    maxP: numberWithin(plugin, options, "max-pvalue", 1e-300, 1),
    minMagnitude: numberWithin(plugin, options, "min-magnitude", 0),
  };
}
