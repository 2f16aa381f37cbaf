import { describe, expect, it } from "vitest";
import { checkerContract, modelsScene } from "../../../test/contracts/checker.ts";
import { modelsRun, type WrittenModel } from "../../../test/contracts/model-runs.ts";
import type { Change } from "../../core/verdicts/change.ts";
import type { Run } from "../../core/profiles/run.ts";
import { integralComparison } from "./integral-comparison.ts";

checkerContract(integralComparison, modelsScene());

function compare(before: Run, after: Run, options: Record<string, string> = {}): readonly Change[] {
  return integralComparison.check(before, after, new Map(Object.entries(options)));
}

function one(model: Partial<WrittenModel>): Run {
  return modelsRun([{ model: "constant", coefficients: [10, 0], start: 0, end: 10, ...model }]);
}

describe("integralComparison", () => {
  it.each([
    [11, "NoChange", 0.1],
    [12, "MaybeDegradation", 0.2],
    [13, "Degradation", 0.3],
    [8, "MaybeOptimization", -0.2],
    [5, "Optimization", -0.5],
  ])("10 to %d is %s", (level, result, rate) => {
    const [change] = compare(one({}), one({ coefficients: [level, 0] }));
    expect(change).toMatchObject({ location: "f", result, type: "-", from: "constant", to: "constant" });
    expect(change?.rate).toBeCloseTo(rate, 12);
  });

  it("compares the common interval; Perun each complete interval", () => {
    expect(compare(one({}), one({ end: 30 }))[0]).toMatchObject({ result: "NoChange", rate: 0 });
    expect(compare(one({}), one({ end: 30 }), { compat: "perun" })[0]).toMatchObject({
      result: "Degradation",
      rate: 2,
    });
    expect(compare(one({}), one({ start: 20, end: 30 }))[0]?.result).toBe("Unknown");
  });

  it("integrates a logarithm; Perun a line of the same coefficients", () => {
    const growing = one({ model: "logarithmic", coefficients: [0, 10], start: 1 });
    const flat = one({ coefficients: [(10 * (10 * Math.log(10) - 9)) / 9, 0], start: 1 });
    expect(compare(flat, growing)[0]?.rate).toBeCloseTo(0, 12);
    expect(compare(flat, growing, { compat: "perun" })[0]?.rate).toBe(2.53);
  });

  it("skips models with low R²", () => {
    expect(compare(one({ rSquared: 0.14 }), one({}))).toEqual([]);
    expect(compare(one({ rSquared: 0.15 }), one({}))).toHaveLength(1);
  });

  it("recomputes the target's regressogram with the baseline's buckets for Perun", () => {
    const sampled = (values: readonly number[]): WrittenModel => ({ model: "regressogram", start: 0, end: 4, values });
    const points = [0, 1, 2, 3, 4].map((x) => [x, 10 + x] as const);
    const [change] = compare(modelsRun([sampled([10, 9])]), modelsRun([sampled([1, 2, 3, 4])], points), {
      compat: "perun",
    });
    // Two buckets: the means 10.5 and 13 instead of 10 and 9.
    expect(change).toMatchObject({ rate: 0.24, from: "regressogram" });
  });

  it.each([
    ["best-model", ["regressogram"]],
    ["best-param", ["linear"]],
    ["best-nonparam", ["regressogram"]],
    ["all-param", ["constant", "linear"]],
    ["all-nonparam", ["moving_average", "regressogram"]],
    ["all-models", ["constant", "linear", "moving_average", "regressogram"]],
    ["best-both", ["linear", "regressogram"]],
  ])("compares with %s the models %j", (strategy, names) => {
    const run = modelsRun([
      { model: "constant", rSquared: 0.5, coefficients: [1], start: 0, end: 1 },
      { model: "linear", rSquared: 0.8, coefficients: [1, 1], start: 0, end: 1 },
      { model: "moving_average", rSquared: 0.7, values: [1, 2], start: 0, end: 1 },
      { model: "regressogram", rSquared: 0.9, values: [1, 2], start: 0, end: 1 },
    ]);
    expect(compare(run, run, { "models-type": strategy }).map((change) => change.from)).toEqual(names);
  });
});
