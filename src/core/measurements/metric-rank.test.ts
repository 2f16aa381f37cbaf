import { expect, test } from "vitest";
import { metricRank } from "./metric-rank.ts";

test("elapsed time is read before other times, times of processors and all other metrics", () => {
  const metrics: [metric: string, unit: string][] = [
    ["memory", "KiByte"],
    ["system", "s"],
    ["cpu-time", "ns"],
    ["p99", "ms"],
    ["time", "s"],
    ["allocs/op", ""],
  ];
  const sorted = metrics.toSorted((a, b) => metricRank(...a) - metricRank(...b));
  expect(sorted.map(([metric]) => metric)).toEqual(["time", "p99", "system", "cpu-time", "memory", "allocs/op"]);
  for (const metric of ["time", "real", "wall-clock time", "elapsed", "Duration", "mean_time"])
    expect(metricRank(metric, "ms")).toBe(0);
});
