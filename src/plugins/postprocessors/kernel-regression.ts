import { Failure } from "../../core/failures/index.ts";
import { JsonNumber, jsonObject, type JsonObject, type Values } from "../../core/values/index.ts";
import { locationName, locationOf, type Points, type Run } from "../../core/profiles/index.ts";
import { extent } from "../../math/descriptive/index.ts";
import { kernels, distinctPoints, type DistinctPoints } from "../../math/smoothing/index.ts";
import { curves, type Curve } from "./kernel-modes.ts";
import { withDefaults, numberWithin, option } from "../plugin.ts";
import {
  afterStep,
  compatOption,
  floats,
  keyOptions,
  keySpellings,
  pointsFor,
  columnNumber,
  type Postprocessor,
} from "./postprocessor.ts";

/** Maximum points: each estimate uses all points around it, so more would take hours. */
const maxPoints = 50_000;

/** A smooth curve through the points of each location, without a formula. */
export const kernelRegression = Object.freeze<Postprocessor>({
  kind: "postprocessor",
  name: "kernel-regression",
  aliases: ["kernel_regression"],
  recorded: "kernel_regression",
  synopsis: "smooth curve through points by kernel regression",
  options: [
    option("kernel-mode", "string", "kernel-smoothing", "method for the curve and its bandwidth", Object.keys(curves)),
    option("reg-type", "string", "ll", "ll: local linear, lc: local constant", ["ll", "lc"]),
    option("bandwidth-criterion", "string", "cv_ls", "criterion of the search: cross-validation or Akaike's", [
      "cv_ls",
      "aic",
    ]),
    option("efficient", "boolean", false, "search on samples of the points"),
    option("randomize", "boolean", false, "draw each sample independently, instead of partitioning the points"),
    option("n-sub-samples", "integer", 50, "points per sample"),
    option("n-re-samples", "integer", 25, "number of samples"),
    option("return-median", "boolean", false, "use the median of the samples' bandwidths instead of the mean"),
    option("seed", "integer", 0, "seed of the random samples"),
    option("bandwidth-value", "float", null, "bandwidth in units of x"),
    option("bandwidth-method", "string", "scott", "rule for the bandwidth", ["scott", "silverman"]),
    option("kernel-type", "string", "epanechnikov", "weights by distance", Object.keys(kernels)),
    option("smoothing-method", "string", "spatial-average", "estimate from the points around", [
      "spatial-average",
      "local-linear",
      "local-polynomial",
    ]),
    option("polynomial-order", "integer", 3, "degree for local-polynomial"),
    option("gamma-low", "float", 1e-5, "first γ to try"),
    option("gamma-high", "float", 1e-4, "end of the γ to try, exclusive"),
    option("gamma-step", "float", 1e-5, "step of the γ to try"),
    ...keyOptions,
    compatOption,
  ],
  spellings: {
    "-rt": ["reg-type"],
    "-bw": ["bandwidth-criterion"],
    "--uniformly": ["--no-efficient"],
    "-ns": ["n-sub-samples"],
    "-nsub": ["n-sub-samples"],
    "-nr": ["n-re-samples"],
    "-nres": ["n-re-samples"],
    "--return-mean": ["--no-return-median"],
    "-bv": ["bandwidth-value"],
    "-bm": ["bandwidth-method"],
    "-kt": ["kernel-type"],
    "-sm": ["smoothing-method"],
    "-q": ["polynomial-order"],
    "-gr": ["gamma-low", "gamma-high"],
    "--gamma-range": ["gamma-low", "gamma-high"],
    "-gs": ["gamma-step"],
    ...keySpellings,
  },
  modes: {
    option: "kernel-mode",
    of: new Map([
      [
        "estimator-settings",
        [
          "reg-type",
          "bandwidth-criterion",
          "efficient",
          "randomize",
          "n-sub-samples",
          "n-re-samples",
          "return-median",
          "seed",
        ],
      ],
      ["user-selection", ["reg-type", "bandwidth-value"]],
      ["method-selection", ["reg-type", "bandwidth-method"]],
      [
        "kernel-smoothing",
        ["kernel-type", "smoothing-method", "bandwidth-method", "bandwidth-value", "polynomial-order"],
      ],
      ["kernel-ridge", ["gamma-low", "gamma-high", "gamma-step"]],
    ]),
    spellings: { "estimator-settings": { "--bandwidth-method": ["bandwidth-criterion"] } },
  },
  apply,
});

