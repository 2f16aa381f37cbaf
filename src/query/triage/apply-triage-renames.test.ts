import { describe, expect, test } from "vitest";
import type { VersionId } from "../../core/versions/digest.ts";
import type { Series } from "../../core/measurements/series.ts";
import { parseUnit } from "../../core/values/unit.ts";
import { mergeRenamedSeries } from "./apply-triage.ts";

const order = ["a", "b", "c", "d"].map((digit) => digit.repeat(40) as VersionId);
const newest = new Map([["old", "new"]]);

function series(key: string, unit: string, points: readonly (readonly [number | null, number])[]): Series {
  return {
    subject: { source: "experiment", key, benchmark: key, metric: "t", unit: parseUnit(unit), better: "lower" },
    points: points.map(([at, value]) => ({
      version: at === null ? null : (order[at] as VersionId),
      evidence: [key],
      machine: null,
      sample: Float64Array.of(value),
    })),
  };
}

const summaryOf = (all: readonly Series[]): unknown[] =>
  all.map(({ subject, points }) => [subject.key, subject.benchmark, ...points.map(({ sample }) => sample[0])]);

describe("renamed series", () => {
  test("are merged in the order of history; the newer name wins where both were measured", () => {
    const both = [
      series("new", "ms", [
        [1, 11],
        [3, 13],
      ]),
      series("other", "s", [[0, 5]]),
      series("old", "s", [
        [0, 10],
        [1, 99],
        [2, 12],
      ]),
    ];
    expect(summaryOf(mergeRenamedSeries(both, newest, order))).toEqual([
      ["new", "new", 10_000, 11, 12_000, 13],
      ["other", "other", 5],
    ]);
  });

  test("have the new key even without measurements under it", () => {
    expect(summaryOf(mergeRenamedSeries([series("old", "s", [[0, 1]])], newest, order))).toEqual([["new", "old", 1]]);
  });

  test("stay separate if their units have different dimensions", () => {
    const both = [series("old", "Byte", [[0, 1]]), series("new", "s", [[1, 2]])];
    expect(summaryOf(mergeRenamedSeries(both, newest, order))).toEqual([
      ["new", "new", 2],
      ["old", "old", 1],
    ]);
  });

  test("keep their order if a version is not in history", () => {
    const both = [
      series("new", "s", [
        [3, 4],
        [0, 3],
      ]),
      series("old", "s", [
        [null, 1],
        [2, 2],
      ]),
    ];
    expect(summaryOf(mergeRenamedSeries(both, newest, order))).toEqual([["new", "new", 1, 2, 4, 3]]);
  });

  test("stay as they are without renames", () => {
    const one = series("old", "s", [[0, 1]]);
    expect(mergeRenamedSeries([one], new Map(), order)).toEqual([one]);
  });
});
