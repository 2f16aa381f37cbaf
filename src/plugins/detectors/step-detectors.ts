import { robustScale } from "../../math/descriptive/index.ts";
import {
  asvStep as asvSteps,
  levelChanges,
  pelt as peltChanges,
  perfherder as perfherderChanges,
  perfherderDefaults,
} from "../../math/detectors/index.ts";
import { withDefaults, numberWithin, option } from "../plugin.ts";
import type { Detector } from "./detector.ts";

export const asvStep: Detector = Object.freeze<Detector>({
  kind: "detector",
  name: "asv-step",
  aliases: ["asv"],
  synopsis: "steps between medians by an information criterion, like airspeed velocity",
  options: [],
  detect: (values) => asvSteps(values),
});

export const perfherder: Detector = Object.freeze<Detector>({
  kind: "detector",
  name: "perfherder",
  synopsis: "weighted t statistic of the values before and after, like Mozilla's Perfherder",
  options: [
    option("min-back-window", "integer", perfherderDefaults.minBack, "minimum values before a change"),
    option("max-back-window", "integer", perfherderDefaults.maxBack, "maximum values before a change to use"),
    option("fore-window", "integer", perfherderDefaults.fore, "values after a change to use"),
    option("t-threshold", "float", perfherderDefaults.threshold, "minimum statistic of a change"),
  ],
  detect(values, given) {
    const options = withDefaults(perfherder, given);
    const minBack = numberWithin(perfherder, options, "min-back-window", 1, 10_000);
    return perfherderChanges(values, {
      minBack,
      maxBack: numberWithin(perfherder, options, "max-back-window", minBack, 10_000),
      fore: numberWithin(perfherder, options, "fore-window", 1, 10_000),
      threshold: numberWithin(perfherder, options, "t-threshold", 0),
    });
  },
});

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
    return levelChanges(values, peltChanges(values, penalty, numberWithin(pelt, options, "min-size", 1, 10_000)));
  },
});

/** From the variance of differences of neighbours, which changes hardly affect. */
function defaultPenalty(values: Float64Array): number {
  if (values.length < 2) return 0;
  const scale = robustScale(values.subarray(1).map((value, at) => value - (values[at] as number)));
  return ((3 * scale ** 2) / 2) * Math.log(values.length);
}
