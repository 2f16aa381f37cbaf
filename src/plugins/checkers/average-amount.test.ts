import { describe, expect, it } from "vitest";
import { amountsRun, checkerContract } from "../../../test/contracts/checker.ts";
import type { Change } from "../../core/verdicts/change.ts";
import { jsonObject } from "../../core/values/json.ts";
import type { Run } from "../../core/profiles/run.ts";
import { profileOf } from "../../formats/profile/build-profile.ts";
import { averageAmount } from "./average-amount.ts";

checkerContract(averageAmount);

function compare(before: number[], after: number[], options: [string, number | string][] = []): Change | undefined {
  return averageAmount.check(amountsRun({ f: before }), amountsRun({ f: after }), new Map(options))[0];
}

describe("averageAmount", () => {
  it.each([
    [[1, 3], [4], "Degradation", 2],
    [[2], [3.99], "MaybeDegradation", 1.995],
    [[4], [1, 3], "Optimization", 0.5],
    [[4], [2.04], "MaybeOptimization", 0.51],
    [[2], [2.1], "NoChange", 1.05],
    [[0], [0], "NoChange", 1],
    [[0], [3e-6], "Degradation", Number.POSITIVE_INFINITY],
    [[4], [0], "Optimization", 0],
  ])("%j to %j is %s at %d", (before, after, result, rate) => {
    const change = compare(before, after);
    expect(change).toMatchObject({
      location: "f",
      result,
      type: "time",
      method: "average_amount_threshold",
      relativeRate: 0,
    });
    expect(change?.rate === rate || Math.abs((change?.rate ?? 0) - rate) < 1e-12).toBe(true);
    expect(change?.confidence).toEqual({ type: "no", rate: 0 });
  });

  it.each([
    [[0], [0], "NoChange", 0],
    [[0], [3e-6], "Degradation", 3],
    [[4], [0], "NoChange", 0],
  ])("%j to %j is %s at %d for Perun", (before, after, result, rate) => {
    const change = compare(before, after, [["compat", "perun"]]);
    expect(change?.result).toBe(result);
    expect(change?.rate).toBeCloseTo(rate, 12);
  });

  it("names the limit that a change does not reach, except for Perun", () => {
    expect(compare([100], [159])).toMatchObject({ result: "MaybeDegradation", note: "+59 %, below the limit of 2x" });
    expect(compare([100], [103])).toMatchObject({ result: "NoChange", note: "+3 %, below the limit of 2x" });
    expect(compare([100], [60])?.note).toBe("-40 %, below the limit of 0.5x");
    expect(compare([100], [159], [["compat", "perun"]])).toMatchObject({ result: "NoChange" });
    expect(compare([100], [159], [["compat", "perun"]])?.note).toBeUndefined();
    expect(compare([100], [100])?.note).toBeUndefined();
  });

  it("compares only the wall clock if there is one, except for Perun", () => {
    const run = (real: number): Run =>
      profileOf({
        type: "time",
        cmd: "./sort",
        workload: "",
        units: { time: "s" },
        collector: { name: "time", params: jsonObject({}) },
        subjects: [["real", real], ["user", 1] as const].map(([subtype, value]) => ({
          properties: jsonObject({ uid: "./sort", type: "time", subtype: String(subtype) }),
          columns: [{ name: "amount", type: "float", values: [Number(value)] }],
        })),
      });
    expect(averageAmount.check(run(1), run(2), new Map())[0]).toMatchObject({ result: "Degradation", rate: 2 });
    expect(averageAmount.check(run(1), run(2), new Map([["compat", "perun"]]))[0]).toMatchObject({
      result: "NoChange",
      rate: 1.5,
    });
  });

  it("writes means like Python, with the unit of the header", () => {
    expect(compare([93], [0.125])).toMatchObject({ from: "93.0ms", to: "0.12ms" });
    expect(compare([1.166132210941641e16], [24745.7649])).toMatchObject({
      from: "1.166132210941641e+16ms",
      to: "24745.76ms",
    });
    expect(
      averageAmount.check(amountsRun({ f: [1] }, "beans"), amountsRun({ f: [1] }, "beans"), new Map())[0]?.from,
    ).toBe("1.0beans");
  });

  it("converts units, and fails for incompatible ones; Perun ignores units", () => {
    const [before, after] = [amountsRun({ f: [0.5] }, "s"), amountsRun({ f: [510] }, "ms")];
    expect(averageAmount.check(before, after, new Map())[0]?.rate).toBeCloseTo(1.02, 12);
    expect(averageAmount.check(before, after, new Map([["compat", "perun"]]))[0]?.rate).toBe(1020);
    expect(() => averageAmount.check(before, amountsRun({ f: [1] }, "B"), new Map())).toThrow("cannot convert");
    expect(() => averageAmount.check(before, amountsRun({ f: [1] }, "beans"), new Map())).toThrow("cannot convert");
  });

  it("returns no ratio for negative amounts", () => {
    expect(compare([-1], [-3])?.result).toBe("Unknown");
  });

  it("accepts other thresholds", () => {
    expect(compare([10], [12], [["degradation", 1.2]])?.result).toBe("Degradation");
    expect(compare([10], [9], [["optimization", 0.9]])?.result).toBe("Optimization");
  });

  it("compares results of a command by subtype and parameters, each in its unit and direction", () => {
    const [before, after] = [
      commandRun([
        ["T", 1, 10],
        ["T", 8, 1000],
        ["R", 1, 500],
      ]),
      commandRun([
        ["T", 1, 30],
        ["T", 8, 1000],
        ["R", 1, 200],
      ]),
    ];
    expect(summary(before, after)).toEqual([
      ["./io [R, N=1]", "Degradation", "500.0MByte/s", "200.0MByte/s"],
      ["./io [T, N=1]", "Degradation", "10.0us", "30.0us"],
      ["./io [T, N=8]", "NoChange", "1000.0us", "1000.0us"],
    ]);
    expect(summary(after, before).map(([location, result]) => [location, result])).toEqual([
      ["./io [R, N=1]", "Optimization"],
      ["./io [T, N=1]", "Optimization"],
      ["./io [T, N=8]", "NoChange"],
    ]);
    expect(averageAmount.check(before, after, new Map([["compat", "perun"]]))).toMatchObject([
      { location: "./io", rate: 1230 / 1510, from: "503.33us" },
    ]);
  });

  it("uses the better direction of a profile", () => {
    const [few, many] = [commandRun([["hits", 1, 10]], "higher"), commandRun([["hits", 1, 30]], "higher")];
    expect(summary(few, many)).toEqual([["./io", "Optimization", "10.0us", "30.0us"]]);
  });

  it.each([
    ["throughput", "Optimization"],
    ["hits", "Degradation"],
    ["cache_misses", "Degradation"],
  ])("uses the name of a quantity without a unit: %s", (subtype, result) => {
    const [few, many] = [10, 30].map((amount) => commandRun([[subtype, 1, amount]], undefined, {}));
    expect(summary(few!, many!)[0]?.[1]).toBe(result);
  });

  it("does not distinguish rows by values that differ in every run", () => {
    expect(summary(commandRun([["T", 20260101, 10]]), commandRun([["T", 20260202, 30]]))[0]?.slice(0, 2)).toEqual([
      "./io",
      "Degradation",
    ]);
  });
});

