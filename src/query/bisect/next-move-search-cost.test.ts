import { expect, test } from "vitest";
import { seededRandom } from "../../math/sampling/seeded-random.ts";
import { binarySearchCost } from "./next-move.ts";

/** Success rate of binary search with this number of repetitions in 4000 trials with normal noise. */
function shareRight(last: number, step: number, repetitions: number): number {
  const random = seededRandom(11);
  const mean = (level: number): number =>
    level + (Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())) / Math.sqrt(repetitions);
  let right = 0;
  for (let trial = 0; trial < 4000; trial++) {
    const first = 1 + Math.floor(random() * last);
    const middle = (mean(0) + mean(step)) / 2;
    let [good, bad] = [0, last];
    while (bad - good > 1) {
      const position = (good + bad) >> 1;
      if (mean(position >= first ? step : 0) > middle) bad = position;
      else good = position;
    }
    if (bad === first) right += 1;
  }
  return right / 4000;
}

test.each([1, 2.5, 5])(
  "the returned number of repetitions suffices at a step of %d deviations, one less does not",
  (step) => {
    const { repetitions, measurements } = binarySearchCost(64, step, 0.95);
    expect(measurements).toBe(8 * repetitions);
    expect(shareRight(64, step, repetitions)).toBeGreaterThan(0.95 - 0.01);
    expect(shareRight(64, step, repetitions - 1)).toBeLessThan(0.95 + 0.01);
  },
);

test("measures each version once without noise, and needs no search for one candidate", () => {
  expect(binarySearchCost(64, Number.POSITIVE_INFINITY, 0.95)).toEqual({ repetitions: 1, measurements: 8 });
  expect(binarySearchCost(1, 1, 0.95)).toEqual({ repetitions: 1, measurements: 2 });
});
