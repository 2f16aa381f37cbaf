import { describe, expect, it } from "vitest";
import { isDegradation, isOptimization } from "../../src/core/change.ts";
import { jsonObject } from "../../src/core/json.ts";
import type { Run } from "../../src/core/run.ts";
import { profileOf } from "../../src/formats/profile-of.ts";
import type { Checker } from "../../src/plugins/checkers/checker.ts";

/** A profile with so many amounts of each location. */
export function amountsRun(amounts: Readonly<Record<string, readonly number[]>>, unit = "ms"): Run {
  return profileOf({
    type: "time",
    cmd: "./sort",
    workload: "",
    units: { time: unit },
    collector: { name: "time", params: jsonObject({}) },
    subjects: Object.entries(amounts).map(([uid, values]) => ({
      properties: jsonObject({ uid, type: "time" }),
      columns: [{ name: "amount", type: "float", values }],
    })),
  });
}

/** Noise of 2 % that is the same on every machine. */
function noisy(level: number): number[] {
  return Array.from({ length: 50 }, (_, i) => level * (1 + 0.02 * Math.sin(i * 12.9898)));
}

/** What every checker of two profiles does. */
export function checkerContract(checker: Checker): void {
  describe(`checker ${checker.name}`, () => {
    const none = new Map();
    const base = amountsRun({ swap: noisy(100), main: noisy(5) });

    it("is frozen and writes its full name into what it finds", () => {
      expect(Object.isFrozen(checker)).toBe(true);
      const changes = checker.check(base, base, none);
      expect(changes.every((change) => change.method === checker.method)).toBe(true);
    });

    it("sees no change between equal runs and under noise", () => {
      const again = amountsRun({ swap: noisy(101), main: noisy(4.95) });
      for (const target of [base, again]) {
        const found = checker.check(base, target, none).filter((change) => isDegradation(change) || isOptimization(change));
        expect(found).toEqual([]);
      }
    });

    it("finds a planted change, and the mirrored one in the mirror", () => {
      const slower = amountsRun({ swap: noisy(1000), main: noisy(5) });
      const there = checker.check(base, slower, none).filter(isDegradation);
      const back = checker.check(slower, base, none).filter(isOptimization);
      expect(there.map((change) => change.location)).toEqual(["swap"]);
      expect(back.map((change) => change.location)).toEqual(["swap"]);
    });

    it("passes over locations of one side, in order, without touching the runs", () => {
      const other = amountsRun({ main: noisy(5), only: noisy(1), swap: noisy(100) });
      const before = structuredClone(base.data);
      expect(checker.check(base, other, none).map((change) => change.location)).toEqual(["main", "swap"]);
      expect(base.data).toEqual(before);
      expect(checker.check(amountsRun({}), other, none)).toEqual([]);
    });
  });
}
