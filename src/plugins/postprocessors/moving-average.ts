import { Failure } from "../../core/failures/failure.ts";
import { JsonNumber, jsonObject, type JsonObject } from "../../core/values/json.ts";
import { locationOf, type Points } from "../../core/profiles/location-points.ts";
import type { Run } from "../../core/profiles/run.ts";
import type { Values } from "../../core/values/value.ts";
import { determination } from "../../math/regression/r-squared.ts";
import { exponentialMean, movingMean, movingMedian, weightedMovingMean, windows } from "../../math/smoothing/moving-window.ts";
import { completed, numberWithin, option } from "../plugin.ts";
import { afterStep, compatOption, floats, keyOptions, keySpellings, maybeNumberWithin, pointsFor, spelled, type Postprocessor } from "./postprocessor.ts";

/** How fast old values are forgotten, and what is a sensible number for it. */
const decays: Readonly<
  Record<string, { readonly least: number; readonly most: number; alpha(value: number): number }>
> = {
  com: { least: 0, most: 1e9, alpha: (value) => 1 / (1 + value) },
  span: { least: 1, most: 1e9, alpha: (value) => 2 / (value + 1) },
  halflife: { least: 1e-9, most: 1e9, alpha: (value) => 1 - Math.exp(-Math.LN2 / value) },
  alpha: { least: 1e-9, most: 1, alpha: (value) => value },
};

/** Smooths the points of each location along x by the points around. */
export const movingAverage = Object.freeze<Postprocessor>({
  kind: "postprocessor",
  name: "moving-average",
  aliases: ["moving_average"],
  recorded: "moving_average",
  synopsis: "points smoothed by those around them",
  options: [
    option("moving-method", "string", "sma", "sma: mean, smm: median, ema: exponentially weighted mean", [
      "sma",
      "smm",
      "ema",
    ]),
    option("min-periods", "integer", null, "fewest points for a value (default: window-width; of ema 1)"),
    option("window-width", "float", null, "points in a window (default: searched); the number of the decay for ema"),
    option("center", "boolean", true, "the point is in the middle of its window, not at its end"),
    option(
      "window-type",
      "string",
      null,
      "weights of the points in a window (default: all the same)",
      Object.keys(windows),
    ),
    option("decay", "string", "com", "how window-width says how fast old points are forgotten", Object.keys(decays)),
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
  const options = completed(movingAverage, given);
  const smooth = smootherOf(options);
  let known: number | null = null;
  const models = pointsFor(run, options).map((points) => {
    const sorted = byPlace(points);
    const smoothed = smooth(sorted, known);
    if (options.get("compat") === "perun") known = smoothed.width;
    return recordOf(sorted, smoothed, options);
  });
  return afterStep(movingAverage, run, options, models);
}

interface Smoothed {
  readonly width: number;
  readonly values: Float64Array;
  readonly rSquared: number;
}

/** `known`: the width that was found for the location before; Perun takes it for all that follow. */
function smootherOf(options: Values): (points: Points, known: number | null) => Smoothed {
  if (options.get("moving-method") === "ema") return exponential(options);
  const least = maybeNumberWithin(movingAverage, options, "min-periods", 0);
  const wanted = maybeNumberWithin(movingAverage, options, "window-width", 1, 1e6);
  if (wanted !== null && !Number.isInteger(wanted))
    throw refused("window-width", String(wanted), "a whole number of points", "5");
  if (wanted !== null && least !== null && least > wanted)
    throw refused("min-periods", String(least), "at most window-width", String(wanted));
  return ({ x, y }, known) => {
    const within = (width: number): Smoothed => rated(y, width, averaged(y, width, least, options), options);
    const fixed = wanted ?? known;
    return fixed === null ? searched(x, within) : within(fixed);
  };
}

function averaged(y: Float64Array, width: number, least: number | null, options: Values): Float64Array {
  const window = { width, center: options.get("center") === true, least: least ?? width };
  const type = options.get("window-type");
  if (options.get("moving-method") === "smm") return movingMedian(y, window);
  return typeof type === "string"
    ? weightedMovingMean(y, windows[type]?.(width) ?? new Float64Array(width), window)
    : movingMean(y, window);
}

/** Perun takes a missing value for 0 when it says how good the fit is. */
function rated(y: Float64Array, width: number, values: Float64Array, options: Values): Smoothed {
  const judged = options.get("compat") === "perun" ? values.map((value) => (Number.isNaN(value) ? 0 : value)) : values;
  return { width, values, rSquared: determination(y, judged) };
}

/** What Perun counts as a good fit, and where its search for a width begins: at a share of the range of x. */
const goodFit = 0.88;
const firstShare = 0.05;

/** Narrows the window until it follows the points well. */
function searched(x: Float64Array, within: (width: number) => Smoothed): Smoothed {
  const range = (x.at(-1) ?? 0) - (x[0] ?? 0);
  let found = within(Math.min(1e6, Math.max(1, Math.trunc(firstShare * range))));
  while (!(found.rSquared >= goodFit)) {
    const { width } = found;
    const rSquared = Number.isNaN(found.rSquared) ? 0 : found.rSquared;
    const narrower = Math.max(
      1,
      width - Math.max(1, Math.trunc(Math.min(0.9 * width - 1, 0.15 * (width - 1) * (goodFit - rSquared)))),
    );
    if (narrower === width) break;
    found = within(narrower);
  }
  return found;
}

function exponential(options: Values): (points: Points) => Smoothed {
  const decay = String(options.get("decay"));
  const { least, most, alpha } = decays[decay]!;
  const nothing = decay === "com" ? 0 : null;
  const given = new Map([...options, ["window-width", options.get("window-width") ?? nothing]]);
  const value = numberWithin(movingAverage, given, "window-width", least, most);
  const otherwise = options.get("compat") === "perun" ? value : 1;
  const periods = maybeNumberWithin(movingAverage, options, "min-periods", 0) ?? otherwise;
  return ({ y }) => rated(y, value, exponentialMean(y, alpha(value), periods), options);
}

function refused(name: string, value: string, expected: string, example: string): Failure {
  return new Failure("bad-collector-option", { plugin: movingAverage.name, option: name, value, expected, example });
}

/** The points along x, those of one place along y. */
function byPlace(points: Points): Points {
  const { x, y } = points;
  const order = Uint32Array.from({ length: x.length }, (_, i) => i).sort((a, b) => x[a]! - x[b]! || y[a]! - y[b]!);
  return { ...points, x: Float64Array.from(order, (at) => x[at]!), y: Float64Array.from(order, (at) => y[at]!) };
}

function recordOf(points: Points, { width, values, rSquared }: Smoothed, options: Values): JsonObject {
  const { x, integerX } = points;
  return jsonObject({
    moving_method: String(options.get("moving-method")),
    window_width: spelled(width, Number.isInteger(width)),
    x_start: spelled(x[0] ?? 0, integerX),
    x_end: spelled(x.at(-1) ?? 0, integerX),
    r_square: JsonNumber.float(rSquared),
    bucket_stats: floats(values),
    per_key: String(options.get("per-key")),
    ...locationOf(points),
    model: "moving_average",
  });
}
