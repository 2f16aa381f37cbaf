import { expect, test } from "vitest";
import { stepAt } from "./step.ts";

const measured = (values: readonly (readonly [number, number])[]) => ({
  last: 4,
  skipped: new Set<number>(),
  measurements: values.map(([position, value]) => ({ position, value })),
});

test("uses medians as levels, and the interval of Student's test", () => {
  const evidence = measured(
    [0, 0, 1, 4, 4, 3].map((position, at) => [position, [9, 10, 11, 19, 20, 21][at]!] as const),
  );
  const step = stepAt(evidence, { from: 2, to: 3 });
  expect(step).toMatchObject({ before: { center: 10, n: 3 }, after: { center: 20, n: 3 }, delta: 1 });
  // t(0.975; 4) = 2.776445, and the standard error of the difference is sqrt(2/3).
  expect(step.deltaLow).toBeCloseTo((10 - 2.776445 * Math.sqrt(2 / 3)) / 10, 6);
  expect(step.deltaHigh).toBeCloseTo((10 + 2.776445 * Math.sqrt(2 / 3)) / 10, 6);
  expect(step.deviations).toBeCloseTo(10, 12);
});

test("ignores measurements between the suspects", () => {
  const step = stepAt(
    measured([
      [0, 1],
      [2, 100],
      [4, 2],
    ]),
    { from: 2, to: 4 },
  );
  expect(step).toMatchObject({ before: { center: 1, n: 1 }, after: { center: 2, n: 1 } });
});

test("has no share relative to zero", () => {
  const step = stepAt(
    measured([
      [0, 0],
      [4, 5],
    ]),
    { from: 1, to: 1 },
  );
  expect(step).toMatchObject({ delta: null, deltaLow: null, deltaHigh: null, deviations: Number.POSITIVE_INFINITY });
});
