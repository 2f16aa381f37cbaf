import { Failure } from "../../core/failures/index.ts";
import { locationName, locationOf, type Points, type Run } from "../../core/profiles/index.ts";
import { JsonNumber, jsonObject, type JsonObject, type Values } from "../../core/values/index.ts";
import { modelNames, type Fitted, type ModelName, bestOf, fitModel, fitModels } from "../../math/regression/index.ts";
import { seededRandom, shuffledOrder } from "../../math/sampling/index.ts";
import { withDefaults, numberWithin, option } from "../plugin.ts";
import {
  afterStep,
  compatOption,
  keyOptions,
  keySpellings,
  pointsFor,
  columnNumber,
  type Postprocessor,
} from "./postprocessor.ts";
import {
  normalFormName,
  normalFormRecords,
  predictedPoints,
  severalColumns,
} from "./regression-analysis-normal-form.ts";

/** The points of one location and the fitting options. */
interface Task {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly models: readonly ModelName[];
  /** Number of parts for `interval`, `iterative` and `initial_guess`. */
  readonly steps: number;
  readonly isPerun: boolean;
  readonly random: () => number;
}

/**
 * Fitting methods by Perun's names. They return an empty list when there are too few points for the steps.
 */
const methods: Readonly<Record<string, (task: Task) => Fitted[]>> = {
  full: ({ x, y, models, isPerun }) => fitModels(models, x, y, isPerun),
  interval: (task) => parts(byX(task), task.steps).flatMap((part) => best(part) ?? []),
  bisection: (task) => {
    const sorted = byX(task);
    const fitted = best(sorted);
    return fitted ? bisected(sorted, fitted) : [];
  },
  initial_guess: (task) => {
    const [first] = parts(shuffled(task), task.steps);
    const guess = first && best(first);
    return guess ? fitModels([guess.model], task.x, task.y, task.isPerun) : [];
  },
  iterative,
};

function best({ x, y, models, isPerun }: Task): Fitted | undefined {
  return bestOf(fitModels(isPerun ? withoutConstant(models) : models, x, y, isPerun));
}

/** Perun uses constants with method full only. */
function withoutConstant(models: readonly ModelName[]): readonly ModelName[] {
  const others = models.filter((model) => model !== "constant");
  return others.length > 0 ? others : models;
}

/** Adds one part of the points to the leading model until a model has used all parts. */
function iterative(task: Task): Fitted[] {
  const mixed = shuffled(task);
  const ends = parts(mixed, task.steps).reduce<number[]>(
    (all, part) => [...all, (all.at(-1) ?? 0) + part.x.length],
    [],
  );
  const seen = new Map<ModelName, number>();
  const fits = new Map<ModelName, Fitted>();
  const advance = (model: ModelName): void => {
    const step = (seen.get(model) ?? 0) + 1;
    const fitted = fitModel(
      model,
      mixed.x.subarray(0, ends[step - 1]),
      mixed.y.subarray(0, ends[step - 1]),
      task.isPerun,
    );
    seen.set(model, step);
    if (fitted) fits.set(model, fitted);
    else fits.delete(model);
  };
  if (ends.length > 0) for (const model of task.isPerun ? withoutConstant(task.models) : task.models) advance(model);
  for (;;) {
    const leading = bestOf([...fits.values()]);
    if (leading === undefined || seen.get(leading.model) === ends.length) return leading ? [leading] : [];
    advance(leading.model);
  }
}

/** Splits recursively while another model fits a half best; keeps the complete fit if both halves agree with it. */
function bisected(task: Task, complete: Fitted): Fitted[] {
  const halves = parts(task, 2).flatMap((part) => {
    const fitted = best(part);
    return fitted ? [{ part, fitted }] : [];
  });
  if (halves.length < 2 || halves.every(({ fitted }) => fitted.model === complete.model)) return [complete];
  return halves.flatMap(({ part, fitted }) => (fitted.model === complete.model ? [fitted] : bisected(part, fitted)));
}

