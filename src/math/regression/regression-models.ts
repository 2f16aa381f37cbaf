import { extent } from "../descriptive/index.ts";
import { fitLine, fitParabola, type PolynomialFit } from "./least-squares.ts";

/** Model names in display order. `constant` is derived from the line. */
export const modelNames = ["constant", "exponential", "linear", "logarithmic", "power", "quadratic"] as const;

export type ModelName = (typeof modelNames)[number];

/** A model of one location on one interval. */
export interface Fitted {
  readonly model: ModelName;
  /** In the space of the fit, which is logarithmic for some models. */
  readonly rSquared: number;
  readonly start: number;
  readonly end: number;
  /** b0, b1, … of the formula, transformed back from logarithms. */
  readonly coefficients: readonly number[];
}

interface Shape {
  x(value: number): number;
  y(value: number): number;
  back(coefficients: readonly number[]): readonly number[];
}

const itself = (value: number): number => value;

/** Transformations of each model to a line. The bases are Perun's; they do not affect the coefficients. */
const shapes: Readonly<Record<Exclude<ModelName, "constant" | "quadratic">, Shape>> = {
  linear: { x: itself, y: itself, back: (b) => b },
  logarithmic: { x: Math.log, y: itself, back: (b) => b },
  power: { x: Math.log10, y: Math.log10, back: ([b0 = 0, b1 = 0]) => [10 ** b0, b1] },
  exponential: { x: itself, y: Math.log10, back: (b) => b.map((each) => 10 ** each) },
};

/**
 * Fits the model by least squares; null for fewer than three usable points (logarithms need positive values, a parabola
 * three distinct x). Perun accepts two points, which every line fits.
 */
export function fitModel(model: ModelName, x: Float64Array, y: Float64Array, isPerun: boolean): Fitted | null {
  if (model === "constant") return constant(x, y, isPerun);
  const straight = model === "quadratic" ? { x, y } : straightened(shapes[model], x, y);
  if (straight.x.length < (isPerun ? 2 : 3)) return null;
  const fit = model === "quadratic" ? fitParabola(x, y) : fitLine(straight.x, straight.y);
  if (fit === null || !fit.coefficients.every(Number.isFinite)) return null;
  const coefficients = model === "quadratic" ? fit.coefficients : shapes[model].back(fit.coefficients);
  return { model, rSquared: explained(fit, model, isPerun), ...interval(x), coefficients };
}

/** 0 if y is constant; Perun reports a perfect parabola. */
function explained({ rSquared }: PolynomialFit, model: ModelName, isPerun: boolean): number {
  if (!Number.isNaN(rSquared)) return rSquared;
  return isPerun && model === "quadratic" ? 1 : 0;
}

/**
 * The mean. Since R² of a constant is 0 by definition, `rSquared` is the share that a line leaves unexplained: near 1
 * for flat data, near 0 if a line fits. Perun uses the angle of the line, which depends on units, and accepts a
 * constant for a steep line.
 */
function constant(x: Float64Array, y: Float64Array, isPerun: boolean): Fitted | null {
  const line = fitModel("linear", x, y, isPerun);
  if (line === null) return null;
  const [b0 = 0, b1 = 0] = line.coefficients;
  const middle = x.reduce((total, value) => total + value / x.length, 0);
  const rSquared = isPerun ? flatness(b1, line) : 1 - line.rSquared;
  return {
    ...line,
    model: "constant",
    rSquared: Math.min(1, Math.max(0, rSquared)),
    coefficients: [b0 + b1 * middle, 0],
  };
}

/** Perun's measure: the angle is in radians but compared as degrees. */
function flatness(slope: number, { start, end, rSquared }: Fitted): number {
  const steepness = Math.atan2(Math.abs(slope * end), Math.abs(end - start)) / 90;
  return steepness > 0.01 ? rSquared * (1 - steepness) : 1 - rSquared;
}

function straightened(shape: Shape, x: Float64Array, y: Float64Array): { x: Float64Array; y: Float64Array } {
  const [xs, ys] = [x.map(shape.x), y.map(shape.y)];
  const isUsable = (_: number, at: number): boolean => Number.isFinite(xs[at]) && Number.isFinite(ys[at]);
  return { x: xs.filter(isUsable), y: ys.filter(isUsable) };
}

function interval(x: Float64Array): { start: number; end: number } {
  const [start, end] = extent(x);
  return { start, end };
}

/** The models that could be fitted, in the given order. */
export function fitModels(models: readonly ModelName[], x: Float64Array, y: Float64Array, isPerun: boolean): Fitted[] {
  return models.map((model) => fitModel(model, x, y, isPerun)).filter((fitted) => fitted !== null);
}

/** The model with the highest R²; ties: the first, constants last. */
export function bestOf(fitted: readonly Fitted[]): Fitted | undefined {
  const constantsLast = fitted.toSorted((a, b) => Number(a.model === "constant") - Number(b.model === "constant"));
  return constantsLast.reduce<Fitted | undefined>(
    (best, one) => (best === undefined || one.rSquared > best.rSquared ? one : best),
    undefined,
  );
}
