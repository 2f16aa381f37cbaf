import { expect, test } from "vitest";
import { chartCount, steppedChart } from "./stepped-chart.ts";

const seriesOf = (changes: { at: number; word: string }[]) =>
  steppedChart({
    name: "time",
    values: [1, 3, 2, 9, 8],
    labels: ["a", "b", "c", "d", "e"],
    along: "version",
    changes,
  }).series.map(({ label, mark, x, y }) => [label, mark, [...x], [...y]]);

test("draws each value once, and the median of each level", () => {
  expect(seriesOf([{ at: 3, word: "worse" }])).toEqual([
    ["time", "points", [0, 1, 2, 4], [1, 3, 2, 8]],
    ["level", "curve", [0, 2, 3, 4], [2, 2, 8.5, 8.5]],
    ["worse", "points", [3], [9]],
  ]);
  expect(seriesOf([])).toEqual([["time", "line", [0, 1, 2, 3, 4], [1, 3, 2, 9, 8]]]);
});

test("puts regressions first; a change at the first value starts no level", () => {
  const changes = [
    { at: 0, word: "better" },
    { at: 3, word: "worse" },
  ];
  expect(seriesOf(changes).map(([label]) => label)).toEqual(["time", "level", "worse", "better"]);
  expect(seriesOf(changes.slice(0, 1)).map(([label]) => label)).toEqual(["time", "better"]);
});

test("draws six charts in pictures, one for a single series in text, none in data formats", () => {
  expect(["svg", "html", "text", "csv"].map((format) => chartCount(format, 9, undefined))).toEqual([6, 6, 0, 0]);
  expect([
    chartCount("text", 1, undefined),
    chartCount("png", 2, undefined),
    chartCount("markdown", 1, 1),
    chartCount("svg", 9, 0),
  ]).toEqual([1, 2, 0, 0]);
});
