import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { historyShape } from "./history-shape.ts";
import type { History } from "../model/series-lines.ts";

const paper = { width: 500, height: 200, left: 50, right: 10, top: 10, bottom: 20 };

function historyFrom(center: readonly number[]): History {
  return {
    version: center.map((_, i) => i),
    center,
    low: center,
    high: center.map((value) => value + 1),
    n: center.map(() => 1),
    changes: [],
  };
}

const coordinates = (path: string): number[][] =>
  [...path.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);

describe("the shape of a history", () => {
  test("all coordinates stay within the plot area for any number of points", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.double({ noNaN: true, min: -1e300, max: 1e300 }), fc.constant(Number.NaN)), {
          minLength: 1,
          maxLength: 1500,
        }),
        (values) => {
          const shape = historyShape([historyFrom(values)], { from: 0, to: values.length - 1 }, paper);
          for (const [x = -1, y = -1] of [...coordinates(shape.medians[0]!), ...coordinates(shape.band)]) {
            expect(x).toBeGreaterThanOrEqual(49.9);
            expect(x).toBeLessThanOrEqual(490.1);
            expect(y).toBeGreaterThanOrEqual(9.9);
            expect(y).toBeLessThanOrEqual(180.1);
          }
        },
      ),
    );
  });

  test("extremes stay visible when many points share a pixel", () => {
    const values = Array.from({ length: 50_000 }, (_, i) => (i === 31_337 ? 100 : i % 2));
    const shape = historyShape([historyFrom(values)], { from: 0, to: values.length - 1 }, paper);
    const highest = Math.min(...coordinates(shape.medians[0]!).map(([, y = 0]) => y));
    expect(highest).toBeCloseTo(shape.yOf(100), 0);
    expect(coordinates(shape.medians[0]!).length).toBeLessThan(1200);
  });

  test("pointAt inverts xOf and clamps to the range", () => {
    const shape = historyShape([historyFrom([1, 2, 3, 4, 5])], { from: 1, to: 3 }, paper);
    for (const point of [1, 2, 3]) expect(shape.pointAt(shape.xOf(point) + 3)).toBe(point);
    expect([shape.pointAt(-100), shape.pointAt(9999)]).toEqual([1, 3]);
  });
});
