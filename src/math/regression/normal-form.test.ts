import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { seededRandom } from "../sampling/seeded-random.ts";
import { fitLinearModel } from "./least-squares.ts";
import { fitNormalForm, type NormalFormModel } from "./normal-form.ts";
import { termText, termValues } from "./normal-form-terms.ts";

const sizes = [16, 32, 64, 128, 256, 512];
const grid = sizes.flatMap((n) => [4, 8, 16, 32, 64].map((p): [number, number] => [n, p]));

function fitted(points: readonly (readonly number[])[], f: (...at: number[]) => number): NormalFormModel {
  const x = points[0]!.map((_, parameter) => Float64Array.from(points, (at) => at[parameter]!));
  const model = fitNormalForm(
    x,
    Float64Array.from(points, (at) => f(...at)),
  );
  if ("reason" in model) throw new Error(model.reason);
  return model;
}

const terms = ({ terms: found }: Pick<NormalFormModel, "terms">): string[] =>
  found.map((term) => termText(term, ["n", "p"])).toSorted();

const log2 = Math.log2;

describe("known functions without noise", () => {
  test.each<[string[], (n: number) => number]>([
    [[], () => 7],
    [["log2(n)"], (n) => 5 + 3 * log2(n)],
    [["n"], (n) => 2 + 0.5 * n],
    [["n * log2(n)"], (n) => 9 + n * log2(n)],
    [["n^(3/2)"], (n) => 1 + 0.1 * n ** 1.5],
    [["n^2 * log2(n)"], (n) => 4 + 2 * n * n * log2(n)],
    [["n^(1/3)"], (n) => 1 + n ** (1 / 3)],
    [["n^(-1)"], (n) => 3 + 500 / n],
    [["n", "n^2"], (n) => 1 + n + 0.05 * n * n],
  ])("of one parameter: %j", (wanted, f) => {
    const model = fitted(
      sizes.map((n) => [n]),
      f,
    );
    expect(terms(model)).toEqual(wanted);
    expect(model.predict([4096]).value / f(4096)).toBeCloseTo(1, 6);
    expect(model.smape).toBeLessThan(1e-6);
  });

  test.each<[string[], (n: number, p: number) => number]>([
    [[], () => 7],
    [["n"], (n) => 10 + n],
    [["n * p"], (n, p) => 5 + 2 * n * p],
    [["n^2 * log2(p)"], (n, p) => 50 + 0.01 * n * n * log2(p)],
    [["n", "p"], (n, p) => 5 + n + p],
    [["log2(p)", "n * p^(-1)"], (n, p) => 2 + (50 * n) / p + 8 * log2(p)],
  ])("of two parameters: %j", (wanted, f) => {
    const model = fitted(grid, f);
    expect(terms(model)).toEqual(wanted.toSorted());
    expect(model.predict([4096, 512]).value / f(4096, 512)).toBeCloseTo(1, 6);
  });
});

it("finds the terms and their coefficients within noise of 2 %, and a constant in noise alone", () => {
  const random = seededRandom(5);
  const noise = (): number => 1 + 0.02 * (random() + random() + random() + random() - 2);
  const model = fitted(grid, (n, p) => (50 + 0.2 * n * p) * noise());
  expect(terms(model)).toEqual(["n * p"]);
  const [constant, slope] = model.coefficients;
  expect(constant!.low).toBeLessThan(50);
  expect(constant!.high).toBeGreaterThan(50);
  expect(slope!.low).toBeLessThan(0.2);
  expect(slope!.high).toBeGreaterThan(0.2);
  expect(terms(fitted(grid, () => 20 * noise()))).toEqual([]);
});

it("uses the median of repeated measurements", () => {
  const repeated = grid.flatMap((at) => [at, at, at]);
  let calls = 0;
  const model = fitted(repeated, (n, p) => (calls++ % 3 === 1 ? 1e6 : 5 + 2 * n * p));
  expect([terms(model), model.points]).toEqual([["n * p"], grid.length]);
});

