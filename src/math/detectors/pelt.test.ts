import fc from "fast-check";
import { expect, it } from "vitest";
import { pelt } from "./pelt.ts";

/** The least cost of all splits, by trying every last piece. */
function leastCost(values: readonly number[], penalty: number, shortest: number): number {
  const best = [-penalty];
  for (let end = 1; end <= values.length; end++) {
    const costs = best.map((cost, from) =>
      end - from < shortest ? Infinity : cost + squares(values.slice(from, end)) + penalty,
    );
    best.push(Math.min(...costs));
  }
  return best.at(-1) ?? 0;
}

function squares(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}

function costOf(values: readonly number[], changes: readonly number[], penalty: number): number {
  const ends = [...changes, values.length];
  return ends.reduce((sum, end, at) => sum + squares(values.slice(ends[at - 1] ?? 0, end)), changes.length * penalty);
}

it("finds the first index of each level", () => {
  const values = Float64Array.from({ length: 60 }, (_, i) => (i < 20 ? 100 : i < 45 ? 110 : 95) + (i % 3));
  expect(pelt(values, 30)).toEqual([20, 45]);
  expect(pelt(values, 1e9)).toEqual([]);
});

it("finds the optimal split", () => {
  const series = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(
      series,
      fc.integer({ min: 0, max: 300 }),
      fc.integer({ min: 1, max: 5 }),
      (values, penalty, shortest) => {
        fc.pre(values.length >= shortest);
        const found = pelt(Float64Array.from(values), penalty, shortest);
        expect(costOf(values, found, penalty)).toBeCloseTo(leastCost(values, penalty, shortest), 6);
        const positions = [0, ...found, values.length];
        for (let i = 1; i < positions.length; i++)
          expect((positions[i] ?? 0) - (positions[i - 1] ?? 0)).toBeGreaterThanOrEqual(shortest);
      },
    ),
    { numRuns: 500 },
  );
});

it("finds no changes in too short series", () => {
  expect(pelt(Float64Array.of(), 1, 3)).toEqual([]);
  expect(pelt(Float64Array.of(1, 100), 1, 3)).toEqual([]);
});