function apply(run: Run, given: Values, notice: (text: string) => void = () => {}): Run {
  const options = withDefaults(kernelRegression, given);
  check(options);
  const models = pointsFor(run, options).flatMap((points) => {
    const curve = curveOf(points, options);
    if (curve === null)
      notice(
        `${locationName(points)}: no curve fits its ${points.x.length} points: ` +
          `too few, too many (above ${maxPoints}) or all at the same x`,
      );
    return curve === null ? [] : [recordOf(points, curve, options)];
  });
  return afterStep(kernelRegression, run, ownOptions(options), models);
}

function curveOf({ x, y }: Points, options: Values): Curve | null {
  if (x.length > maxPoints) return null;
  if (x.length < 3) return options.get("compat") === "perun" ? unsmoothed(distinctPoints(x, y)) : null;
  return curves[String(options.get("kernel-mode"))]?.(distinctPoints(x, y), options) ?? null;
}

/** Perun returns one or two points unchanged. */
function unsmoothed({ y }: DistinctPoints): Curve {
  return { mode: "manually", bandwidth: 1, values: y, rSquared: 1 };
}

function check(options: Values): void {
  const within = (name: string, minimum: number, maximum?: number): number =>
    numberWithin(kernelRegression, options, name, minimum, maximum);
  const mode = options.get("kernel-mode");
  if (mode === "user-selection" || (options.get("bandwidth-value") ?? null) !== null)
    within("bandwidth-value", Number.MIN_VALUE, 1e300);
  within("n-sub-samples", 3);
  within("n-re-samples", 1, 10_000);
  within("polynomial-order", 0, 10);
  const low = within("gamma-low", Number.MIN_VALUE);
  const high = within("gamma-high", low);
  const step = within("gamma-step", Number.MIN_VALUE);
  if (high === low) {
    const data = { plugin: kernelRegression.name, option: "gamma-high", value: String(high) };
    const expected = `greater than gamma-low, ${low}`;
    throw new Failure("bad-collector-option", { ...data, expected, example: String(2 * low) });
  }
  if ((high - low) / step > 10_000) {
    const data = {
      plugin: kernelRegression.name,
      option: "gamma-step",
      value: String(step),
      expected: "wide enough for at most 10000 steps",
    };
    throw new Failure("bad-collector-option", { ...data, example: String((high - low) / 100) });
  }
}

/** The options of the mode; the others have no effect. */
function ownOptions(options: Values): Values {
  const own = kernelRegression.modes?.of.get(String(options.get("kernel-mode"))) ?? [];
  const others = new Set([...(kernelRegression.modes?.of.values() ?? [])].flat().filter((name) => !own.includes(name)));
  return new Map([...options].filter(([name]) => !others.has(name)));
}

function recordOf(points: Points, { mode, bandwidth, values, rSquared }: Curve, options: Values): JsonObject {
  const { x, integerX } = points;
  const [start, end] = extent(x);
  return jsonObject({
    x_start: columnNumber(start, integerX),
    x_end: columnNumber(end, integerX),
    per_key: String(options.get("per-key")),
    bandwidth: JsonNumber.float(bandwidth),
    r_square: JsonNumber.float(rSquared),
    bucket_stats: floats(values),
    kernel_mode: mode,
    ...locationOf(points),
    model: "kernel_regression",
  });
}
