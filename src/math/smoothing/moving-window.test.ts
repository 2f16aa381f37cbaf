import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { exponentialMean, movingMean, movingMedian, weightedMovingMean, windows } from "./moving-window.ts";
import { median } from "../descriptive/quantile.ts";

const values = fc
  .array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 30 })
  .map((list) => Float64Array.from(list));
const window = fc.record({
  width: fc.integer({ min: 1, max: 12 }),
  center: fc.boolean(),
  least: fc.integer({ min: 0, max: 4 }),
});

/** What lies in the window of each value, looked up one by one. */
function slow(
  list: Float64Array,
  width: number,
  center: boolean,
  least: number,
  statistic: (part: Float64Array) => number,
): number[] {
  return Array.from(list, (_, at) => {
    const end = at + (center ? Math.floor((width - 1) / 2) : 0) + 1;
    const part = list.subarray(Math.max(0, end - width), Math.min(list.length, end));
    return part.length < Math.max(1, least) ? Number.NaN : statistic(part);
  });
}

describe("moving statistics are those of each window", () => {
  test("mean, also with equal weights", () => {
    fc.assert(
      fc.property(values, window, (list, at) => {
        const expected = slow(
          list,
          at.width,
          at.center,
          at.least,
          (part) => part.reduce((a, b) => a + b) / part.length,
        );
        const close = expected.map((value) => (Number.isNaN(value) ? value : expect.closeTo(value, 9)));
        expect([...movingMean(list, at)]).toEqual(close);
        expect([...weightedMovingMean(list, new Float64Array(at.width).fill(0.3), at)]).toEqual(close);
      }),
    );
  });

  test("median", () => {
    fc.assert(
      fc.property(
        values,
        window,
        (list, at) =>
          void expect([...movingMedian(list, at)]).toEqual(slow(list, at.width, at.center, at.least, median)),
      ),
    );
  });

  test("exponentially weighted mean", () => {
    fc.assert(
      fc.property(values, fc.double({ min: 0.01, max: 1, noNaN: true }), (list, alpha) => {
        const expected = Array.from(list, (_, at) => {
          const weights = Array.from({ length: at + 1 }, (__, i) => (1 - alpha) ** (at - i));
          return expect.closeTo(
            weights.reduce((sum, weight, i) => sum + weight * list[i]!, 0) / weights.reduce((a, b) => a + b),
            6,
          );
        });
        expect([...exponentialMean(list, alpha, 0)]).toEqual(expected);
      }),
    );
  });
});

it("leaves no trace of a large value that left the window", () => {
  expect([...movingMean(Float64Array.of(1e17, 1, 2, 3, 4), { width: 2, center: false, least: 2 })].slice(2)).toEqual([
    1.5, 2.5, 3.5,
  ]);
});

/** The first half of a window of six points, computed with scipy.signal.get_window(name, 6, fftbins=False). */
const six: Readonly<Record<string, readonly number[]>> = {
  boxcar: [1, 1, 1],
  triang: [0.166666666667, 0.5, 0.833333333333],
  blackman: [0, 0.200770143263, 0.849229856737],
  hamming: [0.08, 0.397852182588, 0.912147817412],
  bartlett: [0, 0.4, 0.8],
  parzen: [0.009259259259, 0.25, 0.861111111111],
  bohman: [0, 0.179123893706, 0.834311452258],
  blackmanharris: [0.00006, 0.103011489346, 0.793833510654],
  nuttall: [0.0003628, 0.11051525305, 0.79825809695],
  barthann: [0, 0.358573542138, 0.879426457862],
};

test.each(Object.keys(windows))(
  "the window %s is symmetric, 1 in the middle, and has the weights of its definition",
  (name) => {
    const close = (list: readonly number[]): unknown[] => list.map((value) => expect.closeTo(value, 11) as unknown);
    const half = six[name]!;
    expect([...windows[name]!(6)]).toEqual(close([...half, ...half.toReversed()]));
    expect(windows[name]!(5)[2]).toBeCloseTo(1, 11);
    expect([...windows[name]!(1)]).toEqual(close([1]));
  },
);
