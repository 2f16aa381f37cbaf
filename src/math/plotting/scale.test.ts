import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { categoryScale, clippedScale, linearScale, log2Scale, logScale, shortNumber, sparkHeights } from "./scale.ts";

describe("linearScale", () => {
  it.each([
    [0, 10, 5, [0, 2, 4, 6, 8, 10]],
    [0, 1, 5, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [0.1, 0.34, 4, [0.1, 0.2, 0.3, 0.4]],
    [-7, 12, 4, [-10, -5, 0, 5, 10, 15]],
    [5, 5, 4, [4.5, 5, 5.5]],
    [1e6, 1.0001e6, 3, [1e6, 1000050, 1000100]],
  ])("%d..%d in about %i pieces has ticks %j", (low, high, count, ticks) => {
    expect(linearScale(low, high, count).ticks).toEqual(ticks);
  });

  it("has whole ticks for whole numbers", () => {
    expect(linearScale(1, 3, 6, true).ticks).toEqual([1, 2, 3]);
    expect(linearScale(5, 5, 6, true).ticks).toEqual([4, 5, 6]);
  });

  it("covers every finite pair, with finite ascending ticks", () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (a, b) => {
          const scale = linearScale(Math.min(a, b), Math.max(a, b), 5);
          expectSound(scale, [a, b]);
        },
      ),
    );
    expectSound(linearScale(Number.MAX_VALUE, Number.MAX_VALUE, 5), [Number.MAX_VALUE]);
    expectSound(linearScale(5e-324, 5e-324, 5), [5e-324]);
    expectSound(linearScale(-1.797693134862313e308, -1.797693134862288e308, 5), [-1.797693134862288e308]);
    expectSound(linearScale(-Number.MAX_VALUE, Number.MAX_VALUE, 5), [0]);
  });
});

describe("logScale", () => {
  it.each([
    [1, 1000, 4, [1, 10, 100, 1000]],
    [3, 40, 8, [2, 5, 10, 20, 50]],
    [2, 2, 4, [1, 2, 5]],
    [1, 1e12, 4, [1, 1e3, 1e6, 1e9, 1e12]],
    [1024, 1048576, 6, [1e3, 1e4, 1e5, 1e6]],
    [1, 1024, 6, [1, 10, 100, 1000]],
    [15, 80, 2, [10, 20, 50, 100]],
    [11, 12, 5, [10, 20]],
  ])("%d..%d has ticks %j", (low, high, count, ticks) => expect(logScale(low, high, count).ticks).toEqual(ticks));

  it("puts the decades at equal distances", () => {
    const scale = logScale(1, 100, 4);
    expect([1, 10, 100].map((value) => scale.at(value))).toEqual([0, 0.5, 1]);
  });

  it("covers every positive pair", () => {
    const positive = fc.double({ noNaN: true, noDefaultInfinity: true, min: 5e-324 });
    fc.assert(
      fc.property(positive, positive, (a, b) => {
        expectSound(logScale(Math.min(a, b), Math.max(a, b), 5), [a, b]);
      }),
    );
    expectSound(logScale(5e-324, 5e-324, 5), [5e-324]);
    expectSound(logScale(Number.MAX_VALUE, Number.MAX_VALUE, 5), [Number.MAX_VALUE]);
  });
});

function expectSound(scale: ReturnType<typeof linearScale>, values: number[]): void {
  expect(scale.ticks.length).toBeGreaterThan(0);
  expect(scale.ticks.length).toBeLessThan(60);
  expect(scale.ticks.every(Number.isFinite)).toBe(true);
  expect([...scale.ticks].sort((a, b) => a - b)).toEqual(scale.ticks);
  for (const value of [...values, ...scale.ticks]) {
    expect(scale.at(value)).toBeGreaterThanOrEqual(-1e-9);
    expect(scale.at(value)).toBeLessThanOrEqual(1 + 1e-9);
  }
}

it("categoryScale centres each category", () => {
  expect([0, 1, 2, 3].map((index) => categoryScale(4).at(index))).toEqual([0.125, 0.375, 0.625, 0.875]);
});

it.each([
  [0, "0"],
  [1234.567, "1235"],
  [123456.7, "123457"],
  [1.23456, "1.235"],
  [1234567, "1.235e6"],
  [0.00001234567, "1.235e-5"],
  [-0.5, "-0.5"],
  [999999.9, "1000000"],
])("shortNumber(%d) is %s", (value, text) => expect(shortNumber(value)).toBe(text));

describe("scales of powers of two", () => {
  it("end at powers of two and have them as ticks", () => {
    const scale = log2Scale(100, 5000, 10);
    expect([scale.low, scale.high, scale.ticks]).toEqual([64, 8192, [64, 128, 256, 512, 1024, 2048, 4096, 8192]]);
    expect([scale.at(64), scale.at(8192), scale.at(2 ** 9.5)]).toEqual([0, 1, 0.5]);
    expect(log2Scale(1, 2 ** 40, 5).ticks).toEqual([1, 2 ** 8, 2 ** 16, 2 ** 24, 2 ** 32, 2 ** 40]);
  });

  it("have room for a single value, and for the largest and smallest there are", () => {
    expect(log2Scale(8, 8, 4).ticks).toEqual([8, 16]);
    for (const [low, high] of [
      [Number.MIN_VALUE, Number.MAX_VALUE],
      [Number.MAX_VALUE, Number.MAX_VALUE],
    ] as const) {
      const scale = log2Scale(low, high, 4);
      expect([scale.low, scale.high, scale.at(low), ...scale.ticks].every(Number.isFinite)).toBe(true);
    }
  });
});

it("a stretch of a scale keeps its ticks, and has its ends where that leaves fewer than two", () => {
  const whole = linearScale(0, 100, 5);
  const part = clippedScale(whole, 10, 50);
  expect([part.low, part.high, part.ticks]).toEqual([10, 50, [20, 40]]);
  expect(part.at(30)).toBeCloseTo(0.5, 12);
  expect(clippedScale(whole, 21, 39).ticks).toEqual([21, 39]);
});

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

  it("are within the steps and keep the order of values", () => {
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
