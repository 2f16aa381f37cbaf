import { extent } from "../../math/descriptive/index.ts";
import { fitLine, fitModel, modelNames } from "../../math/regression/index.ts";
import { compatOption, type Checker } from "./checker.ts";
import { bestShape } from "./models/fitted-shape.ts";
import { regressionCheck, type ModelError } from "./models/regression-check.ts";

const method = "linear_regression";
/** A line is flat if it rises by less than this fraction of the largest difference. */
const flat = 0.05;

/** Reports the difference of the best formulas, and whether it is constant, linear or quadratic. */
export const linearRegression = Object.freeze<Checker>({
  kind: "checker",
  name: "linear-regression",
  aliases: ["lreg"],
  synopsis: "difference of fitted formulas, classified by a line fitted to it",
  options: [compatOption],
  method,
  types: [...modelNames],
  check: regressionCheck(method, classify),
});

function classify(error: ModelError): string {
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
