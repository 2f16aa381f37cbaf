import { expect, test } from "vitest";
import type { StateLevels, VersionColumns } from "../../src/core/pages/columns.ts";
import type { ComparedSeries } from "../../src/query/pages/compared-states.ts";
import { fakeChanges, fakeColumns, fakeVersions, idOf } from "../../test/browser/fake/fake-columns.ts";
import { comparisonCsv, comparisonLines, comparisonView, type LoadedComparison, shownRows } from "./comparison-view.ts";

const options = { series: 8, points: 120, hostile: false, live: false };
const base = { before: 10, after: 11, delta: 0.1, noise: 0.02, cause: -1, isPrimary: true, reason: "" };
const rows: ComparedSeries[] = [
  { ...base, series: 0, outcome: "worse", cause: 0 },
  { ...base, series: 1, outcome: "same", delta: 0.01, isPrimary: false },
  { ...base, series: 2, outcome: "better", delta: -0.3, isPrimary: false },
  { ...base, series: 3, outcome: "inconclusive", delta: Number.NaN, isPrimary: false },
  { ...base, series: 4, outcome: "same", delta: 0 },
];
const loaded: LoadedComparison = {
  versions: fakeVersions(options, (text) => text) as VersionColumns,
  series: fakeColumns(options, (text) => text),
  changes: fakeChanges(options),
  levels: {
    facts: { from: 60, to: 119 },
    arrays: { beforeAt: Int32Array.from(rows, () => 60), afterAt: Int32Array.from(rows, () => 119) },
  } as unknown as StateLevels,
  rows,
};
const seriesOf = (params: Readonly<Record<string, string>>): number[] =>
  shownRows(loaded, comparisonView(params)).rows.map(({ series }) => series);

test("folds only unchanged rows of further metrics, unless they are asked for", () => {
  expect(seriesOf({})).toEqual([0, 2, 4]);
  expect(shownRows(loaded, comparisonView({})).folded).toBe(2);
  expect(seriesOf({ all: "yes" })).toEqual([0, 2, 3, 1, 4]);
  expect(seriesOf({ word: "inconclusive" })).toEqual([3]);
  expect(seriesOf({ metric: "memory" })).toEqual([3, 1]);
});

test("filters by the size of the change, and keeps changes of unknown size", () => {
  expect(seriesOf({ all: "yes", least: "0.05" })).toEqual([0, 2, 3]);
  expect(seriesOf({ all: "yes", least: "nonsense" })).toHaveLength(5);
});

test("sorts by name naturally and by change in both directions", () => {
  expect(seriesOf({ all: "yes", down: "yes" })).toEqual([4, 1, 3, 2, 0]);
  const names = seriesOf({ all: "yes", order: "name" }).map(
    (at) => loaded.series.facts.texts[loaded.series.arrays.benchmark[at] ?? -1],
  );
  expect(names).toEqual(["suite/merge/0", "suite/parse/0", "suite/search/0", "suite/sort/0", "suite/sort/1"]);
});

test("heads groups with the commit that caused them", () => {
  const lines = comparisonLines(loaded, rows, "cause");
  expect(lines.map((line) => ("group" in line ? line.group.commit : line.row.series))).toEqual([
    100, 0, -1, 1, 2, 3, 4,
  ]);
});

test("writes all digits and quotes texts", () => {
  const texts = loaded.series.facts.texts.map((text) => (text === "suite/sort/0" ? 'a "b", c' : text));
  const quoted = { ...loaded, series: { ...loaded.series, facts: { ...loaded.series.facts, texts } } };
  const [head = "", line = ""] = comparisonCsv(quoted, rows.slice(0, 1)).split("\r\n");
  expect(head.split(",")).toHaveLength(14);
  expect(line).toBe(
    `"a ""b"", c",time,ms,higher,10,11,0.1,0.02,worse,,${idOf(60)},${idOf(119)},${idOf(100)},suite/sort/0:0`,
  );
});
