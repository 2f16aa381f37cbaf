import type { Values } from "../../core/values/index.ts";
import { type BoundTest, boundTests, outside } from "../../math/detectors/index.ts";
import { withDefaults, numberWithin, option } from "../plugin.ts";
import type { Detector } from "./detector.ts";

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
