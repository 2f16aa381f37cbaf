import type { Values } from "../../core/values/index.ts";
import {
  ensembleDefaults,
  ensembleLimit,
  ensembleShift,
  type EnsembleOptions,
  incrementalEnsemble,
  widestWindow,
} from "../../math/detectors/index.ts";
import { withDefaults, numberWithin, option } from "../plugin.ts";
import type { Detector } from "./detector.ts";

/** The default detector. */
export const ensemble: Detector = Object.freeze<Detector>({
  kind: "detector",
  name: "ensemble",
  synopsis: "optimal split, confirmed by tests robust to outliers, skew and autocorrelation",
  options: [
    option("max-pvalue", "float", ensembleDefaults.level, "probability of a false positive per series without changes"),
  ],
  detect: (values, given, memory) => incrementalEnsemble(values, optionsOf(given), memory),
  detectable({ before, after, count, noise }, given, quantile) {
    return ensembleShift(
      before,
      after,
      noise,
      ensembleLimit(Math.min(count, widestWindow), optionsOf(given), quantile),
    );
  },
});

function optionsOf(given: Values): EnsembleOptions {
  return { level: numberWithin(ensemble, withDefaults(ensemble, given), "max-pvalue", 1e-12, 0.5) };
}
