import type { ModelName } from "./regression-models.ts";

/** A fitted formula, by name and coefficients b0, b1, b2. */
export interface Formula {
  readonly name: ModelName;
  readonly coefficients: readonly number[];
}

/** Smallest |x|, so that logarithms and negative powers are defined. */
const leastX = 1e-6;

/** Equal steps from `start` to `end`, both included. */
export function steps(start: number, end: number, count: number): Float64Array {
  if (count === 1) return Float64Array.of(start);
  return Float64Array.from({ length: count }, (_, i) =>
    i === count - 1 ? end : start + (i * (end - start)) / (count - 1),
  );
}

/** Like `steps`, with values close to 0 replaced by the smallest usable one. */
export function nonzeroSteps(start: number, end: number, count: number): Float64Array {
  return steps(start, end, count).map((x) => (Math.abs(x) < leastX ? leastX : x));
}

/** The formula at x. `isPerun`: like Perun's checks, evaluates a power model at the logarithm of x. */
export function evaluate(
  { name, coefficients: [b0 = 0, b1 = 0, b2 = 0] }: Formula,
  x: number,
  isPerun: boolean,
): number {
  switch (name) {
    case "constant":
      return b0;
    case "linear":
      return b0 + b1 * x;
    case "logarithmic":
      return b0 + b1 * Math.log(x);
    case "quadratic":
      return b0 + b1 * x + b2 * x * x;
    case "power":
      return b0 * (isPerun ? Math.log10(x) : x) ** b1;
    case "exponential":
      return b0 * b1 ** x;
  }
}

/** The integral over an interval. `isPerun`: like Perun, integrates a logarithmic formula as a line. */
export function integrate(formula: Formula, start: number, end: number, isPerun: boolean): number {
  const shape: Formula = isPerun && formula.name === "logarithmic" ? { ...formula, name: "linear" } : formula;
  return antiderivative(shape, end) - antiderivative(shape, start);
}

function antiderivative({ name, coefficients: [b0 = 0, b1 = 0, b2 = 0] }: Formula, x: number): number {
  switch (name) {
    case "constant":
      return b0 * x;
    case "linear":
      return b0 * x + (b1 * x * x) / 2;
    case "logarithmic":
      return b0 * x + (x === 0 ? 0 : b1 * (x * Math.log(x) - x));
    case "quadratic":
      return b0 * x + (b1 * x * x) / 2 + (b2 * x ** 3) / 3;
    case "power":
      return b1 === -1 ? b0 * Math.log(x) : (b0 * x ** (b1 + 1)) / (b1 + 1);
    case "exponential":
      return b1 === 1 ? b0 * x : (b0 * b1 ** x) / Math.log(b1);
  }
}
