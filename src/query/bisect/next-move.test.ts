import fc from "fast-check";
import { expect, test } from "vitest";
import { bisectPlanted, type PlantedStep } from "../../../test/series/planted-step.ts";
import { nextMove, suspectsOf, binarySearchCost } from "./next-move.ts";
import { posterior } from "./posterior.ts";

const usual: PlantedStep = { seed: 1, last: 64, noise: "gauss", deviation: 0.02, effect: 0.05 };

function trials(planted: Partial<PlantedStep>, count = 12): { right: number; measurements: number } {
  const all = Array.from({ length: count }, (_, seed) => bisectPlanted({ ...usual, ...planted, seed: seed + 1 }));
  const right = all.filter(({ first, found }) => found?.from === first && found.to === first).length;
  return { right, measurements: all.reduce((sum, one) => sum + one.measurements.length, 0) / all.length };
}

test.each(["gauss", "lognormal", "negative", "bimodal", "student", "spiky", "drifting", "autocorrelated"] as const)(
  "finds a step of 2.5 deviations in %s noise with fewer measurements than binary search",
  (noise) => {
    const { right, measurements } = trials({ noise });
    // With a success rate of 95 %, fewer than 9 of 12 successes have a probability of 0.002.
    expect(right).toBeGreaterThanOrEqual(9);
    expect(measurements).toBeLessThan(binarySearchCost(64, 2.5, 0.95).measurements);
  },
);

test.each(["drifting", "lasting"] as const)("finds a step of one standard deviation in %s noise", (noise) => {
  const all = Array.from({ length: 6 }, (_, seed) =>
    bisectPlanted({ ...usual, noise, effect: 0.02, seed: seed + 50 }, { confidence: 0.95, maxEndMeasurements: 150 }),
  );
  // Without drift detection it is one or two of six.
  expect(all.filter(({ first, found }) => found?.from === first).length).toBeGreaterThanOrEqual(5);
});

test("finds an improvement like a regression, and a doubling with few measurements", () => {
  expect(trials({ effect: -0.1 }).right).toBeGreaterThanOrEqual(11);
  const { right, measurements } = trials({ effect: 1 });
  expect([right, measurements]).toEqual([12, expect.toSatisfy((mean: number) => mean <= 6 + Math.log2(64) + 1.5)]);
});

test("does not mistake two peaks for a step", () => {
  const all = Array.from({ length: 20 }, (_, seed) =>
    bisectPlanted(
      { ...usual, noise: "bimodal", effect: 0, seed: seed + 1 },
      { confidence: 0.95, maxEndMeasurements: 12 },
    ),
  );
  expect(all.filter(({ found }) => found !== null).length).toBeLessThanOrEqual(2);
});

test("measures a version once without noise, and the ends often enough to see that", () => {
  const { measurements, found, first } = bisectPlanted({ ...usual, deviation: 0 });
  expect(found).toMatchObject({ from: first, to: first });
  expect(measurements.length).toBeLessThanOrEqual(4 + Math.log2(64));
});

test("reports ends without a difference after the requested number of measurements", () => {
  const { found, measurements } = bisectPlanted({ ...usual, effect: 0 }, { confidence: 0.95, maxEndMeasurements: 7 });
  expect(found).toBeNull();
  expect(measurements.map(({ position }) => position)).toEqual(
    Array.from({ length: 14 }, (_, at) => (at % 2 === 0 ? 0 : 64)),
  );
});

test("never measures skipped versions, and suspects them together with the next measurable one", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1000 }),
      fc.uniqueArray(fc.integer({ min: 1, max: 15 })),
      (seed, positions) => {
        const skipped = new Set(positions);
        const { first, found, measurements } = bisectPlanted({ ...usual, seed, last: 16, deviation: 0, skipped });
        expect(measurements.filter(({ position }) => skipped.has(position))).toEqual([]);
        expect(found!.from).toBeLessThanOrEqual(first);
        expect(found!.to).toBeGreaterThanOrEqual(first);
        expect(skipped.has(found!.to)).toBe(false);
        expect(skipped.has(found!.from - 1)).toBe(false);
      },
    ),
    { numRuns: 50, seed: 1 },
  );
});

test("measures no version more often than the ends", () => {
  const trial = bisectPlanted({ ...usual, seed: 4, effect: 0.03 });
  const counts = new Map<number, number>();
  for (const { position } of trial.measurements) counts.set(position, (counts.get(position) ?? 0) + 1);
  const inner = [...counts].filter(([position]) => position > 0 && position < 64).map(([, count]) => count);
  expect(Math.max(...inner)).toBeGreaterThan(3);
  expect(Math.max(...inner)).toBeLessThanOrEqual(Math.min(counts.get(0)!, counts.get(64)!));
});

test("is deterministic, whatever the unit", () => {
  const { measurements } = bisectPlanted(usual);
  for (let count = 0; count < measurements.length; count++) {
    const evidence = { last: 64, skipped: new Set<number>(), measurements: measurements.slice(0, count) };
    const scaled = {
      ...evidence,
      measurements: evidence.measurements.map((one) => ({ ...one, value: one.value * 1024 })),
    };
    expect(nextMove(evidence, { confidence: 0.95, maxEndMeasurements: 25 })).toEqual({
      kind: "measure",
      position: measurements[count]!.position,
    });
    expect(nextMove(scaled, { confidence: 0.95, maxEndMeasurements: 25 })).toEqual({
      kind: "measure",
      position: measurements[count]!.position,
    });
  }
});

test("probabilities sum to 1 and follow the measurements", () => {
  const ends = [0, 0, 0, 8, 8, 8].map((position, at) => ({
    position,
    value: (position === 0 ? 100 : 110) + (at % 3) - 1,
  }));
  const evidence = { last: 8, skipped: new Set<number>(), measurements: [...ends, { position: 4, value: 110 }] };
  const probabilities = posterior(evidence);
  expect(probabilities.reduce((sum, next) => sum + next, 0)).toBeCloseTo(1, 12);
  expect(suspectsOf(evidence).map(({ to }) => to)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  for (const position of [1, 2, 3, 4]) expect(probabilities[position - 1]).toBeCloseTo(probabilities[0]!, 12);
  expect(probabilities[0]! / probabilities[7]!).toBeGreaterThan(20);
});

test("needs no search for one candidate", () => {
  const measurements = [0, 1, 0, 1].map((position) => ({ position, value: 100 + position }));
  const move = nextMove({ last: 1, skipped: new Set(), measurements }, { confidence: 0.95, maxEndMeasurements: 25 });
  expect(move).toEqual({ kind: "found", suspects: { from: 1, to: 1, probability: 1 } });
});

test.each([
  [0, 4],
  [1e-320, 4e-320],
  [-1e308, 1e308],
])("yields finite probabilities for mostly equal ends and extreme numbers (%d, %d)", (usualValue, other) => {
  const measurements = Array.from({ length: 40 }, (_, at) => ({
    position: at % 2 === 0 ? 0 : 8,
    value: at % 4 === 3 && at > 4 ? other : usualValue,
  }));
  const probabilities = posterior({
    last: 8,
    skipped: new Set(),
    measurements: [...measurements, { position: 4, value: usualValue }],
  });
  expect(probabilities.reduce((sum, next) => sum + next, 0)).toBeCloseTo(1, 9);
});
