import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changeResults, isDegradation, isOptimization, type Change } from "../../src/core/verdicts/change.ts";
import { JsonNumber, jsonObject, type Json } from "../../src/core/values/json.ts";
import type { Run } from "../../src/core/profiles/run.ts";
import { profileOf } from "../../src/formats/profile/build-profile.ts";
import type { Checker } from "../../src/plugins/checkers/checker.ts";
import { regressionAnalysis } from "../../src/plugins/postprocessors/regression-analysis.ts";
import { pointsRun } from "./postprocessor.ts";

/** A profile with these amounts of each location; `subtype`: of a measured event, whose type is mixed. */
export function amountsRun(amounts: Readonly<Record<string, readonly number[]>>, unit = "ms", subtype?: string): Run {
  const type = subtype === undefined ? "time" : "mixed";
  return profileOf({
    type,
    cmd: "./sort",
    workload: "",
    units: { [type]: unit },
    collector: { name: "time", params: jsonObject({}) },
    subjects: Object.entries(amounts).map(([uid, values]) => ({
      properties: jsonObject({ uid, type, ...(subtype === undefined ? {} : { subtype }) }),
      columns: [{ name: "amount", type: "float", values }],
    })),
  });
}

/** Noise of 2 % that is the same on every machine. */
function noisy(level: number, seed: number): number[] {
  return Array.from({ length: 50 }, (_, i) => level * (1 + 0.02 * Math.sin(i * 12.9898 + seed)));
}

/** What a checker is shown: the same work again and again, of which some locations became slow. */
export interface CheckerScene {
  /** Locations that every run has, by name. */
  readonly locations: readonly string[];
  /** `noise` makes two runs of the same work differ as two measurements do; 0: not at all. */
  run(locations: readonly string[], slow: readonly string[], noise: number): Run;
  /** What it tells beside the locations: the whole of a binary. */
  readonly totals?: readonly string[];
  /** True: what one side lacks is told as well. */
  readonly reportsOneSided?: boolean;
}

const costs = [100, 5, 20, 60, 30, 8, 45, 77, 12];

function costOf(location: string): number {
  return costs[(location.codePointAt(0) ?? 0) % costs.length] ?? 1;
}

/** Amounts, ten times as great where a location became slow. */
const amountsScene: CheckerScene = {
  locations: ["main", "swap"],
  run: (locations, slow, noise) =>
    amountsRun(
      Object.fromEntries(locations.map((name) => [name, noisy(costOf(name) * (slow.includes(name) ? 10 : 1), noise)])),
    ),
};

/**
 * Formulas fitted to amounts by size: a line, three times as steep with size where a location became slow; or a
 * parabola.
 */
export function modelsScene(grows = false): CheckerScene {
  const cost = (name: string, slow: boolean, x: number): number =>
    costOf(name) * (slow ? (grows ? (x * x) / 10 : 3 * x) : x);
  return {
    locations: ["main", "swap"],
    run: (locations, slow, noise) => {
      const points = locations.map((name) => {
        const amounts = noisy(1, noise).map(
          (factor, i) => [i + 1, cost(name, slow.includes(name), i + 1) * factor] as const,
        );
        return [name, amounts] as const;
      });
      return regressionAnalysis.apply(pointsRun(Object.fromEntries(points)), new Map());
    },
  };
}

