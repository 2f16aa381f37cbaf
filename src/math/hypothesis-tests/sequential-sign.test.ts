import fc from "fast-check";
import { expect, it } from "vitest";
import { seededRandom } from "../sampling/seeded-random.ts";
import { sequentialMedianInterval, sequentialRank, sequentialSignTest, signEvidence } from "./paired-tests.ts";

it("has the known evidence of few signs", () => {
  // 2^n times the product of (i + 1/2) / (i + 1): 2 * 1/2 = 1, then 4 * 3/8, 8 * 5/16.
  expect(signEvidence(0, 0)).toBe(1);
  expect(signEvidence(1, 0)).toBeCloseTo(1, 12);
  expect(signEvidence(2, 0)).toBeCloseTo(1.5, 12);
  expect(signEvidence(0, 3)).toBeCloseTo(2.5, 12);
  expect(signEvidence(1, 1)).toBeCloseTo(0.5, 12);
  expect(sequentialSignTest(Float64Array.of(1, 1, 1, 1, 1, 1, 1, 0))).toBeCloseTo(1 / 26.8125, 10);
});

it("is a martingale: the next sign leaves the expected evidence as it is", () => {
  fc.assert(
    fc.property(fc.nat(40), fc.nat(40), (above, below) => {
      const next = (signEvidence(above + 1, below) + signEvidence(above, below + 1)) / 2;
      expect(next / signEvidence(above, below)).toBeCloseTo(1, 9);
    }),
  );
});

it("the interval has the points that the test does not reject", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: -1000, max: 1000 }), { minLength: 7, maxLength: 60 }), (values) => {
      const sorted = Float64Array.from(values).sort();
      const { low, high } = sequentialMedianInterval(sorted, 0.95);
      const rejects = (point: number): boolean => sequentialSignTest(sorted.map((value) => value - point)) <= 0.05;
      expect(rejects(low - 0.5)).toBe(true);
      expect(rejects(low + 0.5)).toBe(false);
      expect(rejects(high + 0.5)).toBe(true);
      expect(rejects(high - 0.5)).toBe(false);
    }),
  );
  expect(sequentialRank(6, 0.95)).toBe(0);
  expect(sequentialMedianInterval(Float64Array.of(1, 2, 3, 4, 5, 6), 0.95).low).toBeNaN();
});

it("keeps its error when looked at after every value", () => {
  const random = seededRandom(11);
  let alarms = 0;
  for (let trial = 0; trial < 500; trial++) {
    const values: number[] = [];
    while (values.length < 60 && sequentialSignTest(Float64Array.from(values)) > 0.05) values.push(random() - 0.5);
    if (values.length < 60) alarms += 1;
  }
  expect(alarms).toBeGreaterThan(2);
  expect(alarms).toBeLessThanOrEqual(25);
});
