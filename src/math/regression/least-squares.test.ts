import fc from "fast-check";
import { shuffledOrder, seededRandom } from "../sampling/seeded-random.ts";
import { steps } from "./formulas.ts";
import { fitLine, fitParabola, polynomialDegree } from "./least-squares.ts";
import { expect, it, test } from "vitest";

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

it("returns the least degree within the allowed residuals", () => {
  const y = Float64Array.from([0, 1, 0, 1]);
  expect(polynomialDegree(steps(0, 3, 4), y, 3, 1)).toBe(0);
  expect(polynomialDegree(steps(0, 3, 4), y, 3, 0.9)).toBe(1);
});

const list = (count: number, f: (i: number) => number): Float64Array =>
  Float64Array.from({ length: count }, (_, i) => f(i));

it("fits a line through points far from zero without losing digits", () => {
  const { coefficients, rSquared } = fitLine(
    list(1000, (i) => 1e9 + i),
    list(1000, (i) => 5e9 + 3 * i),
  );
  expect(coefficients[1]).toBeCloseTo(3, 9);
  expect(rSquared).toBeCloseTo(1, 12);
});

test("no other line or parabola is nearer to the points", () => {
  const values = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(
      values,
      values,
      fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 })),
      (xs, ys, off) => {
        const [x, y] = [Float64Array.from(xs), Float64Array.from(ys)];
        const error = (b: readonly number[]): number =>
          xs.reduce((sum, at, i) => sum + (ys[i]! - b.reduce((value, c, k) => value + c * at ** k, 0)) ** 2, 0);
        for (const fit of [fitLine(x, y), fitParabola(x, y)]) {
          if (fit === null || new Set(xs).size < 4) continue;
          const moved = fit.coefficients.map((value, k) => value + off[k]! / 100);
          expect(error(moved)).toBeGreaterThanOrEqual(error(fit.coefficients) * (1 - 1e-9) - 1e-9);
        }
      },
    ),
  );
});

it("has no parabola through two x, a flat line for constant x, and no R² for constant y", () => {
  expect(fitParabola(Float64Array.of(1, 1, 2, 2), Float64Array.of(1, 2, 3, 4))).toBeNull();
  expect(fitLine(Float64Array.of(2, 2, 2), Float64Array.of(1, 2, 6))).toEqual({ coefficients: [3, 0], rSquared: 0 });
  expect(fitLine(Float64Array.of(1, 2, 3), Float64Array.of(0.1, 0.1, 0.1)).rSquared).toBeNaN();
});

it("shuffles all, and the same for the same seed", () => {
  const order = shuffledOrder(100, seededRandom(7));
  expect([...order].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i));
  expect(order).toEqual(shuffledOrder(100, seededRandom(7)));
  expect(order).not.toEqual(shuffledOrder(100, seededRandom(8)));
});
