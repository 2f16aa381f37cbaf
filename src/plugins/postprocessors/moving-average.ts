import { Failure } from "../../core/failures/index.ts";
import { JsonNumber, jsonObject, type JsonObject, type Values } from "../../core/values/index.ts";
import { locationOf, type Points, type Run } from "../../core/profiles/index.ts";
import { determination } from "../../math/regression/index.ts";
import { exponentialMean, movingMean, movingMedian, weightedMovingMean, windows } from "../../math/smoothing/index.ts";
import { withDefaults, numberWithin, option } from "../plugin.ts";
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

/** Decay parameters of the exponential mean: bounds and conversion to the smoothing factor. */
const decays: Readonly<
  Record<string, { readonly minimum: number; readonly maximum: number; alpha(value: number): number }>
> = {
  com: { minimum: 0, maximum: 1e9, alpha: (value) => 1 / (1 + value) },
  span: { minimum: 1, maximum: 1e9, alpha: (value) => 2 / (value + 1) },
  halflife: { minimum: 1e-9, maximum: 1e9, alpha: (value) => 1 - Math.exp(-Math.LN2 / value) },
  alpha: { minimum: 1e-9, maximum: 1, alpha: (value) => value },
};

/** Smooths the points of each location along x with a moving average. */
export const movingAverage = Object.freeze<Postprocessor>({
  kind: "postprocessor",
  name: "moving-average",
  aliases: ["moving_average"],
  recorded: "moving_average",
  synopsis: "points smoothed with a moving average",
  options: [
    option("moving-method", "string", "sma", "sma: mean, smm: median, ema: exponentially weighted mean", [
      "sma",
      "smm",
      "ema",
    ]),
    option("min-periods", "integer", null, "minimum points for a value (default: window-width; 1 for ema)"),
    option("window-width", "float", null, "points in a window (default: searched); value of the decay for ema"),
    option("center", "boolean", true, "center the window on the point instead of ending there"),
    option("window-type", "string", null, "weights of the points in a window (default: equal)", Object.keys(windows)),
    option("decay", "string", "com", "meaning of window-width for ema", Object.keys(decays)),
    ...keyOptions,
    compatOption,
  ],
  spellings: {
    "-mp": ["min-periods"],
    "--min_periods": ["min-periods"],
    "-ww": ["window-width"],
    "--window_width": ["window-width"],
    "-wt": ["window-type"],
    "--window_type": ["window-type"],
    "-d": ["decay", "window-width"],
    "--decay": ["decay", "window-width"],
    ...keySpellings,
  },
  modes: {
    option: "moving-method",
    of: new Map([
      ["sma", ["center", "window-type"]],
      ["smm", ["center"]],
      ["ema", ["decay"]],
    ]),
  },
  apply,
});

function apply(run: Run, given: Values): Run {
  const options = withDefaults(movingAverage, given);
  const smooth = smootherOf(options);
  let known: number | null = null;
  const models = pointsFor(run, options).map((points) => {
    const sorted = sortedByX(points);
    const smoothed = smooth(sorted, known);
    if (options.get("compat") !== "perun") return recordOf(sorted, smoothed, options);
    known = smoothed.next;
    return recordOf(sorted, { ...smoothed, width: smoothed.next }, options);
  });
  return afterStep(movingAverage, run, options, models);
}

interface Smoothed {
  readonly width: number;
  /** The width that a search would try next; Perun records it and uses it for the other locations. */
  readonly next: number;
  readonly values: Float64Array;
  readonly rSquared: number;
}

/** `known`: the width of the first location, which Perun uses for all others. */
function smootherOf(options: Values): (points: Points, known: number | null) => Smoothed {
  if (options.get("moving-method") === "ema") return exponential(options);
  const minPeriods = maybeNumberWithin(movingAverage, options, "min-periods", 1);
  const requested = maybeNumberWithin(movingAverage, options, "window-width", 1, 1e6);
  if (requested !== null && !Number.isInteger(requested))
    throw refused("window-width", String(requested), "an integer number of points", "5");
  if (requested !== null && minPeriods !== null && minPeriods > requested)
    throw refused("min-periods", String(minPeriods), "at most window-width", String(requested));
  return ({ x, y }, known) => {
    const within = (width: number): Smoothed =>
      withRSquared(y, width, averaged(y, width, minPeriods, options), options);
    const fixed = requested ?? known;
    return fixed === null ? searched(x, within) : within(fixed);
  };
}

