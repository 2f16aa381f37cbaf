import { mean, median } from "../descriptive/index.ts";
import { fitLine } from "./least-squares.ts";
import { studentQuantile } from "../distributions/index.ts";

interface Shape {
  readonly name: string;
  of(n: number): number;
}

/** Growth classes, the slowest first. */
const shapes: readonly Shape[] = [
  { name: "1", of: () => 0 },
  { name: "log n", of: (n) => Math.log(n) },
  { name: "n", of: (n) => n },
  { name: "n log n", of: (n) => n * Math.log(n) },
  { name: "n^2", of: (n) => n ** 2 },
  { name: "n^2 log n", of: (n) => n ** 2 * Math.log(n) },
  { name: "n^3", of: (n) => n ** 3 },
  { name: "2^n", of: (n) => 2 ** n },
];

/** Names of growth classes, the slowest first. */
export const growthClasses: readonly string[] = shapes.map(({ name }) => name);

/** The growth of costs with input size. */
export interface Growth {
  /** One of `growthClasses`. */
  readonly name: string;
  /** k of the best-fitting n^k over these sizes, and its 95 % interval. */
  readonly exponent: number;
  readonly low: number;
  readonly high: number;
  /** Share of the variance of relative deviations that the class explains. */
  readonly rSquared: number;
}

/** Minimum number of sizes and minimum ratio of the largest to the smallest, to distinguish classes. */
const [fewest, widest] = [5, 4];

/** Exponents below this are noise: constant. */
const flat = 0.05;

/** A class with at most this multiple of the least squares is equally good. */
const asGood = 1.25;

/**
 * The growth of costs `y` over sizes `x`, from the medians of each size: fits a + b f(n) with a, b >= 0 for every class
 * by relative deviations. null if there are too few sizes, or values that are not positive.
 */
export function growthOf(x: Float64Array, y: Float64Array): Growth | null {
  const bySize = new Map<number, number[]>();
  for (const [at, size] of x.entries()) bySize.set(size, [...(bySize.get(size) ?? []), y[at] as number]);
  const sizes = Float64Array.from(bySize.keys()).sort();
  const costs = sizes.map((size) => median(Float64Array.from(bySize.get(size) ?? [])));
  const isUsable = [...sizes, ...costs].every((value) => value > 0 && value < Infinity);
  if (!isUsable || sizes.length < fewest || (sizes.at(-1) as number) < widest * (sizes[0] as number)) return null;
  const power = exponentOf(sizes.map(Math.log), costs.map(Math.log));
  const errors = shapes.map((shape) => unexplained(sizes.map(shape.of), costs));
  const name = Math.abs(power.exponent) < flat ? "1" : simplest(errors);
  const least = errors[growthClasses.indexOf(name)] as number;
  const all = unexplained(new Float64Array(sizes.length), costs);
  return { name, ...power, rSquared: all > 0 ? Math.max(0, 1 - least / all) : 0 };
}

function exponentOf(x: Float64Array, y: Float64Array): Pick<Growth, "exponent" | "low" | "high"> {
  const { coefficients } = fitLine(x, y);
  const [b0 = 0, exponent = 0] = coefficients;
  const middle = mean(x);
  const width = x.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  const rest = x.reduce((sum, value, at) => sum + ((y[at] as number) - b0 - exponent * value) ** 2, 0);
  const half = studentQuantile(0.975, x.length - 2) * Math.sqrt(rest / (x.length - 2) / width);
  return { exponent, low: exponent - half, high: exponent + half };
}

function simplest(errors: readonly number[]): string {
  const best = Math.min(...errors);
  return growthClasses[errors.findIndex((error) => error <= asGood * best)] ?? "1";
}

/** Sum of squared relative residuals of a + b f with a, b >= 0; Infinity if it cannot be computed. */
function unexplained(f: Float64Array, y: Float64Array): number {
  let [ww, wf, ff, wy, fy] = [0, 0, 0, 0, 0];
  for (const [at, cost] of y.entries()) {
    const [one, own] = [1 / cost, (f[at] as number) / cost];
    [ww, wf, ff, wy, fy] = [ww + one * one, wf + one * own, ff + own * own, wy + one, fy + own];
  }
  const determinant = ww * ff - wf * wf;
  let a = determinant > 1e-12 * ww * ff ? (wy * ff - fy * wf) / determinant : wy / ww;
  let b = determinant > 1e-12 * ww * ff ? (ww * fy - wf * wy) / determinant : 0;
  if (b < 0) [a, b] = [wy / ww, 0];
  else if (a < 0) [a, b] = [0, fy / ff];
  const error = y.reduce((sum, cost, at) => sum + ((a + b * (f[at] as number)) / cost - 1) ** 2, 0);
  return Number.isNaN(error) ? Infinity : error;
}
