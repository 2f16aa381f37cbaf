import { expect, it } from "vitest";
import { steps } from "./formulas.ts";
import { polynomialDegree } from "./polynomial-degree.ts";

const x = steps(0, 1e6, 1000);

it.each([
  [0, () => 7],
  [1, (at: number) => 7 - at],
  [2, (at: number) => 1e-3 * at * at + 5],
  [3, (at: number) => at ** 3 - at],
  [4, (at: number) => Math.exp(at / 5e4)],
])("finds degree %i far from zero", (degree, f) => {
  const y = x.map(f);
  const all = y.reduce((total, value) => total + value * value, 0);
  expect(polynomialDegree(x, y, 3, 1e-12 * all)).toBe(degree);
});

it("takes the least degree that leaves no more than what is allowed", () => {
  const y = Float64Array.from([0, 1, 0, 1]);
  expect(polynomialDegree(steps(0, 3, 4), y, 3, 1)).toBe(0);
  expect(polynomialDegree(steps(0, 3, 4), y, 3, 0.9)).toBe(1);
});