it("says why there is no model", () => {
  const fit = (x: number[][]): unknown =>
    fitNormalForm(
      x.map((values) => Float64Array.from(values)),
      Float64Array.from(x[0]!, (_, i) => i + 1),
    );
  expect(fit([[1, 2, 3, 4]])).toEqual({ reason: "too-few-values", parameter: 0, values: 4, needed: 5 });
  expect(fit([[0, 2, 3, 4, 5]])).toEqual({ reason: "not-positive", parameter: 0 });
  expect(
    fit([
      [1, 2, 3, 4, 5],
      [2, 4, 6, 8, 10],
    ]),
  ).toEqual({ reason: "no-series", parameter: 0, needed: 5 });
  expect(fit([[1e300, 2e300, 3e300, 4e300, 5e300]])).toMatchObject({ terms: expect.any(Array) });
});

it("knows where it extrapolates, and widens the interval with the distance", () => {
  const model = fitted(grid, (n, p) => 50 + n * p * (1 + 0.01 * Math.sin(n * 12.9 + p)));
  const [inside, outside] = [model.predict([64, 16]), model.predict([64, 256])];
  expect([inside.isExtrapolated, outside.isExtrapolated]).toEqual([false, true]);
  expect(outside.high - outside.low).toBeGreaterThan(inside.high - inside.low);
  expect(inside.lowest).toBeLessThan(inside.low);
  expect(inside.highest).toBeGreaterThan(inside.high);
});

it("does not depend on the order of points or the unit of values", () => {
  const random = seededRandom(9);
  const values = grid.map(([n, p]) => (5 + n * Math.sqrt(p)) * (1 + 0.05 * (random() - 0.5)));
  const at = new Map(grid.map((point, i) => [point.join(), values[i]!]));
  const value = (n: number, p: number): number => at.get([n, p].join())!;
  const wanted = fitted(grid, value);
  fc.assert(
    fc.property(fc.shuffledSubarray(grid, { minLength: grid.length }), fc.integer({ min: -9, max: 9 }), (order, e) => {
      const model = fitted(order, (n, p) => value(n, p) * 10 ** e);
      expect(terms(model)).toEqual(terms(wanted));
      expect(model.smape).toBeCloseTo(wanted.smape, 6);
    }),
    { numRuns: 5 },
  );
});

it("makes a model of any values, or says why not", () => {
  const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: -3, max: 3 }));
  fc.assert(
    fc.property(fc.array(number, { minLength: 5, maxLength: 9 }), (y) => {
      const model = fitNormalForm([Float64Array.from(y, (_, i) => i + 1)], Float64Array.from(y));
      if (!("reason" in model)) expect(model.coefficients.every(({ value }) => Number.isFinite(value))).toBe(true);
    }),
    { numRuns: 40 },
  );
});

describe("linear models", () => {
  const random = seededRandom(3);
  const length = 12;
  const draw = (): Float64Array => Float64Array.from({ length }, () => random() - 0.5);
  const columns = [new Float64Array(length).fill(1), draw(), draw()];
  const [y, weights] = [draw(), draw().map((value) => value + 1)];
  const fit = fitLinearModel(columns, y, weights)!;

  test("residuals are orthogonal to the weighted columns", () => {
    for (const column of columns) {
      const product = column.reduce((sum, value, i) => sum + value * weights[i]! * fit.residuals[i]!, 0);
      expect(Math.abs(product)).toBeLessThan(1e-12);
    }
  });

  test("errors of cross-validation are those of a fit without the point", () => {
    for (let out = 0; out < length; out++) {
      const rest = (values: Float64Array): Float64Array => values.filter((_, i) => i !== out);
      const other = fitLinearModel(columns.map(rest), rest(y), rest(weights))!;
      const predicted = other.coefficients.reduce((sum, value, k) => sum + value * columns[k]![out]!, 0);
      const error = weights[out]! * (y[out]! - predicted);
      expect(fit.residuals[out]! / (1 - fit.leverages[out]!)).toBeCloseTo(error, 10);
    }
  });

  test("columns that depend on each other have no fit", () => {
    const double = columns[1]!.map((value) => 2 * value + 1);
    expect(fitLinearModel([...columns, double], y, weights)).toBeNull();
  });
});

it("evaluates terms as they are written", () => {
  const term = [
    { parameter: 0, numerator: 3, denominator: 2, logarithm: 1 },
    { parameter: 1, numerator: -1, denominator: 1, logarithm: 0 },
  ];
  expect(termText(term, ["n", "p"])).toBe("n^(3/2) * log2(n) * p^(-1)");
  expect([...termValues(term, [Float64Array.of(4), Float64Array.of(2)], 1)]).toEqual([8]);
});
