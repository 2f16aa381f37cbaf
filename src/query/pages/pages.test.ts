import { describe, expect, test } from "vitest";
import type { VersionId } from "../../core/versions/digest.ts";
import type { Series, SeriesPoint } from "../../core/measurements/series.ts";
import type { Verdict } from "../../core/verdicts/verdict.ts";
import { changeColumns, changeList } from "./change-lines.ts";
import { pagedSeries } from "./paged-series.ts";
import { compareStates } from "./compared-states.ts";
import { blockLayout, machineColumns, machineLevels, pointBlock } from "./point-blocks.ts";
import { seriesColumns } from "./series-columns.ts";

const id = (at: number): VersionId => at.toString(16).padStart(40, "0") as VersionId;
const order = new Map(Array.from({ length: 100 }, (_, at) => [id(at), at]));

function seriesOf(
  key: string,
  samples: readonly (readonly number[])[],
  machine: (at: number) => string | null = () => null,
): Series {
  const points = samples.map((values, at): SeriesPoint => {
    return { version: id(at), evidence: ["e"], machine: machine(at), sample: Float64Array.from(values) };
  });
  return {
    subject: { source: "profile", key, benchmark: key, metric: "time", unit: undefined, better: "lower" },
    points,
  };
}

function verdictOf(series: Series, word: Verdict["outcome"], after: number | null): Verdict {
  const since = after === null ? null : { before: id(after - 1), after: id(after), suspects: [id(after)] };
  const nothing = {
    before: null,
    after: null,
    deltaLow: null,
    deltaHigh: null,
    p: null,
    q: null,
    detectable: null,
    reason: null,
  };
  return { subject: series.subject, outcome: word, ...nothing, delta: after, test: "t", since };
}

describe("points of pages", () => {
  test("are those of the series, each series in a single block", () => {
    const all = Array.from({ length: 30 }, (_, at) =>
      seriesOf(
        `s${at}`,
        Array.from({ length: 99 }, (_each, position) => [at * 100 + position]),
      ),
    );
    const long = seriesOf(
      "long",
      Array.from({ length: 9000 }, (_, at) => [at]),
    );
    const paged = pagedSeries(
      [...all, long],
      [...all, long].map((each) => verdictOf(each, "same", null)),
      order,
      true,
    );
    const layout = blockLayout(paged);
    expect(layout.starts).toEqual([0, 30, 31]);
    const block = pointBlock(paged.slice(0, 30), 0, order);
    expect([...block.arrays.center.subarray(layout.from[7], (layout.from[7] ?? 0) + 99)]).toEqual(
      Array.from({ length: 99 }, (_, at) => 700 + at),
    );
    expect(block.arrays.low).toHaveLength(0);
    expect(pointBlock(paged.slice(30), 1, order).arrays.version[8999]).toBe(-1);
  });

  test("contain the minimum and the maximum of several values, and the changes", () => {
    const series = seriesOf("s", [[1, 3, 2], [5], [6, 4]]);
    const paged = pagedSeries([series], [verdictOf(series, "worse", 1), verdictOf(series, "better", 2)], order, true);
    const { arrays } = pointBlock(paged, 0, order);
    expect([[...arrays.center], [...arrays.low], [...arrays.high], [...arrays.n]]).toEqual([
      [2, 5, 5],
      [1, 5, 4],
      [3, 5, 6],
      [3, 1, 2],
    ]);
    expect([...arrays.changes]).toEqual([1, 2]);
  });

  test("are those of the newest machine unless all are compared", () => {
    const series = seriesOf("s", [[1], [2], [3]], (at) => (at === 0 ? "cpu:a" : "cpu:b"));
    const lengths = [true, false].map(
      (all) => pagedSeries([series], [verdictOf(series, "same", null)], order, all)[0]?.line.values.length,
    );
    expect(lengths[0]).toBe(3);
  });
});

test("a series has the outcome of its newest change", () => {
  const series = seriesOf("s", [[1], [2], [3]]);
  const paged = pagedSeries([series], [verdictOf(series, "worse", 1), verdictOf(series, "better", 2)], order, true);
  const { facts, arrays } = seriesColumns(paged, blockLayout(paged));
  expect(facts.words[arrays.word[0] ?? 0]).toBe("better");
  expect([arrays.count[0], arrays.last[0], arrays.delta[0], facts.texts[arrays.unit[0] ?? 0]]).toEqual([3, 3, 2, ""]);
});

test("a later doubt hides no change, and every change is listed", () => {
  const series = seriesOf("s", [[1], [2], [3], [4]]);
  const verdicts = [
    verdictOf(series, "worse", 2),
    verdictOf(series, "better", 1),
    verdictOf(series, "inconclusive", 3),
  ];
  const paged = pagedSeries([series], verdicts, order, true);
  const judged = verdicts.map((verdict) => ({ verdict, triage: null, fails: true }));
  const context = {
    judged,
    series: paged,
    positions: new Map([["s", 0]]),
    commitOf: () => ({ subject: "", date: null }),
  };
  const lines = changeList(context, 10).changes;
  expect(lines.map(({ outcome }) => outcome)).toEqual(["worse", "better"]);
  const { facts, arrays } = seriesColumns(paged, blockLayout(paged));
  expect(facts.words[arrays.word[0] ?? 0]).toBe("worse");
});

