import { bestOf, fitModels, modelNames, type Fitted, type ModelName } from "../../../math/regression/index.ts";

/** Preference among formulas with equal fit. */
const order: readonly ModelName[] = ["exponential", "linear", "logarithmic", "power", "quadratic", "constant"];

/** The formula that fits the finite points best; undefined if none does. */
export function bestShape(x: Float64Array, y: Float64Array, isPerun: boolean): ModelName | undefined {
  const isKnown = (_: number, at: number): boolean => Number.isFinite(x[at]) && Number.isFinite(y[at]);
  const [xs, ys] = [x.filter(isKnown), y.filter(isKnown)];
  if (isFlat(ys)) return "constant";
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
function isFlat(values: Float64Array): boolean {
  const first = values[0] ?? 0;
  return values.every((value) => Math.abs(value - first) <= 1e-13 * Math.abs(first));
}
