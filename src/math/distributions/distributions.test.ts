import { describe, expect, it } from "vitest";
import { chiSquareTail, chiSquareUpper, normalQuantile, normalTail } from "./normal-and-chi-square.ts";
import { medianInterval, signTail } from "../hypothesis-tests/paired-tests.ts";
import { studentTail } from "./student-t.ts";

/** Answers of SciPy 1.17. */
function expectNear(actual: number, expected: number): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(1e-9 * Math.abs(expected));
}

describe("tails", () => {
  it.each([
    [0, 0.5],
    [0.5, 0.3085375387259869],
    [1.96, 0.024997895148220435],
    [2.999, 0.0013543365337271057],
    [3, 0.0013498980316300933],
    [5, 2.866515718791933e-7],
    [10, 7.61985302416047e-24],
    [30, 4.906713927147908e-198],
    [-2, 0.9772498680518208],
  ])("P(Z > %d)", (z, p) => expectNear(normalTail(z), p));

  it.each([
    [3.84, 1, 0.05004352124870519],
    [5.99, 2, 0.05003662708658629],
    [0.5, 3, 0.9188914116546758],
    [40, 4, 4.328422607120966e-8],
    [10, 7, 0.18857346751344997],
    [200, 6, 1.8976107553682236e-40],
    [-1, 3, 1],
  ])("P(chi-square > %d), %i degrees of freedom", (x, freedom, p) => expectNear(chiSquareTail(x, freedom), p));

  it.each([
    [2, 3, 0.06966298427942152],
    [10, 5, 8.547378787148181e-5],
    [50, 9, 1.2844764554373988e-12],
    [0, 4, 0.5],
    [Infinity, 4, 0],
  ])("P(T > %d), %i degrees of freedom", (t, freedom, p) => expectNear(studentTail(t, freedom), p));

  it.each([
    [8, 10, 0.0546875],
    [5, 5, 0.03125],
    [520, 1000, 0.10872414660207075],
    [50200, 100000, 0.10351948588211125],
    [0, 3, 1],
    [4, 3, 0],
  ])("at least %i of %i coins", (successes, count, p) => expectNear(signTail(successes, count), p));
});

it.each([
  [0.975, 1.959963984540054],
  [0.9999, 3.719016485455709],
  [0.1, -1.2815515655446004],
])("the %d-quantile of the normal distribution", (p, z) => expect(normalQuantile(p)).toBeCloseTo(z, 11));

it.each([
  [0.05, 1, 3.8414588206941285],
  [0.025, 4, 11.143286781877796],
  [0.975, 9, 2.7003894999803584],
])("chi-square with %d above it, %i degrees of freedom", (tail, freedom, x) =>
  expect(chiSquareUpper(tail, freedom)).toBeCloseTo(x, 10),
);

/** Ranks of Conover's table A3. */
it.each([
  [5, NaN, NaN],
  [6, 1, 6],
  [8, 1, 8],
  [9, 2, 8],
  [15, 4, 12],
  [25, 8, 18],
])("the 95 %% interval of the median of 1, …, %i", (count, low, high) => {
  expect(
    medianInterval(
      Float64Array.from({ length: count }, (_, i) => i + 1),
      0.95,
    ),
  ).toEqual({ low, high });
});