function averaged(y: Float64Array, width: number, minPeriods: number | null, options: Values): Float64Array {
  const window = { width, center: options.get("center") === true, least: minPeriods ?? width };
  const type = options.get("window-type");
  if (options.get("moving-method") === "smm") return movingMedian(y, window);
  return typeof type === "string"
    ? weightedMovingMean(y, windows[type]?.(width) ?? new Float64Array(width), window)
    : movingMean(y, window);
}

/** Perun counts missing values as 0 in R². */
function withRSquared(y: Float64Array, width: number, values: Float64Array, options: Values): Smoothed {
  const judged = options.get("compat") === "perun" ? values.map((value) => (Number.isNaN(value) ? 0 : value)) : values;
  return { width, next: width, values, rSquared: determination(y, judged) };
}

/** Perun's R² of a good fit, and its initial width as a fraction of the range of x. */
const goodFit = 0.88;
const firstShare = 0.05;

/** Narrows the window until it follows the points well. */
function searched(x: Float64Array, within: (width: number) => Smoothed): Smoothed {
  const range = (x.at(-1) ?? 0) - (x[0] ?? 0);
  let current = within(Math.min(1e6, Math.max(1, Math.trunc(firstShare * range))));
  for (;;) {
    const next = narrowed(current);
    if (current.rSquared >= goodFit || next === current.width) return { ...current, next };
    current = within(next);
  }
}

function narrowed({ width, rSquared }: Smoothed): number {
  const missing = goodFit - (Number.isNaN(rSquared) ? 0 : rSquared);
  return Math.max(1, width - Math.max(1, Math.trunc(Math.min(0.9 * width - 1, 0.15 * (width - 1) * missing))));
}

/** Searches the centre of mass if no value is given; in Perun 0 counts as none. */
function exponential(options: Values): (points: Points, known: number | null) => Smoothed {
  const decay = String(options.get("decay"));
  const { minimum, maximum, alpha } = decays[decay]!;
  const asPerun = options.get("compat") === "perun";
  const minPeriods = maybeNumberWithin(movingAverage, options, "min-periods", 1);
  const given = (options.get("window-width") ?? null) !== null || decay !== "com";
  const value = given ? numberWithin(movingAverage, options, "window-width", minimum, maximum) : null;
  return ({ x, y }, known) => {
    const within = (width: number): Smoothed =>
      withRSquared(y, width, exponentialMean(y, alpha(width), minPeriods ?? (asPerun ? width : 1)), options);
    const fixed = asPerun && value === 0 ? known : (value ?? known);
    return fixed === null ? searched(x, within) : within(fixed);
  };
}

function refused(name: string, value: string, expected: string, example: string): Failure {
  return new Failure("bad-collector-option", { plugin: movingAverage.name, option: name, value, expected, example });
}

/** The points sorted by x, then by y. */
function sortedByX(points: Points): Points {
  const { x, y } = points;
  const order = Uint32Array.from({ length: x.length }, (_, i) => i).sort((a, b) => x[a]! - x[b]! || y[a]! - y[b]!);
  return { ...points, x: Float64Array.from(order, (at) => x[at]!), y: Float64Array.from(order, (at) => y[at]!) };
}

function recordOf(points: Points, { width, values, rSquared }: Smoothed, options: Values): JsonObject {
  const { x, integerX } = points;
  return jsonObject({
    moving_method: String(options.get("moving-method")),
    window_width: columnNumber(width, Number.isInteger(width)),
    x_start: columnNumber(x[0] ?? 0, integerX),
    x_end: columnNumber(x.at(-1) ?? 0, integerX),
    r_square: JsonNumber.float(rSquared),
    bucket_stats: floats(values),
    per_key: String(options.get("per-key")),
    ...locationOf(points),
    model: "moving_average",
  });
}
