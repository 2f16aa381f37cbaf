import type { Values } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import {
  eDivisive as changes,
  eDivisiveDefaults,
  eDivisiveOtava as changesAsOtava,
  type EDivisiveOptions,
} from "../../math/detectors/index.ts";
import { withDefaults, numberWithin, option, type PluginInfo } from "../plugin.ts";
import type { Detector } from "./detector.ts";

/** Options with Otava's names. */
const eDivisiveOptions: readonly Variable[] = [
  option("window-len", "integer", eDivisiveDefaults.window, "values per window"),
  option("max-pvalue", "float", eDivisiveDefaults.maxP, "maximum p-value of a change"),
  option("min-magnitude", "float", eDivisiveDefaults.minMagnitude, "minimum change as a fraction of the smaller level"),
];

export const eDivisive: Detector = Object.freeze<Detector>({
  kind: "detector",
  name: "e-divisive",
  synopsis: "energy distance in windows, confirmed by Student's test, weakest changes merged first",
  options: eDivisiveOptions,
  detect: (values, given) => changes(values, readEDivisive(eDivisive, given)),
});

export const eDivisiveOtava: Detector = Object.freeze<Detector>({
  kind: "detector",
  name: "e-divisive-otava",
  aliases: ["otava"],
  synopsis: "e-divisive with the results of Apache Otava, including its defects",
  options: eDivisiveOptions,
  detect: (values, given) => changesAsOtava(values, readEDivisive(eDivisiveOtava, given)),
});

function readEDivisive(plugin: PluginInfo, given: Values): EDivisiveOptions {
  const options = withDefaults(plugin, given);
  return {
    window: numberWithin(plugin, options, "window-len", 2, 10_000),
    maxP: numberWithin(plugin, options, "max-pvalue", 1e-300, 1),
    minMagnitude: numberWithin(plugin, options, "min-magnitude", 0),
  };
}
