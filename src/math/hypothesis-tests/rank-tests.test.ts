import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quartileDispersion, robustScale } from "../descriptive/robust-statistics.ts";
import { falseDiscovery } from "./false-discovery.ts";
import { inversions } from "./inversions.ts";
import { mannKendall } from "./mann-kendall.ts";
import { mannWhitney, shiftBetween } from "./rank-sum.ts";
import { theilSen } from "../regression/theil-sen.ts";

const of = (...values: number[]): Float64Array => Float64Array.from(values);
const few = fc.array(fc.integer({ min: -6, max: 6 }), { maxLength: 30 }).map((values) => Float64Array.from(values));
const rising = of(1.2, 0.8, 2.1, 1.9, 2.5, 3.3, 2.8, 3.9, 4.2, 3.7);
const tied = of(5, 5, 6, 4, 7, 7, 8, 6, 9, 9, 9, 10);

it("inversions are those of a look at all pairs", () => {
  fc.assert(
    fc.property(few, (values) => {
      let [descending, equal] = [0, 0];
      values.forEach((a, i) =>
        values.subarray(i + 1).forEach((b) => {
          if (a > b) descending += 1;
          if (a === b) equal += 1;
        }),
      );
      expect(inversions(values)).toMatchObject({ descending, equal });
    }),
  );
});

/** Answers of SciPy 1.17 (kendalltau, mannwhitneyu, theilslopes, false_discovery_control). */
describe("mannKendall", () => {
  it("counts out what has no ties", () => {
    const { s, p } = mannKendall(rising);
    expect(s).toBe(35);
    expect(p).toBeCloseTo(0.0009463183421516755, 12);
  });

  it("corrects for ties", () => {
    const { p, ...rest } = mannKendall(tied);
    expect(rest).toEqual({ s: 48, variance: 206 });
    expect(p).toBeCloseTo(0.00105794766977492, 12);
  });

  it("agrees with all orders of six values", () => {
    const orders = permutations([1, 2, 3, 4, 5, 6]).map((order) => Float64Array.from(order));
    const sizes = orders.map((order) => Math.abs(mannKendall(order).s));
    orders.forEach((order, at) => {
      const share = sizes.filter((size) => size >= (sizes[at] ?? 0)).length / orders.length;
      expect(mannKendall(order).p).toBeCloseTo(share, 12);
    });
  });

  it("has nothing to say of equal or few values", () => {
    expect(mannKendall(of(3, 3, 3, 3)).p).toBe(1);
    expect(mannKendall(of(1, 2)).p).toBe(1);
    expect(mannKendall(of()).p).toBe(1);
  });
});

describe("mannWhitney", () => {
  it.each([
    [of(0.19, 0.22, 0.18, 0.29, 0.28), of(0.31, 0.35, 0.27, 0.41), 0.06349206349206349],
    [of(1, 2, 2, 3, 4, 4), of(3, 4, 5, 5, 6), 0.04124587961051676],
    [
      Float64Array.from({ length: 40 }, (_, i) => i),
      Float64Array.from({ length: 30 }, (_, i) => i + 10.5),
      0.05090783898652566,
    ],
  ])("gives the known answer %#", (a, b, p) => {
    expect(mannWhitney(a, b)).toBeCloseTo(p, 12);
    expect(mannWhitney(b, a)).toBeCloseTo(p, 12);
  });

  it("sees nothing where nothing is", () => {
    expect(mannWhitney(of(), of(1))).toBe(1);
    expect(mannWhitney(of(2, 2), of(2, 2, 2))).toBe(1);
  });
});

describe("shiftBetween", () => {
  it("has the ranks of the exact test: 3 is the critical U of 5 and 5 at 5 % (2 below it)", () => {
    const [before, after] = [of(1, 2, 3, 4, 5), of(11.1, 12.2, 13.3, 14.4, 15.5)];
    const differences = [...after].flatMap((a) => [...before].map((b) => a - b)).sort((a, b) => a - b);
    const { shift, low, high } = shiftBetween(before, after, 0.95);
    expect(shift).toBeCloseTo(10.3, 12);
    expect([low, high]).toEqual([differences[2], differences[22]]);
  });

  it("has no interval of too few", () =>
    expect(shiftBetween(of(1, 2), of(3, 4), 0.95)).toEqual({ shift: 2, low: NaN, high: NaN }));
});

describe("theilSen", () => {
  it("gives the known slopes", () => {
    expect(theilSen(rising, 0.95).slope).toBeCloseTo(0.36, 12);
    expect(theilSen(tied, 0.95)).toMatchObject({ slope: 0.5, intercept: 4.5, low: 1 / 3, high: 4 / 7 });
  });

  it("is the same whether slopes are listed or counted", () => {
    const values = Float64Array.from({ length: 700 }, (_, i) => 100 + 0.25 * i + ((i * 7919) % 101));
    const slopes: number[] = [];
    values.forEach((a, i) => values.subarray(i + 1).forEach((b, j) => slopes.push((b - a) / (j + 1))));
    slopes.sort((a, b) => a - b);
    const { slope, low, high } = theilSen(values, 0.95);
    expect(slope).toBeCloseTo(((slopes[122324] ?? 0) + (slopes[122325] ?? 0)) / 2, 9);
    expect(low).toBeLessThan(0.25);
    expect(high).toBeGreaterThan(0.25);
    expect(high - low).toBeLessThan(0.05);
  });

  it("finds a line through whatever outliers", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -50, max: 50 }),
        fc.integer({ min: 4, max: 40 }),
        fc.double({ noNaN: true }),
        (slope, count, outlier) => {
          const values = Float64Array.from({ length: count }, (_, i) => (i === 1 ? outlier : 3 + slope * i));
          expect(theilSen(values, 0.95).slope).toBeCloseTo(slope, 6);
        },
      ),
    );
  });

  it("is NaN of nothing", () => expect(theilSen(of(1), 0.95).slope).toBeNaN());
});

describe("falseDiscovery", () => {
  /** The example of Benjamini and Hochberg's paper. */
  const p = of(
    0.0001,
    0.0004,
    0.0019,
    0.0095,
    0.0201,
    0.0278,
    0.0298,
    0.0344,
    0.0459,
    0.324,
    0.4262,
    0.5719,
    0.6528,
    0.759,
    1,
  );
  it("rejects the first four at 5 %, as its paper does", () => {
    const q = falseDiscovery(p);
    expect(q.filter((each) => each <= 0.05)).toHaveLength(4);
    [0.0015, 0.003, 0.0095, 0.035625, 0.0603, 0.06385714285714286].forEach((each, at) =>
      expect(q[at]).toBeCloseTo(each, 14),
    );
  });

  it("takes p in any order, and the small ones alone with how many there are", () => {
    expect([...falseDiscovery(Float64Array.from(p).reverse())]).toEqual([...falseDiscovery(p)].reverse());
    expect([...falseDiscovery(p.subarray(0, 4), 15)]).toEqual([...falseDiscovery(p).subarray(0, 4)]);
    expect(falseDiscovery(of())).toEqual(of());
  });
});

describe("deviation", () => {
  it("is the median deviation, or the mean one where most values are the same", () => {
    expect(robustScale(of(-2, -1, 0, 1, 9))).toBeCloseTo(1.482602218505602, 14);
    expect(robustScale(of(0, 0, 0, 4))).toBeCloseTo(1.2533141373155003, 14);
    expect(robustScale(of(0, 0))).toBe(0);
  });

  it("of quartiles is relative", () => expect(quartileDispersion(5, 11)).toBeCloseTo((11 - 5) / 16, 14));
});

function permutations(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}
