import { expect, it } from "vitest";
import { varianceInflation } from "./mann-kendall.ts";
import { studentTest } from "./student-t-test.ts";

const of = (...values: number[]): Float64Array => Float64Array.from(values);

/** Gosset's data of two soporifics (1908), as R's help of t.test compares them: p = 0.07919 with pooled variance. */
it("gives the known answer", () => {
  const [one, two] = [
    of(0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2),
    of(1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4),
  ];
  expect(studentTest(one, two)).toBeCloseTo(0.07918671, 8);
  expect(studentTest(one, two, 4)).toBeGreaterThan(0.3);
});

it("is sure of two constants and of nothing less", () => {
  expect(studentTest(of(1, 1), of(2, 2))).toBe(0);
  expect(studentTest(of(1, 1), of(1, 1))).toBe(1);
  expect(studentTest(of(), of(1, 2))).toBe(1);
});

it("inflates the variance of what hangs together, and of nothing else", () => {
  expect(varianceInflation(Float64Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? 1 : -1)))).toBe(1);
  expect(varianceInflation(Float64Array.from({ length: 19 }, (_, at) => at - 9))).toBe(1);
  const slow = Float64Array.from({ length: 200 }, (_, at) => Math.sin(at / 5));
  expect(varianceInflation(slow)).toBeGreaterThan(20);
  expect(varianceInflation(new Float64Array(50))).toBe(1);
});
