import fc from "fast-check";
import { expect, it } from "vitest";
import { quantile } from "./quantile.ts";
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

it("the median is the quantile of a half", () => {
  const property = fc.property(numbers, (list) => {
    expect(medianInPlace(Float64Array.from(list)) + 0).toBe(quantile(Float64Array.from(list), 0.5) + 0);
  });
  fc.assert(property, { seed: 5, numRuns: 500 });
  expect(medianInPlace(Float64Array.of(1, Number.NaN, 2))).toBeNaN();
});

it("takes no longer for what was made to take long", () => {
  // The middle of three is always the second least: without a limit of rounds each of them takes away two values.
  const [length, steps] = [4000, 40];
  const values = Float64Array.from({ length }, (_, at) => (at % 2 === 0 ? at : length - at));
  for (let rank = 0; rank < length; rank += steps)
    expect(selected(values.slice(), rank)).toBe(values.slice().sort()[rank]);
});
