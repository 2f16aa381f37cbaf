import { expect, test } from "vitest";
import { RepeatedResults } from "./repeated-results.ts";

const metrics = [{ name: "time", unit: "s" }, { name: "bytes" }, { name: "never" }];

test("single measurements have single values, and metrics without values are omitted", () => {
  const results = new RepeatedResults();
  results.add("a", [["time", 1]], new Map([["n", 1]]));
  results.add("a", [["time", 2]], new Map([["n", 2]]));
  results.add("nothing", [["time", Number.NaN]]);
  expect(results.report(metrics, { commit: "abc" })).toEqual({
    commit: "abc",
    metrics: [{ name: "time", unit: "s" }],
    results: [
      { benchmark: "a", parameters: new Map([["n", 1]]), values: new Map([["time", 1]]) },
      { benchmark: "a", parameters: new Map([["n", 2]]), values: new Map([["time", 2]]) },
    ],
  });
});

test("repeated measurements become samples, with gaps for missing values", () => {
  const results = new RepeatedResults();
  results.add("a", [["time", 1]]);
  results.add("b", [["time", 5]]);
  results.add("a", [
    ["time", 2],
    ["bytes", 7],
  ]);
  results.add("a", [["bytes", 8]]);
  const { results: reported } = results.report(metrics);
  expect(
    reported.map(({ values }) => Object.fromEntries([...values.keys()].map((name) => [name, values.get(name)]))),
  ).toEqual([{ time: [1, 2], bytes: [Number.NaN, 7, 8] }, { time: [5] }]);
});

test("a metric per measurement does not take quadratic memory", () => {
  const results = new RepeatedResults();
  const names = Array.from({ length: 200_000 }, (_, at) => `m${at}`);
  for (const name of names) results.add("a", [[name, 1]]);
  const report = results.report(names.map((name) => ({ name })));
  expect(report.metrics).toHaveLength(200_000);
  expect(report.results[0]!.values.size).toBe(1000);
});
