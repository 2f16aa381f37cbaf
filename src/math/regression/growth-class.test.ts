import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growthClasses, growthOf } from "./growth-class.ts";
import { seededRandom } from "../sampling/seeded-random.ts";

const sizes = Float64Array.from({ length: 12 }, (_, at) => 10 * 2 ** at);
const noisy = (of: (n: number) => number, x = sizes, seed = 1): Float64Array => {
  const random = seededRandom(seed);
  return x.map((n) => of(n) * (1 + 0.02 * (random() - 0.5)));
};

describe("growth", () => {
  it.each([
    ["1", () => 7, 0],
    ["log n", (n: number) => 3 * Math.log(n), 0.2],
    ["n", (n: number) => 100 + 5 * n, 0.9],
    ["n log n", (n: number) => 2 * n * Math.log(n), 1.2],
    ["n^2", (n: number) => n ** 2 / 9, 2],
    ["n^3", (n: number) => n ** 3 / 1e6, 3],
  ] as const)("is detected as %s", (name, of, exponent) => {
    for (let seed = 0; seed < 20; seed++) {
      const found = growthOf(sizes, noisy(of, sizes, seed));
      expect(found?.name).toBe(name);
      expect(found?.exponent).toBeCloseTo(exponent, 0);
      if (name !== "1") expect(found?.rSquared).toBeGreaterThan(0.98);
      expect(found?.low).toBeLessThan(found?.exponent ?? 0);
      expect(found?.high).toBeGreaterThan(found?.exponent ?? 0);
    }
  });

  it("may be exponential", () => {
    const few = Float64Array.of(4, 6, 8, 10, 12, 16, 20);
    expect(
      growthOf(
        few,
        noisy((n) => 2 ** n, few),
      )?.name,
    ).toBe("2^n");
  });

  it("needs several sizes, far apart, and costs", () => {
    expect(growthOf(Float64Array.of(1, 2, 3, 4), Float64Array.of(1, 2, 3, 4))).toBeNull();
    expect(growthOf(Float64Array.of(10, 11, 12, 13, 14), Float64Array.of(1, 2, 3, 4, 5))).toBeNull();
    expect(growthOf(sizes, new Float64Array(12))).toBeNull();
  });

  it("takes whatever numbers there are", () => {
    const list = fc.array(fc.tuple(fc.double(), fc.double()), { maxLength: 20 });
    fc.assert(
      fc.property(list, (pairs) => {
        const found = growthOf(
          Float64Array.from(pairs, ([size]) => size),
          Float64Array.from(pairs, ([, cost]) => cost),
        );
        expect(found === null || growthClasses.includes(found.name)).toBe(true);
      }),
      { seed: 3 },
    );
  });
});