/** Nearly equal parts, the longer ones first; empty if a part would have fewer than three points. */
function parts(task: Task, count: number): Task[] {
  const { length } = task.x;
  if (Math.floor(length / count) < 3) return [];
  const [minLength, longer] = [Math.floor(length / count), length % count];
  const start = (part: number): number => part * minLength + Math.min(part, longer);
  return Array.from({ length: count }, (_, part) => ({
    ...task,
    x: task.x.subarray(start(part), start(part + 1)),
    y: task.y.subarray(start(part), start(part + 1)),
  }));
}

function byX(task: Task): Task {
  return inOrder(
    task,
    Uint32Array.from({ length: task.x.length }, (_, i) => i).sort((a, b) => task.x[a]! - task.x[b]! || a - b),
  );
}

function shuffled(task: Task): Task {
  return inOrder(task, shuffledOrder(task.x.length, task.random));
}

function inOrder(task: Task, order: Uint32Array): Task {
  return {
    ...task,
    x: Float64Array.from(order, (at) => task.x[at]!),
    y: Float64Array.from(order, (at) => task.y[at]!),
  };
}

const methodNames = Object.keys(methods);

/** Fits formulas to the points of each location, such as time by input size. */
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
      "full: fit all models to all points; other methods select the best model, or one per interval",
      methodNames,
    ),
    option(
      "regression-models",
      "string",
      "all",
      `models to fit: all, ${modelNames.join(", ")}; or ${normalFormName} alone`,
    ),
    option("steps", "integer", 3, "number of parts for interval, iterative and initial_guess"),
    option("seed", "integer", 0, "random seed for iterative and initial_guess"),
    option("predict", "text", null, "evaluate the normal form at this point: n=4096,p=64"),
    ...keyOptions,
    compatOption,
  ],
  spellings: {
    "-m": ["method"],
    "-r": ["regression-models"],
    "--regression-model": ["regression-models"],
    "--regression_models": ["regression-models"],
    "-s": ["steps"],
    ...keySpellings,
    "--per": ["per-key"],
    "-dp": ["per-key"],
    "--depending-on": ["per-key"],
    "-o": ["of-key"],
    "--of": ["of-key"],
  },
  repeated: ["regression-models", "predict"],
  apply,
});

function apply(run: Run, given: Values, notice: (text: string) => void = () => {}): Run {
  const options = withDefaults(regressionAnalysis, given);
  const method = String(options.get("method"));
  const columns = severalColumns(run, options);
  const predict = predictedPoints(regressionAnalysis, options, columns);
  if (columns.length > 1 || predict.length > 0 || options.get("regression-models") === normalFormName)
    return afterStep(regressionAnalysis, run, options, normalFormRecords(run, options, columns, predict, notice));
  const plan = {
    models: selectedModels(String(options.get("regression-models"))),
    steps: numberWithin(regressionAnalysis, options, "steps", 1, 1e6),
    isPerun: options.get("compat") === "perun",
    random: seededRandom(Number(options.get("seed"))),
  };
  const records = pointsFor(run, options).flatMap((points) => {
    const fitted = points.x.length < 3 ? [] : (methods[method]?.({ ...plan, ...points }) ?? []);
    if (fitted.length === 0) notice(`${locationName(points)}: too few points (${points.x.length}), or no model fits`);
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

function selectedModels(text: string): readonly ModelName[] {
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => name !== "all" && !modelNames.some((known) => known === name));
  if (unknown !== undefined)
    throw new Failure("unknown-choice", {
      kind: "model",
      value: unknown,
      choices: ["all", ...modelNames, normalFormName],
    });
  return names.includes("all") ? modelNames : modelNames.filter((name) => names.includes(name));
}

function recordOf({ model, rSquared, start, end, coefficients }: Fitted, method: string, points: Points): JsonObject {
  return jsonObject({
    model,
    r_square: JsonNumber.float(rSquared),
    x_start: columnNumber(start, points.integerX),
    x_end: columnNumber(end, points.integerX),
    method,
    ...locationOf(points),
    coeffs: coefficients.map((value, at) => jsonObject({ name: `b${at}`, value: JsonNumber.float(value) })),
  });
}
