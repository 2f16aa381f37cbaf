import type { Values } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { eDivisiveDefaults, type EDivisiveOptions } from "../../math/detectors/index.ts";
import { withDefaults, numberWithin, option, type PluginInfo } from "../plugin.ts";

/** Options with Otava's names. */
export const eDivisiveOptions: readonly Variable[] = [
  option("window-len", "integer", eDivisiveDefaults.window, "values per window"),
  option("max-pvalue", "float", eDivisiveDefaults.maxP, "maximum p-value of a change"),
  option("min-magnitude", "float", eDivisiveDefaults.minMagnitude, "minimum change as a fraction of the smaller level"),
];

export function readEDivisive(plugin: PluginInfo, given: Values): EDivisiveOptions {
  const options = withDefaults(plugin, given);
  return {
    window: numberWithin(plugin, options, "window-len", 2, 10_000),
    maxP: numberWithin(plugin, options, "max-pvalue", 1e-300, 1),
    minMagnitude: numberWithin(plugin, options, "min-magnitude", 0),
  };
}
