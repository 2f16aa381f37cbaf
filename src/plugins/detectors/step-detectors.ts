import type { Values } from "../../core/values/index.ts";
import { robustScale } from "../../math/descriptive/index.ts";
import {
  asvStep as asvSteps,
  levelChanges,
  pelt as peltChanges,
  perfherder as perfherderChanges,
  perfherderDefaults,
  type BoundTest,
  boundTests,
  outside,
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

/** Default, minimum and maximum of `boundary` by test. */
const boundaries: Readonly<Record<BoundTest, readonly [fallback: number, minimum: number, maximum: number]>> = {
  static: [0, 0, Number.MAX_VALUE],
  percentage: [0.1, 0, Number.MAX_VALUE],
  "z-score": [0.999, 0.5, 1 - 1e-12],
  "t-test": [0.999, 0.5, 1 - 1e-12],
  "log-normal": [0.999, 0.5, 1 - 1e-12],
  iqr: [3, 0, 1e6],
  "delta-iqr": [3, 0, 1e6],
  "noise-fence": [3, 0, 1e6],
};

const tests = Object.keys(boundaries) as BoundTest[];

export const threshold: Detector = Object.freeze<Detector>({
  kind: "detector",
  name: "threshold",
  synopsis: "values outside of bounds from earlier ones, like Bencher's thresholds and rustc-perf's noise fence",
  options: [
    option("test", "string", "t-test", "how to derive the bounds from earlier values", tests),
    option(
      "boundary",
      "float",
      null,
      "a distance, fraction, probability or number of interquartile ranges, depending on the test",
    ),
    option("min-sample", "integer", 10, "minimum earlier values"),
    option("max-sample", "integer", 64, "maximum earlier values to use"),
  ],
  detect(values, given) {
    const options = withDefaults(threshold, given);
    const fewest = numberWithin(threshold, options, "min-sample", 2, 100_000);
    const most = numberWithin(threshold, options, "max-sample", fewest, 100_000);
    const [test, boundary] = testOf(options);
    return outside(values, { fewest, most, bounds: (earlier) => boundTests[test](earlier, boundary) });
  },
});

function testOf(options: Values): [BoundTest, number] {
  const test = options.get("test") as BoundTest;
  const [fallback, minimum, maximum] = boundaries[test];
  return [
    test,
    options.get("boundary") === null ? fallback : numberWithin(threshold, options, "boundary", minimum, maximum),
  ];
}
