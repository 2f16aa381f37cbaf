import { describe, expect, it } from "vitest";
import { seededRandom } from "../../math/sampling/seeded-random.ts";
import type { Verdict } from "../../core/verdicts/verdict.ts";
import { judge } from "./judge.ts";
import { timeSubject } from "../../../test/series/time-subject.ts";

/** Values at two levels, the slow one 2.2 times the fast one, with a scatter of 2 %. */
function side(count: number, slow: number, level: number, seed: number): Float64Array {
  const random = seededRandom(seed);
  return Float64Array.from({ length: count }, (_, at) => {
    const mode = at < slow * count ? 2.2 : 1;
    return level * mode * (1 + 0.02 * (random() + random() - 1));
  });
}

const judged = (old: Float64Array, now: Float64Array): Verdict => judge(timeSubject, [old], [now]);

describe("values with two levels", () => {
  it("change by the level, not by how often it is taken", () => {
    const verdict = judged(side(20, 0.35, 100, 1), side(20, 0.8, 105, 2));
    expect(verdict).toMatchObject({
      outcome: "worse",
      effect: "shift-within-levels",
      modes: { before: 0.65, after: 0.2 },
    });
    expect(verdict.delta).toBeCloseTo(0.05, 1);
    expect(verdict.deltaLow).toBeGreaterThan(0.02);
    expect(verdict.deltaHigh).toBeLessThan(0.08);
    expect(verdict.reason).toContain("two levels: 65 % of the old are at the better one, 20 % of the new");
  });

  it("are inconclusive if only the share of a level changed", () => {
    let alarms = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const { outcome, p } = judged(side(20, 0.2, 100, seed), side(20, 0.8, 100, 1000 + seed));
      if (p! <= 0.05) alarms += 1;
      else expect(outcome).toBe("inconclusive");
    }
    expect(alarms).toBeLessThanOrEqual(5);
  });

  it("are the same if neither changed", () => {
    expect(judged(side(40, 0.5, 100, 3), side(40, 0.45, 100, 4))).toMatchObject({ outcome: "same" });
  });

  it("are compared as a whole if the sides have no level in common", () => {
    const verdict = judged(side(20, 0, 100, 5), side(20, 1, 100, 6));
    expect(verdict).toMatchObject({ outcome: "worse", test: "mann-whitney" });
    expect(verdict.delta).toBeCloseTo(1.2, 1);
  });

  it("are not seen in a coarse clock, in one level, or in few outliers", () => {
    const ticks = Float64Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? 4 : 8));
    for (const [old, now] of [
      [ticks, ticks.map((value) => value + (value === 4 ? 4 : 0))],
      [side(20, 0, 100, 7), side(20, 0, 110, 8)],
      [side(20, 0.05, 100, 9), side(20, 0.05, 110, 10)],
    ] as const)
      expect(judged(old, now).effect).not.toBe("shift-within-levels");
  });
});

it("the size is never at the far end of its interval", () => {
  const old = Float64Array.from({ length: 20 }, (_, at) => (at < 9 ? 200 + at : 100 + 5 * at));
  const now = Float64Array.from({ length: 20 }, (_, at) => (at < 11 ? 202 + at : 101 + 5 * at));
  const { delta, deltaLow, deltaHigh } = judged(old, now);
  expect(delta).toBeGreaterThan(deltaLow!);
  expect(delta).toBeLessThan(deltaHigh! - 0.05 * (deltaHigh! - deltaLow!));
});
