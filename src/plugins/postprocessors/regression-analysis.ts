import { Failure } from "../../core/failures/failure.ts";
import { JsonNumber, jsonObject, type JsonObject } from "../../core/values/json.ts";
import { locationName, locationOf, type Points } from "../../core/profiles/location-points.ts";
import type { Run } from "../../core/profiles/run.ts";
import type { Values } from "../../core/values/value.ts";
import { seededRandom } from "../../math/sampling/seeded-random.ts";
import { completed, numberWithin, option } from "../plugin.ts";
import {
  afterStep,
  compatOption,
  keyOptions,
  keySpellings,
  pointsFor,
  spelled,
  type Postprocessor,
} from "./postprocessor.ts";
import { methods } from "./regression-methods.ts";
import { modelNames, type Fitted, type ModelName } from "../../math/regression/regression-models.ts";

const methodNames = Object.keys(methods);

/** Fits formulas to the points of each location: how an amount grows with the size of its input. */
export const regressionAnalysis = Object.freeze<Postprocessor>({
  kind: "postprocessor",
  name: "regression-analysis",
  aliases: ["regression_analysis"],
  recorded: "regression_analysis",
  synopsis: "formulas (linear, power, …) fitted to points by least squares",
  options: [
    option(
      "method",
      "string",
      "full",
      "full: on all points; the others find the best model, or one for each interval",
      methodNames,
    ),
    option("regression-models", "string", "all", `models to fit: all, ${modelNames.join(", ")}`),
    option("steps", "integer", 3, "parts of the points for interval, iterative and initial_guess"),
    option("seed", "integer", 0, "begins the random order of iterative and initial_guess"),
    ...keyOptions,
    compatOption,
  ],
  spellings: {
    "-m": ["method"],
    "-r": ["regression-models"],
    "--regression-model": ["regression-models"],
    "-s": ["steps"],
    ...keySpellings,
    "-dp": ["per-key"],
    "--depending-on": ["per-key"],
    "-o": ["of-key"],
    "--of": ["of-key"],
  },
  repeated: ["regression-models"],
  apply,
});

function apply(run: Run, given: Values, notice: (text: string) => void = () => {}): Run {
  const options = completed(regressionAnalysis, given);
  const method = String(options.get("method"));
  const plan = {
    models: wantedModels(String(options.get("regression-models"))),
    steps: numberWithin(regressionAnalysis, options, "steps", 1, 1e6),
    isPerun: options.get("compat") === "perun",
    random: seededRandom(Number(options.get("seed"))),
  };
  const records = pointsFor(run, options).flatMap((points) => {
    const fitted = points.x.length < 3 ? [] : (methods[method]?.({ ...plan, ...points }) ?? []);
    if (fitted.length === 0)
      notice(`${locationName(points)}: its ${points.x.length} points are too few, or no model fits them`);
    return fitted.map((one) => ({ constant: one.model === "constant", record: recordOf(one, method, points) }));
  });
  const constantsLast = records.toSorted((a, b) => Number(a.constant) - Number(b.constant));
  return afterStep(
    regressionAnalysis,
    run,
    options,
    constantsLast.map(({ record }) => record),
  );
}

function wantedModels(text: string): readonly ModelName[] {
  const words = text.split(",").map((word) => word.trim());
  const stray = words.find((word) => word !== "all" && !modelNames.some((name) => name === word));
  if (stray !== undefined)
    throw new Failure("unknown-choice", { kind: "model", value: stray, choices: ["all", ...modelNames] });
  return words.includes("all") ? modelNames : modelNames.filter((name) => words.includes(name));
}

function recordOf({ model, rSquared, start, end, coefficients }: Fitted, method: string, points: Points): JsonObject {
  return jsonObject({
    model,
    r_square: JsonNumber.float(rSquared),
    x_start: spelled(start, points.integerX),
    x_end: spelled(end, points.integerX),
    method,
    ...locationOf(points),
    coeffs: coefficients.map((value, at) => jsonObject({ name: `b${at}`, value: JsonNumber.float(value) })),
  });
}