it("compares samples of a report together, and no quantities that only describe others", () => {
  const report = (amounts: readonly number[], stddev: number): Run => {
    const numbers = (name: string, values: readonly number[]) => ({
      name,
      type: "float" as const,
      values: [...values],
    });
    const row = (subtype: string, values: readonly number[]) => ({
      properties: jsonObject({ uid: "sort", type: "mixed", subtype }),
      columns: [numbers("amount", values), numbers("sample", [1, 2].slice(0, values.length)), numbers("procs", [8, 8])],
    });
    return profileOf({
      type: "mixed",
      cmd: "go-bench",
      workload: "",
      units: { mixed: "s" },
      collector: { name: "go-bench", params: jsonObject({ from: "go-bench" }) },
      subjects: [row("time", amounts), row("stddev", [stddev])],
    });
  };
  expect(summary(report([1, 9], 1), report([9, 1], 5))).toEqual([["sort", "NoChange", "5.0s", "5.0s"]]);
});

/** Rows of the collector command: subtype, parameter N and amount. */
function commandRun(
  rows: readonly (readonly [subtype: string, n: number, amount: number])[],
  better?: string,
  units: Record<string, string> = { "mixed(T)": "us", "mixed(R)": "MByte/s" },
): Run {
  return profileOf({
    type: "mixed",
    cmd: "./io",
    workload: "",
    units,
    collector: { name: "command", params: jsonObject({}) },
    subjects: rows.map(([subtype, n, amount]) => ({
      properties: jsonObject({ uid: "./io", type: "mixed", subtype, ...(better === undefined ? {} : { better }) }),
      columns: [
        { name: "amount", type: "float", values: [amount] },
        { name: "N", type: "integer", values: [n] },
      ],
    })),
  });
}

function summary(before: Run, after: Run): string[][] {
  return averageAmount
    .check(before, after, new Map())
    .map(({ location, result, from, to }) => [location, result, from, to]);
}
