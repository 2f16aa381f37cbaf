import { extent } from "../../math/descriptive/index.ts";
import {
  bestOf,
  fitLine,
  fitModel,
  fitModels,
  modelNames,
  polynomialDegree,
  type Fitted,
  type ModelName,
} from "../../math/regression/index.ts";
import { compatOption, type Checker } from "./checker.ts";
import { regressionCheck, type ModelError } from "./models/regression-check.ts";

/** A line is flat if it rises by less than this fraction of the largest difference. */
const flat = 0.05;

/** Reports the difference of the best formulas, and whether it is constant, linear or quadratic. */
export const linearRegression = Object.freeze<Checker>({
  kind: "checker",
  name: "linear-regression",
  aliases: ["lreg"],
  synopsis: "difference of fitted formulas, classified by a line fitted to it",
  options: [compatOption],
  method: "linear_regression",
  types: [...modelNames],
  check: regressionCheck("linear_regression", classifyByLine),
});

function classifyByLine(error: ModelError): string {
  const { x, linear, isPerun } = error;
  const straight = fitLine(x, linear);
  const parabola = fitModel("quadratic", x, linear, isPerun)?.rSquared ?? 0;
  const explained = Number.isNaN(straight.rSquared) ? 0 : straight.rSquared;
  if (parabola > 0.9 && Math.abs(parabola - explained) > 0.01) return "quadratic";
  const kind = isPerun
    ? lineOfPerun(error, straight.coefficients, explained)
    : lineOf(error, straight.coefficients, explained);
  return kind ?? bestShape(x, linear, isPerun) ?? "constant";
}

function lineOf({ x, linear }: ModelError, [, slope = 0]: readonly number[], explained: number): string | null {
  const [first, last] = extent(x);
  const largest = Math.max(...extent(linear).map(Math.abs));
  if (Math.abs(slope) * (last - first) <= flat * largest) return "constant";
  return explained > 0.95 ? "linear" : null;
}

/**
 * Perun compares the slope with a fraction of the difference itself, and the line with the coefficients.
 */
function lineOfPerun(
  { best, models, lines }: ModelError,
  [intercept = 0, slope = 0]: readonly number[],
  explained: number,
): string | null {
  const [from, to] = models;
  const moved = (to.coefficients[0] ?? 0) - (from.coefficients[0] ?? 0);
  const risen = (lines?.[1].coefficients[1] ?? 0) - (lines?.[0].coefficients[1] ?? 0);
  const isSimple = from.name === "linear" || from.name === "constant";
  const isFlat = Math.abs(slope) <= flat * Math.abs(extent(best)[1]) && isAbout(moved, intercept, flat);
  if (isFlat && (!isSimple || Math.abs(moved - intercept) < 1e-12)) return "constant";
  return isAbout(risen, slope, 0.3) && explained > 0.95 ? "linear" : null;
}

/** True within a relative tolerance of `expected`, ignoring signs. */
function isAbout(value: number, expected: number, share: number): boolean {
  return Math.abs((1 - share) * expected) <= Math.abs(value) && Math.abs(value) <= Math.abs((1 + share) * expected);
}

/** Reports the difference of the best formulas, and the formula that describes it. */
export const fastCheck = Object.freeze<Checker>({
  kind: "checker",
  name: "fast-check",
  aliases: ["fast"],
  synopsis: "difference of fitted formulas, and the formula that describes it",
  options: [compatOption],
  method: "fast_check",
  types: [...modelNames, ...modelNames.map((name) => name.toUpperCase())],
  check: regressionCheck("fast_check", classifyByShape),
});

/** Perun writes the name in upper case. */
function classifyByShape({ x, best, isPerun }: ModelError): string {
  const name = bestShape(x, best, isPerun) ?? "constant";
  return isPerun ? name.toUpperCase() : name;
}

const degrees = ["constant", "linear", "quadratic"] as const;

/** Perun's maximum residue, in any unit. */
const perunResidue = 1e8;
/** Maximum residue as a fraction of the squared difference. */
const residue = 0.01;

/** Reports the difference of the best formulas, and the degree of the polynomial that describes it. */
export const polynomialRegression = Object.freeze<Checker>({
  kind: "checker",
  name: "polynomial-regression",
  aliases: ["preg"],
  synopsis: "difference of fitted formulas, and the degree of the polynomial that describes it",
  options: [compatOption],
  method: "polynomial_regression",
  types: [...degrees, "quadratic ", "unknown"],
  check: regressionCheck("polynomial_regression", classifyByDegree),
});

/**
 * Perun uses the linear models, whose difference is linear, so that it never reports a parabola; it writes that with a
 * trailing space.
 */
function classifyByDegree({ x, linear, isPerun }: ModelError): string {
  const allowed = isPerun ? perunResidue : residue * linear.reduce((total, each) => total + each * each, 0);
  const degree = polynomialDegree(x, linear, 3, allowed);
  return isPerun && degree === 2 ? "quadratic " : (degrees[degree] ?? "unknown");
}

/** Preference among formulas with equal fit. */
const order: readonly ModelName[] = ["exponential", "linear", "logarithmic", "power", "quadratic", "constant"];

/** The formula that fits the finite points best; undefined if none does. */
function bestShape(x: Float64Array, y: Float64Array, isPerun: boolean): ModelName | undefined {
  const isKnown = (_: number, at: number): boolean => Number.isFinite(x[at]) && Number.isFinite(y[at]);
  const [xs, ys] = [x.filter(isKnown), y.filter(isKnown)];
  if (isConstant(ys)) return "constant";
  const fitted = fitModels(modelNames, xs, ys, isPerun).filter((each) => each.rSquared > 0);
  const best = bestOf(order.flatMap((name): Fitted[] => fitted.filter((each) => each.model === name)));
  return isPerun ? best?.model : simplest(fitted, (best?.rSquared ?? 0) - minGain);
}

/** Minimum gain of R² over a simpler formula: a parabola always fits at least as well as a line. */
const minGain = 0.005;

const bySimplicity: readonly ModelName[] = ["constant", "linear", "logarithmic", "quadratic", "power", "exponential"];

function simplest(fitted: readonly Fitted[], enough: number): ModelName | undefined {
  return bySimplicity.find((name) => fitted.some((each) => each.model === name && each.rSquared >= enough));
}

/** True when values differ only by rounding. */
function isConstant(values: Float64Array): boolean {
  const first = values[0] ?? 0;
  return values.every((value) => Math.abs(value - first) <= 1e-13 * Math.abs(first));
}
