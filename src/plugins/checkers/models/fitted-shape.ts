import {
  bestOf,
  fitModels,
  modelNames,
  type Fitted,
  type ModelName,
} from "../../../math/regression/regression-models.ts";

/** Of formulas that fit equally well the first is taken. */
const order: readonly ModelName[] = ["exponential", "linear", "logarithmic", "power", "quadratic", "constant"];

/** The formula that describes the numbers among y best; undefined where none does. */
export function bestShape(x: Float64Array, y: Float64Array, isPerun: boolean): ModelName | undefined {
  const isKnown = (_: number, at: number): boolean => Number.isFinite(x[at]) && Number.isFinite(y[at]);
  const [xs, ys] = [x.filter(isKnown), y.filter(isKnown)];
  if (isFlat(ys)) return "constant";
  const fitted = fitModels(modelNames, xs, ys, isPerun).filter((each) => each.rSquared > 0);
  const best = bestOf(order.flatMap((name): Fitted[] => fitted.filter((each) => each.model === name)));
  return isPerun ? best?.model : simplest(fitted, (best?.rSquared ?? 0) - noBetter);
}

/** R² that a formula must explain beyond a simpler one: a parabola is never behind the line that it contains. */
const noBetter = 0.005;

const bySimplicity: readonly ModelName[] = ["constant", "linear", "logarithmic", "quadratic", "power", "exponential"];

function simplest(fitted: readonly Fitted[], enough: number): ModelName | undefined {
  return bySimplicity.find((name) => fitted.some((each) => each.model === name && each.rSquared >= enough));
}

/** Differs by no more than rounding. */
function isFlat(values: Float64Array): boolean {
  const first = values[0] ?? 0;
  return values.every((value) => Math.abs(value - first) <= 1e-13 * Math.abs(first));
}
