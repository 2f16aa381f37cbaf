import { expect, it } from "vitest";
import { boundTests, type BoundTest } from "./bounds.ts";

const sample = Float64Array.of(1, 2, 3, 4, 5, 9);

/**
 * By R and Python: mean 4, deviation √8; quartiles 2.25, 3.5, 4.75; steps 1, 1/2, 1/3, 1/4, 4/5 with quartiles 1/3 and
 * 4/5.
 */
it.each<[BoundTest, number, number, number]>([
  ["static", 0.5, 0.5, 1.5],
  ["percentage", 0.25, 3, 5],
  ["z-score", 0.975, 4 - 1.959963984540054 * Math.sqrt(8), 4 + 1.959963984540054 * Math.sqrt(8)],
  ["t-test", 0.975, 4 - 2.5705818356 * Math.sqrt(8 * (7 / 6)), 4 + 2.5705818356 * Math.sqrt(8 * (7 / 6))],
  ["iqr", 2, 3.5 - 2 * 2.5, 3.5 + 2 * 2.5],
  ["delta-iqr", 2, 3.5 - 3.5 * 2 * (4 / 5 - 1 / 3), 3.5 + 3.5 * 2 * (4 / 5 - 1 / 3)],
  ["noise-fence", 3, 9 - 9 * (4 / 5 + 3 * (4 / 5 - 1 / 3)), 9 + 9 * (4 / 5 + 3 * (4 / 5 - 1 / 3))],
])("%s", (test, boundary, low, high) => {
  const bounds = boundTests[test](sample, boundary);
  expect(bounds.low).toBeCloseTo(low, 8);
  expect(bounds.high).toBeCloseTo(high, 8);
});

it("log-normal: bounds of the logarithms", () => {
  const logs = sample.map(Math.log);
  const { low, high } = boundTests["z-score"](logs, 0.9);
  const bounds = boundTests["log-normal"](sample, 0.9);
  expect([bounds.low, bounds.high]).toEqual([Math.exp(low), Math.exp(high)]);
});
