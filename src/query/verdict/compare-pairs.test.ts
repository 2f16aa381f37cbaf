import { expect, it } from "vitest";
import { seededRandom } from "../../math/sampling/seeded-random.ts";
import type { Verdict } from "../../core/verdicts/verdict.ts";
import { estimatePairs } from "./compare.ts";
import { judgeDefaults } from "./decision.ts";
import { decided, judge } from "./judge.ts";
import { timeSubject } from "../../../test/series/time-subject.ts";

const judgePairs = (...sides: Parameters<typeof estimatePairs>): Verdict => decided(estimatePairs(...sides));

/** Pairs on a machine that drifts by half meanwhile. */
function drifting(n: number, change: number, seed: number): [Float64Array, Float64Array] {
  const random = seededRandom(seed);
  const level = (at: number): number => 100 * (1 + (0.5 * at) / n);
  const noise = (): number => 1 + 0.01 * (random() - 0.5);
  return [
    Float64Array.from({ length: n }, (_, at) => level(at) * noise()),
    Float64Array.from({ length: n }, (_, at) => level(at) * (1 + change) * noise()),
  ];
}

it("detects changes despite drift that hides them in the pooled values", () => {
  const [before, after] = drifting(12, 0.02, 1);
  expect(judge(timeSubject, [before], [after]).outcome).toBe("inconclusive");
  const verdict = judgePairs(timeSubject, before, after, judgeDefaults);
  expect(verdict).toMatchObject({ outcome: "worse", test: "signed-rank" });
  expect(verdict.delta).toBeCloseTo(0.02, 2);
  expect(verdict.p).toBeLessThan(0.001);
});

it("has a false-positive rate of alpha", () => {
  const words = Array.from(
    { length: 300 },
    (_, seed) => judgePairs(timeSubject, ...drifting(10, 0, seed + 10), judgeDefaults).outcome,
  );
  const alarms = words.filter((word) => word === "worse" || word === "better").length;
  expect(alarms).toBeGreaterThan(3);
  expect(alarms).toBeLessThan(27);
});

it("detects a change of the detectable size in most cases", () => {
  const detectable = judgePairs(timeSubject, ...drifting(12, 0, 5), judgeDefaults).detectable!;
  const seen = Array.from(
    { length: 200 },
    (_, seed) => judgePairs(timeSubject, ...drifting(12, detectable, seed + 50), judgeDefaults).outcome,
  );
  expect(seen.filter((word) => word === "worse").length).toBeGreaterThan(120);
});

it("does not decide by five pairs, and compares single values if some are not positive", () => {
  expect(judgePairs(timeSubject, ...drifting(5, 1, 3), judgeDefaults)).toMatchObject({
    outcome: "inconclusive",
    reason: "too few values for this alpha",
  });
  expect(judgePairs(timeSubject, Float64Array.of(0, 1, 2, 3), Float64Array.of(1, 2, 3, 4), judgeDefaults).test).toBe(
    "mann-whitney",
  );
});
