import fc from "fast-check";
import { expect, it } from "vitest";
import { seededRandom } from "../sampling/index.ts";
import { credibleSet, cutPosterior } from "./cut-posterior.ts";
import { noiseAbout } from "./noise.ts";

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

it("is certain of a step without noise", () => {
  const values = Float64Array.from([7, 7, 7, 7, 9, 9, 9]);
  const posterior = cutPosterior(values, 0, 7, noiseAbout(values, [4]));
  expect(posterior[3]).toBeCloseTo(1, 10);
  expect(credibleSet(posterior, 0.95)).toMatchObject({ items: [3] });
});

it("agrees with the sums of squares of both levels, computed one by one", () => {
  const numbers = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 4, maxLength: 30 });
  fc.assert(
    fc.property(numbers, fc.integer({ min: -1000, max: 1000 }), (list, offset) => {
      const values = Float64Array.from(list, (value, at) => value + offset + at / 7);
      const noise = { ...noiseAbout(values, [values.length >> 1]), correlation: 0 };
      const squares = (part: Float64Array): number => {
        const mean = part.reduce((sum, value) => sum + value, 0) / part.length;
        return part.reduce((sum, value) => sum + (value - mean) ** 2, 0);
      };
      const all = Array.from({ length: values.length - 1 }, (_, at) => {
        return squares(values.slice(0, at + 1)) + squares(values.slice(at + 1));
      });
      const outside = Math.max(0, noise.variance * noise.freedom - Math.min(...all));
      const slow = all.map((each, at) => {
        return (outside + each) ** (-noise.freedom / 2) / Math.sqrt((at + 1) * (values.length - at - 1));
      });
      const total = slow.reduce((sum, each) => sum + each, 0);
      const fast = cutPosterior(values, 0, values.length, noise);
      for (const [at, each] of slow.entries()) expect(fast[at]).toBeCloseTo(each / total, 8);
    }),
  );
});

it("holds the position at least as often as it says, with fewer items for larger steps", () => {
  const sizes = [1, 2, 4].map((step) => {
    const random = seededRandom(step);
    let [held, size] = [0, 0];
    for (let trial = 0; trial < 300; trial++) {
      const cut = 5 + Math.floor(random() * 30);
      const values = Float64Array.from({ length: 40 }, (_, at) => 100 + normal(random) + (at >= cut ? step : 0));
      const { items } = credibleSet(cutPosterior(values, 0, 40, noiseAbout(values, [cut])), 0.95);
      held += items.includes(cut - 1) ? 1 : 0;
      size += items.length;
    }
    expect(held / 300).toBeGreaterThan(0.95);
    return size / 300;
  });
  expect(sizes[0]).toBeGreaterThan(10);
  expect(sizes[1]).toBeLessThan(10);
  expect(sizes[2]).toBeLessThan(2);
});

it("takes the fewest items that reach the wanted sum", () => {
  expect(credibleSet(Float64Array.of(0.05, 0.5, 0.05, 0.4), 0.9)).toEqual({ items: [1, 3], probability: 0.9 });
});

it("takes the same items as all shares in order, the first of equal ones", () => {
  const shares = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(shares, fc.double({ min: 0, max: 1.1, noNaN: true }), (weights, wanted) => {
      const total = Math.max(
        1,
        weights.reduce((sum, weight) => sum + weight, 0),
      );
      const all = Float64Array.from(weights, (weight) => weight / total);
      const order = [...all.keys()].sort((a, b) => (all[b] as number) - (all[a] as number) || a - b);
      const items: number[] = [];
      let probability = 0;
      for (const at of order) {
        if (probability >= wanted) break;
        items.push(at);
        probability += all[at] as number;
      }
      const expected = { items: items.sort((a, b) => a - b), probability: Math.min(1, probability) };
      expect(credibleSet(all, wanted)).toEqual(expected);
    }),
    { seed: 7, numRuns: 500 },
  );
});
