import { expect, it } from "vitest";
import { seededRandom } from "./seeded-random.ts";
import { ratioInterval } from "./ratio-bootstrap.ts";

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
