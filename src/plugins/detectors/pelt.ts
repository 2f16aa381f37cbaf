import { robustScale } from "../../math/descriptive/index.ts";
import { levelChanges, pelt as changePoints } from "../../math/detectors/index.ts";
import { withDefaults, numberWithin, option } from "../plugin.ts";
import type { Detector } from "./detector.ts";

export const pelt: Detector = Object.freeze<Detector>({
  kind: "detector",
  name: "pelt",
  synopsis: "minimum sum of squared errors with a penalty per change",
  options: [
    option(
      "penalty",
      "float",
      null,
      "penalty per change, in squared units (default: 3 ln n times the variance of neighbours)",
    ),
    option("min-size", "integer", 2, "minimum values between two changes"),
  ],
  detect(values, given) {
    const options = withDefaults(pelt, given);
    const isGiven = options.get("penalty") !== null;
    const penalty = isGiven ? numberWithin(pelt, options, "penalty", 0, Number.MAX_VALUE) : defaultPenalty(values);
    return levelChanges(values, changePoints(values, penalty, numberWithin(pelt, options, "min-size", 1, 10_000)));
  },
});

/** From the variance of differences of neighbours, which changes hardly affect. */
function defaultPenalty(values: Float64Array): number {
  if (values.length < 2) return 0;
  const scale = robustScale(values.subarray(1).map((value, at) => value - (values[at] as number)));
  return ((3 * scale ** 2) / 2) * Math.log(values.length);
}
