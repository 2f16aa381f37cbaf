import { JsonNumber, jsonObject, type JsonObject, type Values } from "../../core/values/index.ts";
import { locationOf, type Points, type Run } from "../../core/profiles/index.ts";
import { binsOf, binWidthRules, binStatistics } from "../../math/smoothing/index.ts";
import { determination } from "../../math/regression/index.ts";
import { extent, mean, median } from "../../math/descriptive/index.ts";
import { withDefaults, option } from "../plugin.ts";
import {
  afterStep,
  compatOption,
  floats,
  keyOptions,
  keySpellings,
  maybeNumberWithin,
  pointsFor,
  columnNumber,
  type Postprocessor,
} from "./postprocessor.ts";

/** Maximum buckets. */
const maxBuckets = 100_000;

/** The mean or median of the points in equal intervals of x: a step function. */
export const regressogram = Object.freeze<Postprocessor>({
  kind: "postprocessor",
  name: "regressogram",
  recorded: "regressogram",
  synopsis: "mean or median of the points in equal intervals",
  options: [
    option("bucket-number", "integer", null, "number of intervals (default: by bucket-method)"),
    option("bucket-method", "string", "doane", "rule for the interval width", Object.keys(binWidthRules)),
    option("statistic-function", "string", "mean", "statistic of the points of an interval", ["mean", "median"]),
    ...keyOptions,
    compatOption,
  ],
  spellings: {
    "-bn": ["bucket-number"],
    "--bucket_number": ["bucket-number"],
    "-bm": ["bucket-method"],
    "--bucket_method": ["bucket-method"],
    "-sf": ["statistic-function"],
    "--statistic_function": ["statistic-function"],
    ...keySpellings,
  },
  apply,
});

function apply(run: Run, given: Values): Run {
  const options = withDefaults(regressogram, given);
  const requested = maybeNumberWithin(regressogram, options, "bucket-number", 1, maxBuckets);
  const method = requested === null ? String(options.get("bucket-method")) : "user";
  const models = pointsFor(run, options).map((points) =>
    recordOf(points, requested ?? bucketCount(points.x, options), method, options),
  );
  return afterStep(regressogram, run, options, models);
}

/** Number of buckets of the rule's width that cover the values. Perun uses the width as the count. */
function bucketCount(x: Float64Array, options: Values): number {
  const [minimum, maximum] = extent(x);
  const width = binWidthRules[String(options.get("bucket-method"))]?.(x) ?? 0;
  const count =
    options.get("compat") === "perun" ? Math.floor(width) : width > 0 ? Math.ceil((maximum - minimum) / width) : 1;
  return Math.min(maxBuckets, Math.max(1, count));
}

function recordOf(points: Points, count: number, method: string, options: Values): JsonObject {
  const { x, y, integerX, integerY } = points;
  const bins = binsOf(x, count);
  const stats = binStatistics(bins, y, count, options.get("statistic-function") === "median" ? median : mean);
  const [first, last] = extent(x);
  return jsonObject({
    buckets_method: method,
    statistic_function: String(options.get("statistic-function")),
    bucket_stats: floats(stats),
    x_start: columnNumber(first, integerX),
    x_end: columnNumber(last, integerX),
    y_start: columnNumber(extent(y)[0], integerY),
    r_square: JsonNumber.float(
      determination(
        y,
        Float64Array.from(bins, (bin) => stats[bin]!),
      ),
    ),
    ...locationOf(points),
    model: "regressogram",
    per_key: String(options.get("per-key")),
    of_key: String(options.get("of-key")),
  });
}
