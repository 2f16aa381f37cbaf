import { describe, expect, it } from "vitest";
import { checkerContract, type CheckerScene } from "../../../test/contracts/checker.ts";
import { jsonObject } from "../../core/values/json.ts";
import type { Change } from "../../core/verdicts/change.ts";
import type { Run } from "../../core/profiles/run.ts";
import { profileOf } from "../../formats/profile/build-profile.ts";
import { exclusiveTimeOutliers } from "./exclusive-time-outliers.ts";

/** A traced program with these exclusive times in microseconds. */
function tracedRun(times: Readonly<Record<string, number>>, location = "app"): Run {
  return profileOf({
    type: "mixed",
    cmd: "./app",
    workload: "",
    units: { mixed: "us" },
    collector: { name: "trace", params: jsonObject({}) },
    subjects: Object.entries(times).map(([uid, time]) => ({
      properties: jsonObject({ uid, type: "mixed", location }),
      columns: [
        { name: "amount", type: "float", values: [time, time] },
        { name: "exclusive", type: "float", values: [time / 2, time / 2] },
      ],
    })),
  });
}

const scene: CheckerScene = {
  locations: ["alloc", "free", "hash", "main", "read", "swap", "walk"],
  run: (locations, slow, noise) =>
    tracedRun(
      Object.fromEntries(
        locations.map((name, i) => [
          name,
          (1000 + 100 * i) * (slow.includes(name) ? 5 : 1) * (1 + 0.01 * Math.sin(noise * (i + 1))),
        ]),
      ),
    ),
  totals: ["app"],
  reportsOneSided: true,
};

checkerContract(exclusiveTimeOutliers, scene);

const calm = { alloc: 1000, free: 1100, hash: 1200, main: 1300, read: 1400, swap: 1500, walk: 1600 };

function compare(
  before: Run,
  after: Run,
  options: Readonly<Record<string, string | number>> = {},
  isSelected?: (location: string) => boolean,
): readonly Change[] {
  return exclusiveTimeOutliers.check(before, after, new Map(Object.entries(options)), isSelected);
}

function summary(changes: readonly Change[]): string[] {
  return changes
    .filter((change) => change.result !== "NoChange")
    .map((change) => `${change.location} ${change.result}`);
}

describe("exclusiveTimeOutliers", () => {
  it("reports times in milliseconds and in percent of the total", () => {
    const after = { ...calm, swap: 7500 };
    const change = compare(tracedRun(calm), tracedRun(after)).find((each) => each.location === "swap");
    expect(change).toMatchObject({ result: "SevereDegradation", type: "time", from: "1.5ms", to: "7.5ms", rate: 6 });
    expect(change?.relativeRate).toBeCloseTo((6000 / 15100) * 100, 10);
    expect(change?.confidence.type).toBe("modified_z_score");
  });

  it("treats every time as nanoseconds for Perun", () => {
    const [before, after] = [tracedRun(calm), tracedRun({ ...calm, swap: 7500 })];
    const change = compare(before, after, { compat: "perun" }).find((each) => each.location === "swap");
    expect(change).toMatchObject({
      result: "SevereDegradation",
      from: "0.002",
      to: "0.007",
      confidence: { type: "IQR_multiple", rate: Number.NaN },
    });
  });

  it("reports new and removed functions; Perun only new ones", () => {
    const { hash: _, ...without } = calm;
    expect(summary(compare(tracedRun(calm), tracedRun(without)))).toEqual([
      "app TotalOptimization",
      "hash NotInTarget",
    ]);
    expect(summary(compare(tracedRun(without), tracedRun(calm)))).toEqual([
      "app TotalDegradation",
      "hash NotInBaseline",
    ]);
    expect(summary(compare(tracedRun(calm), tracedRun(without), { compat: "perun" }))).toEqual([
      "app TotalOptimization",
    ]);
  });

  it("ignores small differences of the total; Perun reports none as an optimization", () => {
    expect(summary(compare(tracedRun(calm), tracedRun(calm)))).toEqual([]);
    expect(summary(compare(tracedRun(calm), tracedRun(calm), { compat: "perun" }))).toEqual(["app TotalOptimization"]);
    const more = { ...calm, walk: 2500 };
    expect(summary(compare(tracedRun(calm), tracedRun(more), { "total-threshold": 50 }))).toEqual([
      "walk SevereDegradation",
    ]);
  });

  it("omits small changes and deselected binaries", () => {
    const after = { ...calm, swap: 7500 };
    expect(compare(tracedRun(calm), tracedRun(after), { cutoff: 10 }).map((each) => each.location)).toEqual([
      "app",
      "swap",
    ]);
    expect(compare(tracedRun(calm), tracedRun(after), {}, (location) => location !== "app")).toEqual([]);
    expect(() => compare(tracedRun(calm), tracedRun(after), { cutoff: -1 })).toThrow("cutoff");
  });

  it("matches binaries with similar names on both sides", () => {
    const [before, after] = [tracedRun(calm, "app-1.2.3"), tracedRun(calm, "app-1.3.0")];
    expect(summary(compare(before, after))).toEqual([]);
    expect(compare(before, after).map((each) => each.location)).toContain("app-1.3.0");
    expect(compare(before, after, { compat: "perun" }).map((each) => each.location)).toContain("app-1.");
    expect(summary(compare(before, tracedRun(calm, "zzz")))).toContain("alloc NotInTarget");
  });
});
