import fc from "fast-check";
import { expect, test } from "vitest";
import { addedBins, binned, intervalCounts, valueCounts } from "./histogram.ts";
import { roundAway } from "../numerics/rounding.ts";

const samples = fc
  .array(fc.integer({ min: -500, max: 500 }), { minLength: 1, maxLength: 60 })
  .map((list) => Float64Array.from(list).sort());
const total = (counts: Float64Array): number => counts.reduce((sum, count) => sum + count, 0);

test("a value on an edge belongs to the lower bin, one between to its own", () => {
  expect(binned(Float64Array.of(0, 1, 2, 2, 2.5), 0, 1)).toEqual({
    edges: Float64Array.of(0, 1, 2),
    counts: Float64Array.of(2, 2, 1),
  });
});

test("a hundredth of the range makes a hundred bins, where adding it a hundred times falls short of the end", () => {
  const samples = Float64Array.of(5323, 9000, 18995);
  const width = (18995 - 5323) / 100;
  const { edges, counts } = binned(samples, 5323, width, 100);
  expect([edges.length, counts.at(-1)]).toEqual([100, 1]);
  expect(addedBins(samples, 5323, width).edges).toHaveLength(101);
});

test("bins of one width hold every value once, each between its edges", () => {
  fc.assert(
    fc.property(samples, fc.constantFrom(0.5, 1, 7, 2000), (sorted, width) => {
      const start = Math.floor((sorted[0] ?? 0) / width) * width;
      const { edges, counts } = binned(sorted, start, width);
      expect(total(counts)).toBe(sorted.length);
      edges.forEach((edge, at) => {
        const own = sorted.filter((value) => value <= edge + width && (value > edge || (at === 0 && value === edge)));
        expect(counts[at]).toBe(own.length);
      });
    }),
  );
});

test("different values are counted, -0 as 0", () => {
  expect(valueCounts(Float64Array.of(-0, 0, 3))).toEqual({
    edges: Float64Array.of(0, 3),
    counts: Float64Array.of(2, 1),
  });
});

test("intervals begin at the first value and are open at their end", () => {
  fc.assert(
    fc.property(samples, fc.constantFrom(1, 3, 2000), (sorted, width) => {
      const { edges, counts } = intervalCounts(sorted, width);
      expect(edges[0]).toBe(sorted[0]);
      expect(counts.at(-1)).toBeGreaterThan(0);
      edges.forEach((edge, at) =>
        expect(counts[at]).toBe(sorted.filter((value) => value >= edge && value < edge + width).length),
      );
    }),
  );
});

test("nothing has no bins", () => {
  for (const bins of [
    binned(new Float64Array(), 0, 1),
    valueCounts(new Float64Array()),
    intervalCounts(new Float64Array(), 1),
  ])
    expect(bins.edges).toHaveLength(0);
});

test.each([
  [0.125, 2, 0.13],
  [-0.125, 2, -0.13],
  [2.5, 0, 3],
  [1.005, 2, 1],
  [15, -1, 20],
  [-14, -1, -10],
  [2 ** 60, 3, 2 ** 60],
  [Number.POSITIVE_INFINITY, 1, Number.POSITIVE_INFINITY],
])("%d with %d decimals is %d", (value, digits, rounded) => {
  expect(roundAway(value, digits)).toBe(rounded);
});
