import { expect, it } from "vitest";
import type { Verdict } from "../../core/verdicts/verdict.ts";
import { seededRandom } from "../../math/sampling/seeded-random.ts";
import { judgeDefaults } from "./decision.ts";
import { decided } from "./judge.ts";
import { estimateSequential, isSettled, openVerdicts, pairsToDecide } from "./sequential-pairs.ts";
import { timeSubject } from "../../../test/series/time-subject.ts";

function verdictOf(ratios: readonly number[]): Verdict {
  const before = Float64Array.from(ratios, (_, at) => 100 + at);
  const after = before.map((value, at) => value * ratios[at]!);
  return decided(estimateSequential(timeSubject, before, after, judgeDefaults));
}

it("seven pairs on one side are a change", () => {
  expect(verdictOf([1.05, 1.04, 1.06, 1.05, 1.05, 1.03])).toMatchObject({ outcome: "inconclusive", deltaLow: null });
  const worse = verdictOf([1.05, 1.04, 1.06, 1.05, 1.05, 1.03, 1.07]);
  expect(worse).toMatchObject({ outcome: "worse", test: "sequential sign" });
  expect([worse.delta, worse.deltaLow, worse.deltaHigh].map((each) => each!.toFixed(3))).toEqual([
    "0.050",
    "0.030",
    "0.070",
  ]);
  expect(isSettled(worse, judgeDefaults)).toBe(true);
});

it("is the same within the margin, and goes on while a change is suspected", () => {
  const same = verdictOf([1.01, 0.99, 1.01, 0.99, 1.02, 0.98, 1]);
  expect(same).toMatchObject({ outcome: "same", reason: "within ±2.0 %" });
  expect(isSettled(same, judgeDefaults)).toBe(true);
  const suspected = verdictOf([1.01, 0.99, 1.01, 1.01, 1.02, 1.02, 1.01]);
  expect(suspected.outcome).toBe("same");
  expect(isSettled(suspected, judgeDefaults)).toBe(false);
});

it("estimates the pairs that would settle it", () => {
  const noisy = verdictOf([1.2, 0.8, 1.1, 0.9, 1.01, 0.99, 1.3, 0.7]);
  expect(noisy.outcome).toBe("inconclusive");
  expect(noisy.reason).toMatch(/^may differ by 30.0 %; about \d+ more pairs would settle it$/);
  expect(noisy.morePairs).toBeGreaterThan(8);
  const sorted = Float64Array.of(0.8, 0.9, 1.1, 1.2);
  expect(pairsToDecide(sorted, 0.05, 0.05)).toBeNull();
  // Pairs that always have one sign decide with the seventh.
  expect(pairsToDecide(Float64Array.of(1.1, 1.2, 1.3), 0.05, 0.05)).toBe(4);
  expect(pairsToDecide(new Float64Array(), 0.05, 0.05)).toBeNull();
});

it("alarms in at most 5 % of unchanged pairs that are looked at after each", () => {
  const random = seededRandom(3);
  let alarms = 0;
  for (let trial = 0; trial < 200; trial++) {
    const ratios: number[] = [];
    let verdict: Verdict;
    do {
      ratios.push(Math.exp(0.2 * (random() - 0.5)));
      verdict = verdictOf(ratios);
    } while (ratios.length < 30 && !isSettled(verdict, judgeDefaults));
    if (verdict.outcome === "worse" || verdict.outcome === "better") alarms += 1;
  }
  expect(alarms).toBeGreaterThan(0);
  expect(alarms).toBeLessThanOrEqual(10);
});

it("CPU time does not leave a comparison open that wall time decides", () => {
  const verdict = (metric: string, outcome: Verdict["outcome"]): Verdict => ({
    ...verdictOf([1]),
    subject: { ...timeSubject, metric },
    outcome,
  });
  const cpu = verdict("cpu-time", "inconclusive");
  expect(openVerdicts([verdict("time", "same"), cpu])).toEqual([]);
  expect(openVerdicts([verdict("time", "inconclusive"), cpu])).toHaveLength(2);
});
