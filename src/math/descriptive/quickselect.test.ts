import fc from "fast-check";
import { expect, it } from "vitest";
import { median, medianBetween, middleRanks, quantile, quantileOfSorted, quartiles } from "./quantile.ts";
import { medianInPlace, selected } from "./quickselect.ts";

const numbers = fc.oneof(
  fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 200 }),
  fc.array(fc.double({ noNaN: true }), { maxLength: 200 }),
  fc.nat(300).map((length) => Array.from({ length }, (_, at) => at ^ 21)),
);

it("puts at its rank what stands there in order, the others on their sides", () => {
  const property = fc.property(numbers, fc.nat(), (list, any) => {
    fc.pre(list.length > 0);
    const [values, rank] = [Float64Array.from(list), any % list.length];
    const found = selected(values, rank);
    // 0 and -0 are equal here.
    expect(found + 0).toBe((Float64Array.from(list).sort()[rank] as number) + 0);
    expect(values.slice().sort()).toEqual(Float64Array.from(list).sort());
    expect(values.subarray(0, rank).every((value) => value <= found)).toBe(true);
    expect(values.subarray(rank).every((value) => value >= found)).toBe(true);
  });
  fc.assert(property, { seed: 4, numRuns: 500 });
});

it("quantiles are those of the sorted values, which stay as they are", () => {
  const share = fc.oneof(fc.constantFrom(0, 0.25, 0.5, 0.75, 1), fc.double({ min: 0, max: 1, noNaN: true }));
  const property = fc.property(numbers, share, (list, p) => {
    const values = Float64Array.from(list);
    const sorted = Float64Array.from(list).sort();
    expect(quantile(values, p) + 0).toBe(quantileOfSorted(sorted, p) + 0);
    expect(medianInPlace(Float64Array.from(list)) + 0).toBe(quantileOfSorted(sorted, 0.5) + 0);
    if (list.length > 0)
      expect(Object.values(quartiles(values)).map((each) => each + 0)).toEqual(
        [0.25, 0.5, 0.75].map((each) => quantileOfSorted(sorted, each) + 0),
      );
    expect(values).toEqual(Float64Array.from(list));
  });
  fc.assert(property, { seed: 5, numRuns: 500 });
  expect(medianInPlace(Float64Array.of(1, Number.NaN, 2))).toBeNaN();
  expect(quantile(Float64Array.of(1, Number.NaN, 2), 0.1)).toBeNaN();
  expect(quantile(new Float64Array(0), 0.5)).toBeNaN();
});

it("takes no longer for what was made to take long", () => {
  // The middle of three is always the second least: without a limit of rounds each of them takes away two values.
  const [length, steps] = [4000, 40];
  const values = Float64Array.from({ length }, (_, at) => (at % 2 === 0 ? at : length - at));
  for (let rank = 0; rank < length; rank += steps)
    expect(selected(values.slice(), rank)).toBe(values.slice().sort()[rank]);
});

it("finds the median and both ranks around it in a part of the values, which stay as they are", () => {
  const property = fc.property(numbers, fc.nat(), fc.nat(), fc.nat(), (list, first, last, any) => {
    const values = Float64Array.from(list);
    const [from, to] = [first % (list.length + 1), last % (list.length + 1)].sort((a, b) => a - b) as [number, number];
    fc.pre(from < to);
    const sorted = values.slice(from, to).sort();
    const cut = any % (Math.floor(sorted.length / 2) + 1);
    const [low, high] = cut === 0 ? [Number.NaN, Number.NaN] : [sorted[cut - 1]!, sorted[sorted.length - cut]!];
    const found = middleRanks(values, from, to, cut);
    expect([found.median + 0, found.low + 0, found.high + 0]).toEqual([median(sorted) + 0, low + 0, high + 0]);
    expect(medianBetween(values, from, to) + 0).toBe(quantile(sorted, 0.5) + 0);
    expect(values).toEqual(Float64Array.from(list));
  });
  fc.assert(property, { seed: 6, numRuns: 500 });
});

it("has the median of more values than memory is kept for", () => {
  const values = Float64Array.from({ length: 100_001 }, (_, at) => (at * 7919) % 100_001);
  expect(median(values)).toBe(50_000);
  expect(median(values.subarray(0, 3))).toBe(7919);
});
