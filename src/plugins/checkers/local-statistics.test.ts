import { describe, expect, it } from "vitest";
import { checkerContract, modelsScene } from "../../../test/contracts/checker.ts";
import { modelsRun, type WrittenModel } from "../../../test/contracts/model-runs.ts";
import type { Change } from "../../core/verdicts/change.ts";
import { localStatisticsChecker } from "./local-statistics.ts";

checkerContract(localStatisticsChecker, modelsScene());

function compare(before: Partial<WrittenModel>, after: Partial<WrittenModel>, compat?: string): Change | undefined {
  const run = (model: Partial<WrittenModel>): ReturnType<typeof modelsRun> =>
    modelsRun([{ model: "regressogram", start: 0, end: 39, ...model }]);
  return localStatisticsChecker.check(
    run(before),
    run(after),
    new Map(compat === undefined ? [] : [["compat", compat]]),
  )[0];
}

const flat = Array.from({ length: 40 }, () => 10);
const hill = flat.map((value, i) => (i >= 10 && i < 14 ? 20 : value));

describe("localStatistics", () => {
  it("finds the interval that changed, and merges intervals of one result", () => {
    expect(compare({ values: flat }, { values: hill })).toMatchObject({
      result: "NoChange",
      rate: 0.1,
      intervals: [
        { result: "NoChange", rate: 0, from: 0, to: 9 },
        { result: "Degradation", rate: 1, from: 10, to: 13 },
        { result: "NoChange", rate: 0, from: 14, to: 39 },
      ],
    });
    expect(compare({ values: hill }, { values: flat })?.intervals?.[1]).toEqual({
      result: "Optimization",
      rate: -0.5,
      from: 10,
      to: 13,
    });
  });

  it("returns every interval for Perun, the last one without integral", () => {
    const [before, after] = [flat, flat.map(() => 20)].map((values) => ({
      values: [...values, values[0] ?? 0],
      end: 40,
    }));
    const change = compare(before ?? {}, after ?? {}, "perun");
    expect(change?.intervals).toHaveLength(21);
    expect(change?.intervals?.at(-1)).toEqual({ result: "Degradation", rate: 0.875, from: 40, to: 40 });
  });

  it("detects a changed formula; Perun compares positions instead of values", () => {
    const line = (slope: number): Partial<WrittenModel> => ({
      model: "linear",
      coefficients: [0, slope],
      start: 1,
      end: 100,
    });
    expect(compare(line(1), line(2))).toMatchObject({
      result: "Degradation",
      intervals: [{ result: "Degradation", from: 1, to: 100 }],
    });
    expect(compare(line(1), line(2))?.rate).toBeCloseTo(1, 12);
    const confused = compare(line(3), line(2), "perun");
    expect(confused).toMatchObject({ result: "NoChange", rate: 0 });
    expect(confused?.intervals?.[0]).toMatchObject({ result: "NoChange", rate: 0, from: 3, to: 17.57 });
  });

  it("treats a baseline of zero as a complete change; Perun as none", () => {
    const nothing = flat.map(() => 0);
    expect(compare({ values: nothing }, { values: flat })).toMatchObject({ result: "Degradation", rate: 1 });
    expect(compare({ values: nothing }, { values: flat }, "perun")).toMatchObject({ result: "NoChange", rate: 0 });
  });
});
