import { Failure } from "../../core/failures/index.ts";
import { locationName, pointsByParameters, type ParameterPoints, type Run } from "../../core/profiles/index.ts";
import { JsonNumber, jsonObject, type JsonObject, type Values } from "../../core/values/index.ts";
import {
  fitNormalForm,
  mostParameters,
  termText,
  type NoModel,
  type NormalForm,
  type NormalFormModel,
} from "../../math/regression/index.ts";
import type { PluginInfo } from "../plugin.ts";

/** The model's name among those of `regression-models`. */
export const normalFormName = "normal-form";

/** The columns of `per-key`, separated by commas, unless the profile has a column of that name. */
export function severalColumns(run: Run, options: Values): readonly string[] {
  const text = String(options.get("per-key"));
  if (options.get("compat") === "perun" || run.data.variables.some(({ name }) => name === text)) return [text];
  return text.split(",").map((name) => name.trim());
}

/** `n=4096,p=64,n=8192,p=64`: a name that is repeated begins the next point. Fails with `bad-collector-option`. */
export function predictedPoints(plugin: PluginInfo, options: Values, columns: readonly string[]): readonly number[][] {
  const value = options.get("predict");
  if (typeof value !== "string" || value.trim() === "") return [];
  const example = columns.map((name) => `${name}=64`).join(",");
  const expected = `a positive number for each of ${columns.join(", ")}`;
  const refuse = (): never => {
    throw new Failure("bad-collector-option", { plugin: plugin.name, option: "predict", value, expected, example });
  };
  const points: Map<string, number>[] = [];
  for (const part of value.split(",")) {
    const at = part.lastIndexOf("=");
    const [name, number] = [part.slice(0, at).trim(), Number(part.slice(at + 1).trim() || Number.NaN)];
    if (!columns.includes(name) || !(number > 0 && number < Infinity)) refuse();
    if (points.length === 0 || points.at(-1)!.has(name)) points.push(new Map());
    points.at(-1)!.set(name, number);
  }
  return points.map((point) => columns.map((name) => point.get(name) ?? refuse()));
}

/** The performance model normal form of each location; `notice` receives why a location has none. */
export function normalFormRecords(
  run: Run,
  options: Values,
  columns: readonly string[],
  predict: readonly (readonly number[])[],
  notice: (text: string) => void,
): JsonObject[] {
  refuseOthers(options, columns);
  const of = String(options.get("of-key"));
  return pointsByParameters(run.data, columns, of).flatMap((points) => {
    const model = fitNormalForm(points.x, points.y);
    if ("reason" in model) {
      notice(`${locationName(points)}: ${reasonText(model, columns)}`);
      return [];
    }
    if (model.terms.length === 0)
      notice(`${locationName(points)}: no model of ${columns.join(", ")} is better than a constant`);
    return [recordOf(model, points, columns, of, predict)];
  });
}

function refuseOthers(options: Values, columns: readonly string[]): void {
  const refuse = (option: string, expected: string, example: string): never => {
    const value = String(options.get(option));
    throw new Failure("bad-collector-option", { plugin: "regression-analysis", option, value, expected, example });
  };
  if (columns.length > mostParameters || new Set(columns).size < columns.length || columns.includes(""))
    refuse("per-key", `a list of up to ${mostParameters} different columns`, "n,p");
  if (options.get("method") !== "full") refuse("method", "full, the only method for several columns", "full");
  if (columns.length > 1 && !["all", normalFormName].includes(String(options.get("regression-models"))))
    refuse("regression-models", `${normalFormName}, the only model of several columns`, normalFormName);
}

function reasonText(problem: NoModel, columns: readonly string[]): string {
  switch (problem.reason) {
    case "too-few-values": {
      const name = columns[problem.parameter]!;
      return `${name} has ${problem.values} different values; a model needs ${problem.needed}`;
    }
    case "not-positive":
      return `${columns[problem.parameter]!} has values that are not positive`;
    case "no-series": {
      const others = columns.filter((_, at) => at !== problem.parameter).join(", ");
      return `no ${problem.needed} values of ${columns[problem.parameter]!} were measured with the same ${others}`;
    }
    case "no-fit":
      return "too few points, or values out of range";
  }
}

const float = (value: number): JsonNumber => JsonNumber.float(value);

function recordOf(
  model: NormalFormModel,
  points: ParameterPoints,
  columns: readonly string[],
  of: string,
  predict: readonly (readonly number[])[],
): JsonObject {
  const ranges = points.x.map((values) => [values.reduce(least), values.reduce(greatest)] as const);
  const parameters = columns.map((name, at) =>
    jsonObject({ name, start: float(ranges[at]![0]), end: float(ranges[at]![1]) }),
  );
  return jsonObject({
    model: "normal_form",
    r_square: float(model.rSquared),
    x_start: float(ranges[0]![0]),
    x_end: float(ranges[0]![1]),
    uid: points.uid,
    ...(points.subtype === undefined ? {} : { subtype: points.subtype }),
    per_key: columns.join(","),
    of_key: of,
    formula: formulaText(model, columns),
    smape: float(model.smape),
    rss: float(model.rss),
    points: JsonNumber.integer(model.points),
    parameters,
    terms: termRecords(model, columns),
    alternatives: model.alternatives.map((each) =>
      jsonObject({ formula: formulaText(each, columns), smape: float(each.smape) }),
    ),
    predictions: predict.map((at) => predictionRecord(model, at, columns)),
  });
}

const least = (a: number, b: number): number => Math.min(a, b);
const greatest = (a: number, b: number): number => Math.max(a, b);

function termRecords({ terms, coefficients }: NormalForm, columns: readonly string[]): JsonObject[] {
  return coefficients.map(({ value, low, high }, at) =>
    jsonObject({
      term: at === 0 ? "1" : termText(terms[at - 1]!, columns),
      value: float(value),
      low: float(low),
      high: float(high),
      factors: (terms[at - 1] ?? []).map(({ parameter, numerator, denominator, logarithm }) =>
        jsonObject({
          name: columns[parameter]!,
          exponent: float(numerator / denominator),
          logarithm: JsonNumber.integer(logarithm),
        }),
      ),
    }),
  );
}

function predictionRecord(model: NormalFormModel, at: readonly number[], columns: readonly string[]): JsonObject {
  const { value, low, high, lowest, highest, isExtrapolated } = model.predict(at);
  return jsonObject({
    at: jsonObject(Object.fromEntries(columns.map((name, each) => [name, float(at[each]!)]))),
    value: float(value),
    low: float(low),
    high: float(high),
    measurement_low: float(lowest),
    measurement_high: float(highest),
    extrapolated: isExtrapolated,
  });
}

function formulaText({ terms, coefficients }: NormalForm, columns: readonly string[]): string {
  const [constant, ...others] = coefficients.map(({ value }) => value);
  return others.reduce(
    (text, value, at) => {
      const sign = value < 0 ? "-" : "+";
      return `${text} ${sign} ${rounded(Math.abs(value))} * ${termText(terms[at]!, columns)}`;
    },
    rounded(constant ?? 0),
  );
}

function rounded(value: number): string {
  return String(Number(value.toPrecision(4)));
}
