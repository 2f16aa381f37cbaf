import fc from "fast-check";
import { moments } from "../descriptive/summary-statistics.ts";
import { wilsonInterval } from "../hypothesis-tests/false-discovery.ts";
import { drawNoise, noiseModel, ratioInterval } from "./bootstrap.ts";
import { seededRandom } from "./seeded-random.ts";
import { noises } from "../../../test/series/planted.ts";
import { describe, expect, it } from "vitest";

const how = { confidence: 0.95, seed: 1 };

/** Groups whose levels differ by up to `between`, values within by up to 1 %. */
function groups(count: number, between: number, random: () => number, level = 100): Float64Array[] {
  return Array.from({ length: count }, () => {
    const own = level * (1 + between * (random() - 0.5));
    return Float64Array.from({ length: 8 }, () => own * (1 + 0.01 * (random() - 0.5)));
  });
}

it("counts what differs between groups, which pooling would take for many values", () => {
  const random = seededRandom(7);
  const cases = 30;
  let held = 0;
  for (let i = 0; i < cases; i++) {
    const { low, high } = ratioInterval(groups(8, 0.2, random), groups(8, 0.2, random), how);
    if (low <= 1 && 1 <= high) held += 1;
  }
  expect(held / cases).toBeGreaterThan(0.8);
});

it("lies around the ratio", () => {
  const random = seededRandom(8);
  const { low, high } = ratioInterval(groups(12, 0.02, random), groups(12, 0.02, random, 110), how);
  expect(low).toBeGreaterThan(1.07);
  expect(high).toBeLessThan(1.13);
});

it("is the same each time, and none where there is one group or no ratio", () => {
  const random = seededRandom(9);
  const [a, b] = [groups(4, 0.1, random), groups(4, 0.1, random)];
  expect(ratioInterval(a, b, how)).toEqual(ratioInterval(a, b, how));
  expect(ratioInterval(a.slice(0, 1), b, how).low).toBeNaN();
  expect(ratioInterval([Float64Array.of(0), Float64Array.of(0)], b, how).low).toBeNaN();
});

function correlation(values: Float64Array, lag: number): number {
  const { mean, variance } = moments(values);
  let products = 0;
  for (let at = lag; at < values.length; at++)
    products += ((values[at] as number) - mean) * ((values[at - lag] as number) - mean);
  return products / variance / values.length;
}

const drawn = (noise: Float64Array, count: number, seed = 1): Float64Array => {
  const values = new Float64Array(count);
  drawNoise(noiseModel(noise), seededRandom(seed), values);
  return values;
};

describe("drawn noise", () => {
  const long = (kind: keyof typeof noises): Float64Array => Float64Array.from(noises[kind](2000, seededRandom(11)));

  it.each(["gauss", "lognormal", "bimodal", "spiky", "autocorrelated", "seasonal"] as const)(
    "is spread and shaped as %s is",
    (kind) => {
      const [true_, again] = [moments(long(kind)), moments(drawn(long(kind), 20_000))];
      expect(again.variance / true_.variance).toBeGreaterThan(0.85);
      expect(again.variance / true_.variance).toBeLessThan(1.15);
    },
  );

  it("keeps what hangs together with the value before", () => {
    const again = drawn(long("autocorrelated"), 20_000);
    expect(correlation(again, 1)).toBeCloseTo(0.5, 1);
    expect(correlation(again, 2)).toBeCloseTo(0.25, 1);
  });

  it("keeps weekends", () => {
    const again = drawn(long("seasonal"), 20_000);
    expect(correlation(again, 7)).toBeGreaterThan(0.2);
    expect(correlation(again, 3)).toBeLessThan(-0.15);
  });

  it("of independent values is independent, and has only values that there are", () => {
    const noise = long("gauss");
    const again = drawn(noise, 5000);
    expect(Math.abs(correlation(again, 1))).toBeLessThan(0.05);
    expect(again.every((value) => noise.includes(value))).toBe(true);
  });

  it("is the same for the same seed, and finite for whatever values", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1e9, max: 1e9, noNaN: true }), { minLength: 2, maxLength: 40 }),
        fc.integer(),
        (list, seed) => {
          const noise = Float64Array.from(list);
          expect(drawn(noise, 50, seed)).toEqual(drawn(noise, 50, seed));
          expect(drawn(noise, 50, seed).every(Number.isFinite)).toBe(true);
        },
      ),
    );
  });
});

it("intervals of shares are Wilson's", () => {
  // (p + z²/2n ± z √(p(1 - p)/n + z²/4n²)) / (1 + z²/n) of p = 0.06, n = 50, by hand.
  expect(wilsonInterval(3, 50).low).toBeCloseTo(0.020615, 5);
  expect(wilsonInterval(3, 50).high).toBeCloseTo(0.16218, 4);
  expect(wilsonInterval(0, 10)).toMatchObject({ low: 0 });
  expect(wilsonInterval(10, 10)).toMatchObject({ high: 1 });
});
