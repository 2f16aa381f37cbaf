import fc from "fast-check";
import { expect, it } from "vitest";
import { plantedSeries } from "../../../test/series/planted.ts";
import { median } from "../descriptive/quantile.ts";
import { asvStep, MedianCosts } from "./asv-step.ts";
import { goldenSection } from "../numerics/minimize.ts";

const indexes = (values: readonly number[] | Float64Array): number[] =>
  asvStep(Float64Array.from(values)).map(({ index }) => index);

it("costs are sums of distances from medians", () => {
  const piece = fc.array(fc.integer({ min: -30, max: 30 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(piece, fc.nat(11), fc.nat(11), (values, a, b) => {
      const from = Math.min(a, b) % values.length;
      const to = Math.max(from + 1, Math.max(a, b) % (values.length + 1));
      const own = Float64Array.from(values.slice(from, to));
      const costs = new MedianCosts(Float64Array.from(values), 4);
      expect(costs.median(from, to)).toBe(median(own));
      expect(costs.cost(from, to)).toBeCloseTo(
        own.reduce((sum, value) => sum + Math.abs(value - median(own)), 0),
        9,
      );
    }),
  );
});

it("golden section search finds a minimum inside and at the ends", () => {
  for (const at of [-1, -0.3, 0, 0.8, 1])
    expect(goldenSection((x) => (x - at) ** 2, -1, 1, 1e-6, 0)).toBeCloseTo(at, 5);
});

it("finds injected steps", () => {
  const changes = [
    { from: 40, to: 40, share: 0.1 },
    { from: 70, to: 70, share: -0.1 },
  ];
  expect(indexes(plantedSeries("gauss", 11, { count: 120, changes }).values)).toEqual([40, 70]);
});

it("finds the exact index of a step without noise, also after long levels", () => {
  expect(indexes(Array.from({ length: 200 }, (_, at) => (at < 90 ? 1 : 2)))).toEqual([90]);
});

it("finds no steps without a change", () => {
  for (const values of [[], [1], [1, 1], Array<number>(50).fill(3)]) expect(indexes(values)).toEqual([]);
  expect(indexes(plantedSeries("gauss", 2).values)).toEqual([]);
});

it("does not depend on the unit", () => {
  const { values } = plantedSeries("lognormal", 9, { changes: [{ from: 55, to: 55, share: 0.12 }] });
  expect(indexes(values.map((value) => value * 1e-9))).toEqual(indexes(values));
});