test("lists of changes omit unchanged series and those with too few values, and have the newest values", () => {
  const [a, b, c] = [
    seriesOf(
      "a",
      Array.from({ length: 80 }, (_, at) => [at]),
    ),
    seriesOf("b", [[1]]),
    seriesOf("c", [[1]]),
  ];
  const verdicts = [verdictOf(a, "worse", 3), verdictOf(c, "inconclusive", null), verdictOf(b, "same", null)];
  const paged = pagedSeries([a, b, c], verdicts, order, true);
  const { changes: lines } = changeList(
    {
      judged: verdicts.map((verdict) => ({ verdict, triage: null, fails: true })),
      series: paged,
      positions: new Map(paged.map((each, at) => [each.series.subject.key, at])),
      commitOf: () => ({ subject: "Subject", date: null }),
    },
    10,
  );
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ series: 0, key: "a", since: { suspects: 1, subject: "Subject" } });
  expect(lines[0]).toMatchObject({ latest: 79 });
  const spark = lines[0]?.spark ?? [];
  expect([spark.slice(0, 6), spark.length, spark.at(-1)]).toEqual([[0, 1, 2, 3, 4, 5.5], 60, 78.5]);
});

test("changes of a group follow each other, and have its number", () => {
  const all = ["a", "b", "c"].map((key) => seriesOf(key, [[1], [2], [3], [4]]));
  const [a, b, c] = all as [Series, Series, Series];
  const verdicts = [verdictOf(a, "worse", 3), verdictOf(b, "worse", 1), verdictOf(c, "better", 3)];
  const paged = pagedSeries(all, verdicts, order, true);
  const context = {
    judged: verdicts.map((verdict) => ({ verdict, triage: null, fails: true })),
    series: paged,
    positions: new Map(paged.map((each, at) => [each.series.subject.key, at])),
    commitOf: () => ({ subject: "Subject", date: null }),
  };
  expect(changeList(context, 10).changes.map(({ key, group }) => [key, group])).toEqual([
    ["a", 0],
    ["c", 0],
    ["b", null],
  ]);
  const after = verdicts[0]?.since?.after;
  expect(changeList(context, 10).groups).toEqual([{ after, subject: "Subject", suspects: 1, worse: 1, better: 1 }]);
});

test("columns of changes refer to series and versions by index, with their triage", () => {
  const [a, b] = [seriesOf("a", [[1]]), seriesOf("b", [[1]])];
  const judged = [verdictOf(b, "worse", 3), verdictOf(a, "better", 2), verdictOf(a, "same", null)].map(
    (verdict, at) => {
      return { verdict, triage: at === 1 ? { state: "accepted" as const, note: "" } : null, fails: true };
    },
  );
  const positions = new Map([
    ["a", 0],
    ["b", 1],
  ]);
  const { facts, arrays } = changeColumns(judged, positions, order);
  expect([[...arrays.series], [...arrays.before], [...arrays.after], [...arrays.suspects]]).toEqual([
    [1, 0],
    [2, 1],
    [3, 2],
    [1, 1],
  ]);
  expect([facts.words[arrays.word[0] ?? 9], facts.triage]).toEqual(["worse", [[1, "accepted"]]]);
  expect([...arrays.p, ...arrays.low].every(Number.isNaN)).toBe(true);
});

test("machines are compared at the newest version that two of them measured, by separated values", () => {
  const points = (versions: readonly number[], machine: string, level: number): SeriesPoint[] =>
    versions.map((at) => {
      const sample = Float64Array.from({ length: 8 }, (_, i) => level * (at + 1) + i / 100);
      return { version: id(at), evidence: ["e"], machine, sample };
    });
  const one = seriesOf("one", []);
  const all = [
    { ...one, points: [...points([0, 1, 2], "a", 10), ...points([0, 1], "b", 12), ...points([3], "c", 1)] },
    { ...seriesOf("two", []), points: points([1], "a", 5) },
  ].map((series) => ({ ...series, points: series.points.toSorted((x, y) => (x.version! < y.version! ? -1 : 1)) }));
  const paged = pagedSeries(
    all,
    all.map((series) => verdictOf(series, "same", null)),
    order,
    true,
  );
  const columns = machineColumns(paged, order);
  expect(columns.facts.machines).toEqual(["a", "b", "c"]);
  const rowsOf = ({ arrays }: typeof columns): string[] =>
    Array.from(arrays.series, (at, row) => `${at} ${arrays.version[row]} ${arrays.machine[row]}`);
  expect(rowsOf(columns)).toEqual(["0 0 1", "0 0 0", "0 1 1", "0 1 0", "0 2 0", "0 3 2", "1 1 0"]);
  // The newest point of each machine, and those of the newest common commit.
  expect(rowsOf(machineColumns(paged, order, 6))).toEqual(["0 1 1", "0 1 0", "0 2 0", "0 3 2", "1 1 0"]);
  expect(rowsOf(machineColumns(paged, order, 0))).toEqual(["0 1 1", "0 1 0"]);
  const series = seriesColumns(paged, blockLayout(paged));
  const changes = changeColumns([], new Map(), order);
  const compared = compareStates(series, changes, machineLevels(series, columns, [0, 1]));
  expect(compared).toMatchObject([
    { before: 20.035, after: 24.035, outcome: "worse", reason: "all values differ" },
    { outcome: "inconclusive", reason: "not measured before" },
  ]);
  expect(compareStates(series, changes, machineLevels(series, columns, [1, 2]))[0]).toMatchObject({
    reason: "not measured before",
  });
});
