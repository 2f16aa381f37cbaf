import { expect, it } from "vitest";
import { seededRandom } from "../sampling/seeded-random.ts";
import { correlationTest } from "./rank-correlation.ts";

it("has known answers", () => {
  expect(correlationTest(Float64Array.of(1, 2, 3, 4), Float64Array.of(10, 20, 30, 40))).toBe(0);
  expect(correlationTest(Float64Array.of(1, 2, 3, 4), Float64Array.of(4, 3, 2, 1))).toBe(1);
  expect(correlationTest(Float64Array.of(1, 1, 1), Float64Array.of(1, 2, 3))).toBe(1);
  // r = 1 - 6 * 2 / (5 * 24) = 0.9, t = 0.9 * sqrt(3 / 0.19) = 3.576 with 3 degrees of freedom.
  expect(correlationTest(Float64Array.of(1, 2, 3, 4, 5), Float64Array.of(2, 1, 3, 4, 5))).toBeCloseTo(0.0187, 3);
});

it("is uniform for independent values", () => {
  const random = seededRandom(4);
  const draw = (): Float64Array => Float64Array.from({ length: 20 }, random);
  const small = Array.from({ length: 1000 }, () => correlationTest(draw(), draw())).filter((p) => p <= 0.05);
  expect(small.length).toBeGreaterThan(25);
  expect(small.length).toBeLessThan(80);
});
