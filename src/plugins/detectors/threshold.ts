import type { Values } from "../../core/values/value.ts";
import { type BoundTest, boundTests, outside } from "../../math/detectors/bounds.ts";
import { completed, numberWithin, option } from "../plugin.ts";
import type { Detector } from "./detector.ts";

/** What `boundary` is where it is not given, and what it may be. */
const boundaries: Readonly<Record<BoundTest, readonly [usual: number, least: number, most: number]>> = {
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
  synopsis: "values outside of what the earlier ones allow, as Bencher's thresholds and rustc-perf's noise fence",
  options: [
    option("test", "string", "t-test", "what the earlier values allow", tests),
    option(
      "boundary",
      "float",
      null,
      "a distance, a share, a probability or a number of quartile distances, as the test has it",
    ),
    option("min-sample", "integer", 10, "earlier values that are needed"),
    option("max-sample", "integer", 64, "earlier values that are looked at"),
  ],
  detect(values, given) {
    const options = completed(threshold, given);
    const fewest = numberWithin(threshold, options, "min-sample", 2, 100_000);
    const most = numberWithin(threshold, options, "max-sample", fewest, 100_000);
    const [test, boundary] = testOf(options);
    return outside(values, { fewest, most, bounds: (earlier) => boundTests[test](earlier, boundary) });
  },
});

function testOf(options: Values): [BoundTest, number] {
  const test = options.get("test") as BoundTest;
  const [usual, least, most] = boundaries[test];
  return [test, options.get("boundary") === null ? usual : numberWithin(threshold, options, "boundary", least, most)];
}
