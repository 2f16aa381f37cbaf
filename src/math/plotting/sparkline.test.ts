import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sparkHeights } from "./sparkline.ts";

describe("heights of a sparkline", () => {
  it.each([
    [[1, 2, 3, 4, 5, 6, 7, 8], 8, [0, 1, 2, 3, 4, 5, 6, 7]],
    [[5, 5, 5], 8, [4, 4, 4]],
    [[0, 0], 8, [4, 4]],
    [[100, 100.1, 99.9], 8, [4, 4, 3]],
    [[-1, Number.NaN, 1], 8, [0, -1, 7]],
    [[Number.NaN, Number.POSITIVE_INFINITY], 8, [-1, -1]],
    [[], 8, []],
    [[1, 1, 1, 9, 9, 9], 2, [0, 7]],
    [[1, 1, 9, 1, 3, 3], 2, [0, 7]],
    [[-Number.MAX_VALUE, Number.MAX_VALUE], 2, [0, 7]],
  ])("of %j in %i columns", (values, columns, heights) =>
    expect([...sparkHeights(values, columns, 8)]).toEqual(heights),
  );

  it("lie within the steps and keep the order of values", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double()),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 2, max: 9 }),
        (values, columns, steps) => {
          const heights = sparkHeights(values, columns, steps);
          expect(heights.length).toBe(Math.min(values.length, columns));
          for (const height of heights) expect(height >= -1 && height < steps).toBe(true);
          if (values.length > columns) return;
          const finite = values
            .map((value, at) => [value, heights[at] as number] as const)
            .filter(([value]) => Number.isFinite(value));
          finite.sort(([a], [b]) => a - b);
          finite.forEach(([, height], at) => expect(at === 0 || height >= (finite[at - 1]?.[1] ?? 0)).toBe(true));
        },
      ),
    );
  });
});
