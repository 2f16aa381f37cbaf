import { describe, expect, test } from "vitest";
import { mannWhitney } from "../../math/hypothesis-tests/rank-sum.ts";
import { studentTest } from "../../math/hypothesis-tests/student-t-test.ts";
import { courseOf } from "./trends-and-outliers.ts";

/** Two very different levels without order within. */
const low = [1.02, 1, 1.01, 1.005, 1.015];
const high = [9.01, 9.02, 9, 9.015, 9.005];
const levels = (before: number, after: number): Float64Array =>
  Float64Array.of(...low.slice(0, before), ...high.slice(0, after));

describe("a step", () => {
  test.each([
    [3, 3],
    [3, 4],
  ])("of %i runs and %i is not reported: ranks cannot confirm it, however certain the means are", (before, after) => {
    const [a, b] = [Float64Array.from(low.slice(0, before)), Float64Array.from(high.slice(0, after))];
    expect(studentTest(a, b, 1)).toBeLessThan(1e-6);
    expect(mannWhitney(a, b)).toBeGreaterThan(0.05);
    expect(courseOf(levels(before, after), 0.005).kind).toBe("steady");
  });

  test.each([
    [4, 4],
    [3, 5],
    [5, 3],
  ])("of %i runs and %i is reported: ranks confirm it", (before, after) => {
    expect(courseOf(levels(before, after), 0.005)).toMatchObject({ kind: "steps", steps: [{ at: before }] });
  });
});
