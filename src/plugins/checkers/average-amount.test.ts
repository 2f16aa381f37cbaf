import { describe, expect, it } from "vitest";
import { amountsRun, checkerContract } from "../../../test/contracts/checker.ts";
import type { Change } from "../../core/change.ts";
import { averageAmount } from "./average-amount.ts";

checkerContract(averageAmount);

function compare(before: number[], after: number[], options: [string, number][] = []): Change | undefined {
  return averageAmount.check(amountsRun({ f: before }), amountsRun({ f: after }), new Map(options))[0];
}

describe("averageAmount", () => {
  it.each([
    [[1, 3], [4], "Degradation", 2],
    [[2], [3.99], "NoChange", 1.995],
    [[4], [1, 3], "Optimization", 0.5],
    [[4], [2.04], "NoChange", 0.51],
    [[0], [0], "NoChange", 0],
    [[0], [3e-6], "Degradation", 3],
    [[4], [0], "NoChange", 0],
  ])("%j to %j is %s at %d", (before, after, result, rate) => {
    const change = compare(before, after);
    expect(change).toMatchObject({ location: "f", result, type: "time", method: "average_amount_threshold", relativeRate: 0 });
    expect(change?.rate).toBeCloseTo(rate, 12);
    expect(change?.confidence).toEqual({ type: "no", rate: 0 });
  });

  it("writes means as Python does, with the unit of the header", () => {
    expect(compare([93], [0.125])).toMatchObject({ from: "93.0ms", to: "0.12ms" });
    expect(compare([1.166132210941641e16], [24745.7649])).toMatchObject({ from: "1.166132210941641e+16ms", to: "24745.76ms" });
    expect(averageAmount.check(amountsRun({ f: [1] }, "beans"), amountsRun({ f: [1] }, "beans"), new Map())[0]?.from).toBe("1.0beans");
  });

  it("takes other thresholds", () => {
    expect(compare([10], [12], [["degradation", 1.2]])?.result).toBe("Degradation");
    expect(compare([10], [9], [["optimization", 0.9]])?.result).toBe("Optimization");
  });
});
