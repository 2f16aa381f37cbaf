import { expect, it, describe } from "vitest";
import { detectableChange, leastP } from "./detectable-change.ts";
import { median } from "../descriptive/quantile.ts";
import { seededRandom } from "../sampling/seeded-random.ts";
import { rankSumTest } from "./exact-rank-sum.ts";

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

describe.each([6, 10])("%i values a side with 3 % noise", (n) => {
  it("a change of the size it tells is seen in about four of five cases", () => {
    const random = seededRandom(100 + n);
    const sample = (level: number): Float64Array =>
      Float64Array.from({ length: n }, () => level * Math.exp(0.03 * normal(random)));
    const told = Array.from({ length: 200 }, () => {
      const [a, b] = [sample(100), sample(100)];
      return detectableChange(a, b, median(a), 0.05)!;
    });
    const change = told.reduce((sum, each) => sum + each, 0) / told.length;
    const cases = 400;
    let seen = 0;
    for (let i = 0; i < cases; i++) if (rankSumTest(sample(100), sample(100 * (1 + change))) <= 0.05) seen += 1;
    expect(seen / cases).toBeGreaterThan(0.7);
    expect(seen / cases).toBeLessThan(0.88);
  });
});

it("tells none where even samples wholly apart have a greater p", () => {
  expect(leastP(3, 3)).toBeCloseTo(0.1, 12);
  expect(detectableChange(Float64Array.of(1, 2, 3), Float64Array.of(1, 2, 3), 2, 0.05)).toBeNull();
  expect(detectableChange(Float64Array.of(0, 0, 0, 0, 0), Float64Array.of(1, 2, 3, 4, 5), 0, 0.05)).toBeNull();
});
