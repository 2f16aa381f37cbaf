import { describe, expect, it, test } from "vitest";
import { curve, lastModel, pointsRun, postprocessorContract } from "../../../test/contracts/postprocessor.ts";
import type { Values } from "../../core/values/value.ts";
import { regressionAnalysis } from "./regression-analysis.ts";

const ways = ["full", "interval", "bisection", "initial_guess", "iterative"].map(
  (method): Values => new Map([["method", method]]),
);
postprocessorContract(regressionAnalysis, [...ways, new Map([["compat", "perun"]])]);

/** Deterministic errors of up to 1 %. */
const noise = (x: number): number => 1 + 0.01 * Math.sin(x * 12.9898);

const planted = [
  ["linear", (x: number) => 4 + 3 * x],
  ["quadratic", (x: number) => 2 + x + 5 * x * x],
  ["logarithmic", (x: number) => 1 + 20 * Math.log(x)],
  ["power", (x: number) => 3 * x ** 1.7],
  ["exponential", (x: number) => 2 * 1.3 ** x],
] as const;

function fitted(
  model: string,
  pairs: ReturnType<typeof curve>,
  more: readonly (readonly [string, string])[] = [],
): Record<string, unknown> {
  return lastModel(regressionAnalysis.apply(pointsRun({ f: pairs }), new Map([["regression-models", model], ...more])));
}

describe("planted models", () => {
  test.each(planted)("%s is detected", (model, f) => {
    expect(
      fitted(
        model,
        curve(60, (x) => f(x) * noise(x)),
      ).r_square,
    ).toBeGreaterThan(0.95);
    const exact = fitted(model, curve(60, f));
    expect(exact).toMatchObject({ model, uid: "f", x_start: 1, x_end: 60, method: "full" });
    expect(exact.r_square).toBeCloseTo(1, 9);
  });

  test.each(planted)("random methods also find a good model for a %s function", (_, f) => {
    for (const method of ["initial_guess", "iterative"]) {
      const pairs = curve(300, (x) => f(x / 5) * (1 + 0.001 * Math.sin(x * 12.9898)));
      expect(fitted("all", pairs, [["method", method]]).r_square).toBeGreaterThan(0.95);
    }
  });
});

it("returns the coefficients of the formula, without logarithms", () => {
  const coefficients = (model: string, f: (x: number) => number): number[] =>
    (fitted(model, curve(50, f)).coeffs as { value: number }[]).map(({ value }) => Number(value.toFixed(6)));
  expect(coefficients("linear", (x) => 4 + 3 * x)).toEqual([4, 3]);
  expect(coefficients("quadratic", (x) => 2 - x + 5 * x * x)).toEqual([2, -1, 5]);
  expect(coefficients("power", (x) => 3 * x ** 1.7)).toEqual([3, 1.7]);
  expect(coefficients("exponential", (x) => 2 * 1.3 ** x)).toEqual([2, 1.3]);
  expect(coefficients("logarithmic", (x) => 1 + 20 * Math.log(x))).toEqual([1, 20]);
});

it("prefers a constant when a line explains nothing; with Perun's rule also for a steep line", () => {
  const [flat, steep] = [curve(40, (x) => 5 + 0.01 * Math.sin(x * 12.9898)), curve(40, (x) => 10 * x)];
  expect(fitted("constant", flat).r_square).toBeGreaterThan(0.95);
  expect(fitted("constant", steep).r_square).toBeCloseTo(0, 9);
  expect(fitted("constant", steep, [["compat", "perun"]]).r_square).toBeGreaterThan(0.95);
});

it("splits where the model changes", () => {
  const pairs = curve(80, (x) => (x <= 40 ? 7 + 0.001 * Math.sin(x * 12.9898) : 7 + (x - 40) ** 2));
  const run = regressionAnalysis.apply(pointsRun({ f: pairs }), new Map([["method", "bisection"]]));
  expect(run.models.length).toBeGreaterThan(1);
  expect(lastModel(run).x_end).toBeLessThanOrEqual(80);
});

it("skips locations with too few points, and reports it", () => {
  const notes: string[] = [];
  const run = regressionAnalysis.apply(
    pointsRun({ few: curve(2, (x) => x), many: curve(9, (x) => x) }),
    new Map(),
    (text) => notes.push(text),
  );
  expect(notes).toEqual([expect.stringContaining("few: too few points (2)")]);
  expect(run.models.length).toBe(6);
});

it("refuses unknown models and columns", () => {
  const run = pointsRun({ f: curve(5, (x) => x) });
  expect(() => regressionAnalysis.apply(run, new Map([["regression-models", "cubic"]]))).toThrow("cubic");
  expect(() => regressionAnalysis.apply(run, new Map([["per-key", "size"]]))).toThrow("size");
});
