import { robustScale } from "../../math/descriptive/robust-statistics.ts";
import { levelChanges } from "../../math/detectors/level-change.ts";
import { pelt as places } from "../../math/detectors/pelt.ts";
import { completed, numberWithin, option } from "../plugin.ts";
import type { Detector } from "./detector.ts";

export const pelt: Detector = Object.freeze<Detector>({
  kind: "detector",
  name: "pelt",
  synopsis: "least sum of squared errors with a penalty for each change",
  options: [
    option(
      "penalty",
      "float",
      null,
      "of a change, in squares of the unit (default: 3 ln n times the variance of neighbours)",
    ),
    option("min-size", "integer", 2, "values between two changes at least"),
  ],
  detect(values, given) {
    const options = completed(pelt, given);
    const isGiven = options.get("penalty") !== null;
    const penalty = isGiven ? numberWithin(pelt, options, "penalty", 0, Number.MAX_VALUE) : usualPenalty(values);
    return levelChanges(values, places(values, penalty, numberWithin(pelt, options, "min-size", 1, 10_000)));
  },
});

/** The variance as differences of neighbours tell it, which hardly any of the changes touches. */
function usualPenalty(values: Float64Array): number {
  if (values.length < 2) return 0;
  const scale = robustScale(values.subarray(1).map((value, at) => value - (values[at] as number)));
  return ((3 * scale ** 2) / 2) * Math.log(values.length);
}
