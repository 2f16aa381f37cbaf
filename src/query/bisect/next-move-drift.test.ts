import { expect, test } from "vitest";
import { searchNoises } from "../../../test/series/planted-step.ts";
import { seededRandom } from "../../math/sampling/seeded-random.ts";
import { withoutDrift } from "./next-move.ts";
import type { Evidence } from "./evidence.ts";

/** Ends in turn, and a good version in the middle of each third pair. */
function measured(noise: (at: number) => number, count = 36): Evidence {
  const measurements = Array.from({ length: count }, (_, at) => {
    const position = at % 3 === 2 ? 4 : at % 3 === 0 ? 0 : 8;
    return { position, value: (position === 8 ? 110 : 100) + noise(at) };
  });
  return { last: 8, skipped: new Set(), measurements };
}

function spread(evidence: Evidence, position: number): number {
  const values = evidence.measurements.flatMap((one) => (one.position === position ? [one.value] : []));
  return Math.max(...values) - Math.min(...values);
}

test("removes the drift of the ends from all measurements, and keeps levels", () => {
  const evidence = measured((at) => 6 * Math.sin(at / 8));
  const steady = withoutDrift(evidence)!;
  expect(spread(evidence, 4)).toBeGreaterThan(11);
  for (const position of [0, 4, 8]) expect(spread(steady, position)).toBeLessThan(4);
  const [good, bad] = [0, 8].map((position) =>
    steady.measurements.filter((one) => one.position === position).reduce((sum, { value }) => sum + value / 12, 0),
  );
  expect(bad! - good!).toBeCloseTo(10, 0);
});

test.each(["gauss", "lognormal", "bimodal", "spiky"] as const)("rarely detects a drift in %s noise", (kind) => {
  const seen = Array.from({ length: 100 }, (_, seed) => {
    const noise = searchNoises[kind](36, seededRandom(seed));
    return withoutDrift(measured((at) => noise[at]!)) !== null;
  });
  expect(seen.filter(Boolean).length).toBeLessThanOrEqual(8);
});

test("detects no drift with few measurements or without scatter", () => {
  expect(withoutDrift(measured((at) => at, 10))).toBeNull();
  expect(withoutDrift(measured(() => 0))).toBeNull();
});
