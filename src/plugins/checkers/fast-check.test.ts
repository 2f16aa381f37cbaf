import { describe, expect, it } from "vitest";
import { modelsRun } from "../../../test/contracts/model-runs.ts";
import { checkerContract, modelsScene } from "../../../test/contracts/checker.ts";
import type { Change } from "../../core/verdicts/change.ts";
import type { Checker } from "./checker.ts";
import { fastCheck, linearRegression, polynomialRegression } from "./regression-checkers.ts";

checkerContract(fastCheck, modelsScene());

type Formula = readonly [string, ...number[]];

function compare(checker: Checker, before: Formula, after: Formula, compat?: string): Change | undefined {
  const run = ([name, ...coefficients]: Formula): ReturnType<typeof modelsRun> =>
    modelsRun([
      { model: name, coefficients, start: 1, end: 1001 },
      { model: "linear", rSquared: 0.5, coefficients, start: 1, end: 1001 },
    ]);
  return checker.check(run(before), run(after), new Map(compat === undefined ? [] : [["compat", compat]]))[0];
}

describe("the difference of formulas", () => {
  it.each<[Formula, Formula, string, string, number]>([
    [["constant", 100], ["constant", 103], "NoChange", "", 3],
    [["constant", 100], ["constant", 110], "MaybeDegradation", "constant", 10],
    [["constant", 100], ["constant", 60], "Optimization", "constant", -40],
    [["linear", 0, 2], ["linear", 0, 3], "Degradation", "linear", 50],
    [["linear", 0, 2], ["quadratic", 0, 2, 0.1], "Degradation", "quadratic", 3340.01],
    [["quadratic", 0, 0, 3], ["quadratic", 0, 0, 1], "Optimization", "quadratic", -66.6667],
  ])("%j to %j is %s, %s, by %d percent", (before, after, result, type, percent) => {
    for (const checker of [fastCheck, linearRegression, polynomialRegression]) {
      const change = compare(checker, before, after);
      expect(change).toMatchObject({
        location: "f",
        result,
        type,
        from: before[0],
        to: after[0],
        confidence: { type: "r_square", rate: 1 },
      });
      expect((change?.rate ?? 0) / percent).toBeCloseTo(1, 2);
    }
  });

  it("is evaluated where both were fitted, and unknown without a common interval", () => {
    const line = (start: number, end: number, slope: number): ReturnType<typeof modelsRun> =>
      modelsRun([{ model: "linear", coefficients: [0, slope], start, end }]);
    expect(fastCheck.check(line(1, 100, 1), line(50, 5000, 1), new Map())[0]).toMatchObject({
      result: "NoChange",
      rate: 0,
    });
    expect(fastCheck.check(line(1, 10, 1), line(11, 20, 9), new Map())[0]).toMatchObject({ result: "Unknown" });
    expect(fastCheck.check(line(1, 100, 1), line(50, 5000, 1), new Map([["compat", "perun"]]))[0]?.rate).not.toBe(0);
  });

  it("follows Perun's rules on request", () => {
    // b0 and b1 are equal: no change, for any b2.
    expect(compare(fastCheck, ["quadratic", 1, 1, 1], ["quadratic", 1, 1, 9], "perun")?.result).toBe("NoChange");
    expect(compare(fastCheck, ["quadratic", 1, 1, 1], ["quadratic", 1, 1, 9])?.result).toBe("Degradation");
    expect(compare(fastCheck, ["constant", 100], ["constant", 200], "perun")).toMatchObject({
      type: "CONSTANT",
      rate: 100,
      confidence: { rate: 0.5 },
    });
    // The linear models differ by a line, so that a parabola is never reported.
    expect(compare(polynomialRegression, ["quadratic", 0, 1, 1], ["quadratic", 0, 2000000, 9], "perun")?.type).toBe(
      "linear",
    );
    // A residue of 10^8: in other units the class differs.
    expect(compare(polynomialRegression, ["linear", 0, 1], ["linear", 0, 2], "perun")?.type).toBe("constant");
  });
});
