import { describe, expect, test } from "vitest";
import type { SeriesColumns } from "../../src/core/pages/columns.ts";
import type { PointBlock } from "../../src/core/pages/frame.ts";
import {
  matchingSeries,
  historyOf,
  metricsOf,
  sharedBenchmarkWords,
  sortedSeries,
  indexOfKey,
  seriesLine,
} from "./series-lines.ts";

const columns: SeriesColumns = {
  facts: {
    texts: ["Sort fast", "search", "time", "memory", "ms", "k0", "k1", "k2"],
    words: ["worse", "better", "same", "inconclusive"],
  },
  arrays: {
    benchmark: Int32Array.of(0, 1, 0),
    metric: Int32Array.of(2, 2, 3),
    unit: Int32Array.of(4, 4, 4),
    key: Int32Array.of(5, 6, 7),
    word: Int32Array.of(0, 2, 1),
    delta: Float64Array.of(0.1, Number.NaN, -0.5),
    count: Int32Array.of(2, 1, 3),
    last: Float64Array.of(5, 7, 6),
    better: Int32Array.of(0, 1, 0),
    source: new Uint8Array(3),
    block: Int32Array.of(0, 0, 0),
    from: Int32Array.of(0, 2, 3),
  },
};

const all = Int32Array.of(0, 1, 2);
const matching = (text: string, word = "", metric = ""): number[] => [
  ...matchingSeries(columns, { text, word, metric }),
];

describe("series on pages", () => {
  test("reads a series of the list", () => {
    expect(seriesLine(columns, 2)).toEqual({
      index: 2,
      key: "k2",
      benchmark: "Sort fast",
      metric: "memory",
      unit: "ms",
      word: "better",
      delta: -0.5,
      count: 3,
      last: 6,
      better: "lower",
    });
    expect([indexOfKey(columns, "k1"), indexOfKey(columns, "none")]).toEqual([1, -1]);
    expect(metricsOf(columns)).toEqual(["memory", "time"]);
  });

  test("all words must occur in benchmark, metric or key", () => {
    expect(matching("")).toEqual([0, 1, 2]);
    expect(matching("FAST sort")).toEqual([0, 2]);
    expect(matching("sort time")).toEqual([0]);
    expect(matching("k1")).toEqual([1]);
    expect(matching("", "better")).toEqual([2]);
    expect(matching("", "", "time")).toEqual([0, 1]);
  });

  test("sorts changes by magnitude, series without a change last in both directions", () => {
    expect([...sortedSeries(columns, all, "delta", true)]).toEqual([2, 0, 1]);
    expect([...sortedSeries(columns, all, "delta", false)]).toEqual([0, 2, 1]);
    expect([...sortedSeries(columns, all, "last", true)]).toEqual([1, 2, 0]);
    expect([...sortedSeries(columns, all, "metric", false)]).toEqual([2, 0, 1]);
  });

  test("sorts names by their numbers, and names their shared words once", () => {
    const texts = ["run n=10 procs=8", "run n=2 procs=8", "run n=1 procs=8"];
    const named = { facts: { ...columns.facts, texts }, arrays: { ...columns.arrays, key: all, benchmark: all } };
    expect([...sortedSeries(named, all, "key", false)]).toEqual([2, 1, 0]);
    const { shared, ownPart } = sharedBenchmarkWords(named);
    expect([shared, ...texts.map(ownPart)]).toEqual(["run procs=8", "n=10", "n=2", "n=1"]);
  });

  test("the points of a series are its slice of the block, with its own changes", () => {
    const numbers = Float64Array.of(1, 2, 3, 4, 5, 6);
    const block: PointBlock = {
      facts: { block: 0 },
      arrays: {
        version: Int32Array.of(0, 1, 0, 0, 1, 2),
        center: numbers,
        low: numbers,
        high: numbers,
        n: Int32Array.of(1, 1, 1, 1, 1, 1),
        changes: Int32Array.of(1, 5),
      },
    };
    const history = historyOf(columns, 2, block);
    expect([Array.from(history.center), history.changes]).toEqual([[4, 5, 6], [2]]);
    expect(historyOf(columns, 1, block).changes).toEqual([]);
    const none = { low: new Float64Array(), high: new Float64Array(), n: new Int32Array() };
    const single = historyOf(columns, 2, { ...block, arrays: { ...block.arrays, ...none } });
    expect([single.low, single.high, single.n].map((each) => Array.from(each))).toEqual([
      [4, 5, 6],
      [4, 5, 6],
      [1, 1, 1],
    ]);
  });
});
