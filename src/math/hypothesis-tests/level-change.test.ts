import { expect, it } from "vitest";
import { seededRandom } from "../sampling/seeded-random.ts";
import { levelChange, pBeyond, shiftInterval } from "./level-change.ts";

const assumed = { between: 0.02, single: 0.05 };
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Measurements of a program: `between` and `within` are relative standard deviations. */
function measured(random: () => number, count: number, between: number, within: number, runs = 5): Float64Array[] {
  return Array.from({ length: count }, () => {
    const level = 100 * Math.exp(between * normal(random));
    return Float64Array.from({ length: runs }, () => level * Math.exp(within * normal(random)));
  });
}

it("is the ratio of the medians, with the assumed noise of two measurements of single values", () => {
  const change = levelChange(Float64Array.of(100), Float64Array.of(120), [Float64Array.of(100)], assumed);
  expect(change.shift).toBeCloseTo(Math.log(1.2), 12);
  // The noise of a single value includes that between measurements.
  expect(change.error).toBeCloseTo(Math.sqrt(2) * assumed.single, 12);
  expect(change.freedom).toBe(6);
});

it("replaces the assumption by the noise of the history", () => {
  const random = seededRandom(3);
  const errorOf = (between: number): number => {
    const [after, before, ...earlier] = measured(random, 12, between, 0.001);
    return levelChange(before!, after!, [before!, ...earlier], assumed).error;
  };
  expect(errorOf(0.002)).toBeLessThan(Math.SQRT2 * assumed.between);
  expect(errorOf(0.08)).toBeGreaterThan(2 * assumed.between);
});

it("ignores a step in the history, and counts a drift", () => {
  const levels = (of: (at: number) => number): Float64Array[] =>
    Array.from({ length: 10 }, (_, at) => Float64Array.of(of(at), of(at) * 1.001, of(at) * 0.999));
  const errorOf = (history: Float64Array[]): number => levelChange(history[0]!, history[0]!, history, assumed).error;
  const steady = errorOf(levels(() => 100));
  expect(errorOf(levels((at) => (at < 5 ? 100 : 150)))).toBeLessThan(1.5 * steady);
  expect(errorOf(levels((at) => 100 * 1.05 ** at))).toBeGreaterThan(3 * steady);
});

it("is no more certain than the step of the values", () => {
  const values = [Float64Array.of(3, 3, 3), Float64Array.of(3, 3, 3)] as const;
  const [fine, coarse] = [0, 1].map((step) => levelChange(values[0], values[1], [values[0]], assumed, step).error);
  expect((coarse ?? 0) ** 2 - (fine ?? 0) ** 2).toBeCloseTo((2 * (1 / 12)) / 9, 12);
});

it.each([0, 3, 9])("covers no change in at least 93 %% of unchanged programs with %d earlier profiles", (count) => {
  const random = seededRandom(70 + count);
  let covered = 0;
  for (let trial = 0; trial < 400; trial++) {
    const [after, before, ...earlier] = measured(random, 2 + count, 0.015, 0.02);
    const change = levelChange(before!, after!, [before!, ...earlier], assumed);
    const { low, high } = shiftInterval(change, 0.95);
    if (low <= 0 && 0 <= high) covered += 1;
    expect(low <= 0 && 0 <= high).toBe(pBeyond(change, 0) > 0.05);
  }
  expect(covered / 400).toBeGreaterThanOrEqual(0.93);
});

it("has p 1 for a change within the limit", () => {
  const change = { shift: -0.01, error: 0.001, freedom: 9 };
  expect(pBeyond(change, 0.01)).toBe(1);
  expect(pBeyond(change, 0.005)).toBeLessThan(0.001);
});
