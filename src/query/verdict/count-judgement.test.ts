import { describe, expect, test } from "vitest";
import { instructions } from "../../../test/series/instructions.ts";
import type { Subject } from "../../core/measurements/series.ts";
import { parseUnit } from "../../core/values/unit.ts";
import { judgeDefaults } from "./decision.ts";
import { judge } from "./judge.ts";

function judged(old: number[], now: number[], subject: Subject = instructions) {
  return judge(subject, [Float64Array.from(old)], [Float64Array.from(now)]);
}

describe("counts that repeat are exact, whatever the number of values", () => {
  test.each([
    ["one value each, the same", [82786482], [82786482], "same", 0],
    ["one value each, but for a few events", [743599458], [743599425], "same", -4.4e-8],
    ["a side that repeats", [1_000_000, 1_000_003], [1_096_000], "worse", 0.096],
    ["two values each", [988_000_000, 988_000_007], [743_599_425, 743_599_458], "better", -0.247],
    ["a small change", [10_000_000, 10_000_000], [10_001_000, 10_001_000], "worse", 1e-4],
  ])("%s", (_, old, now, outcome, delta) => {
    const verdict = judged(old, now);
    expect(verdict).toMatchObject({ outcome, test: "exact" });
    expect(verdict.delta).toBeCloseTo(delta, 3);
    expect([verdict.deltaLow, verdict.deltaHigh]).toEqual([verdict.delta, verdict.delta]);
  });

  test("also of very many values", () => {
    const many = Array<number>(200_000).fill(82786482);
    expect(judged(many, many)).toMatchObject({ outcome: "same", test: "exact" });
  });

  test("but for changes below the least effect", () => {
    const sides = [
      [1e7, 1e7],
      [1.005e7, 1.005e7],
    ].map((values) => [Float64Array.from(values)]);
    const options = { ...judgeDefaults, minEffect: 0.01 };
    expect(judge(instructions, sides[0]!, sides[1]!, options).outcome).toBe("same");
  });
});

describe("single counts of a steady event are judged by an assumed noise of 1 %", () => {
  test.each([
    ["+9.6 %", 1_096_000, "worse"],
    ["-24 %", 760_000, "better"],
    ["+1 %, which may be more", 1_020_000, "inconclusive"],
    ["+0.1 %", 1_001_000, "same"],
  ])("%s", (_, now, outcome) => {
    const verdict = judged([1_000_000], [now]);
    expect(verdict).toMatchObject({ outcome, test: "assumed noise" });
    expect(verdict.reason).toMatch(/counts are assumed to vary by 1 %/);
  });
});

test.each([
  ["cycles", { metric: "cycles" }],
  ["times", { metric: "instructions", unit: parseUnit("ms") }],
  ["rates", { metric: "instructions", better: "higher" as const }],
])("%s are no counts to judge by one value", (_, other) => {
  expect(judged([1_000_000], [2_000_000], { ...instructions, ...other })).toMatchObject({
    outcome: "inconclusive",
    reason: "fewer than 4 values on a side",
  });
});

test("small integers, equal by chance or rounding, and values that do not repeat need a test", () => {
  expect(judged([12, 12], [13, 13])).toMatchObject({ outcome: "inconclusive", test: "mann-whitney" });
  expect(judged([1_000_000, 1_200_000], [1_100_000, 1_300_000], { ...instructions, metric: "misses" }).outcome).toBe(
    "inconclusive",
  );
});