/** What every checker of two profiles does. */
export function checkerContract(checker: Checker, scene: CheckerScene = amountsScene): void {
  describe(`checker ${checker.name}`, () => {
    const { locations, totals = [] } = scene;
    const none = new Map();
    const planted = "swap";
    const base = scene.run(locations, [], 0);
    const found = (before: Run, after: Run, kind: typeof isDegradation): string[] =>
      checker
        .check(before, after, none)
        .filter(kind)
        .map((change) => change.location);

    it("is frozen, and writes its full name and types that it tells beforehand into what it finds", () => {
      expect(Object.isFrozen(checker)).toBe(true);
      const changes = [
        ...checker.check(base, base, none),
        ...checker.check(base, scene.run(locations, [planted], 1), none),
      ];
      expect(changes.length).toBeGreaterThan(0);
      expect(changes.every((change) => change.method === checker.method)).toBe(true);
      const isTold = ({ type }: Change): boolean => checker.types === undefined || checker.types.includes(type);
      expect(changes.filter((change) => change.result !== "NoChange" && !isTold(change))).toEqual([]);
    });

    it("sees no change between equal runs and under noise", () => {
      for (const noise of [0, 1, 2, 3]) {
        const target = scene.run(locations, [], noise);
        expect([...found(base, target, isDegradation), ...found(base, target, isOptimization)]).toEqual([]);
      }
    });

    it("finds a planted change, and the mirrored one in the mirror", () => {
      const slower = scene.run(locations, [planted], 0);
      const expected = [planted, ...totals].sort();
      expect(found(base, slower, isDegradation).sort()).toEqual(expected);
      expect(found(slower, base, isOptimization).sort()).toEqual(expected);
    });

    it("tells locations in order, without touching the runs", () => {
      const other = scene.run([...locations.filter((name) => name !== "main"), "only"], [], 0);
      const before = structuredClone(base.data);
      const told = checker.check(base, other, none).map((change) => change.location);
      const both = locations.filter((name) => name !== "main");
      expect(told).toEqual([...both, ...totals, ...(scene.reportsOneSided ? ["main", "only"] : [])].sort());
      expect(base.data).toEqual(before);
      expect(
        checker
          .check(amountsRun({}), other, none)
          .filter((change) => !scene.reportsOneSided || change.location === "x"),
      ).toEqual([]);
    });

    it("answers whatever models a profile of others may hold", () => {
      const both = fc.tuple(
        fc.array(anyModel, { maxLength: 6 }),
        fc.array(anyModel, { maxLength: 6 }),
        fc.constantFrom(null, "perun"),
      );
      fc.assert(
        fc.property(both, ([before, after, compat]) => {
          const options = new Map<string, string | null>([
            ["compat", compat],
            ["models-type", "all-models"],
          ]);
          const [from, to] = [before, after].map((models) => ({ ...base, models }));
          for (const change of checker.check(from ?? base, to ?? base, options))
            expect(changeResults).toContain(change.result);
        }),
        { numRuns: 60 },
      );
    });
  });
}

const number = fc
  .oneof(fc.double(), fc.integer({ min: -5, max: 100 }), fc.constantFrom(0, 1e308, -1e308, 5e-324))
  .map((value) => JsonNumber.float(value));
const odd = fc.constantFrom<Json>(null, "much", true, [], new Map());
const value: fc.Arbitrary<Json> = fc.oneof({ weight: 9, arbitrary: number }, { weight: 1, arbitrary: odd });
const rSquared = fc.oneof(value, fc.constantFrom<Json>(JsonNumber.float(0.95), JsonNumber.float(1)));

/** A record as models are kept, of right and of wrong content. */
const anyModel: fc.Arbitrary<Json> = fc
  .record({
    uid: fc.constantFrom<Json>("main", "swap", null, jsonObject({ function: "f", line: JsonNumber.integer(3) })),
    model: fc.constantFrom<Json>(
      "constant",
      "exponential",
      "linear",
      "logarithmic",
      "power",
      "quadratic",
      "regressogram",
      "moving_average",
      "",
    ),
    r_square: rSquared,
    x_start: value,
    x_end: value,
    coeffs: fc
      .array(value, { maxLength: 3 })
      .map((list): Json => list.map((each, i) => jsonObject({ name: `b${i}`, value: each }))),
    bucket_stats: fc.array(value, { maxLength: 60 }).map((list): Json => list),
  })
  .map((record) => jsonObject(record));
