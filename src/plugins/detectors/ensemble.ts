import type { Values } from "../../core/values/value.ts";
import { ensembleDefaults, ensembleLimit, ensembleShift, type EnsembleOptions } from "../../math/detectors/ensemble.ts";
import { incrementalEnsemble, widestWindow } from "../../math/detectors/incremental-ensemble.ts";
import { completed, numberWithin, option } from "../plugin.ts";
import type { Detector } from "./detector.ts";

/** The detector that perfkeep uses unless another one is asked for. */
export const ensemble: Detector = Object.freeze<Detector>({
  kind: "detector",
  name: "ensemble",
  synopsis: "optimal split, confirmed by tests that know outliers, skew and values that depend on the one before",
  options: [option("max-pvalue", "float", ensembleDefaults.level, "how likely a series without a change may show one")],
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
  return { level: numberWithin(ensemble, completed(ensemble, given), "max-pvalue", 1e-12, 0.5) };
}
