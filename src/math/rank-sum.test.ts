import fc from "fast-check";
import { expect, it } from "vitest";
import { mannWhitney } from "./mann-whitney.ts";
import { rankSumTest } from "./rank-sum.ts";

const few = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 5 }).map((values) => Float64Array.from(values));

/** U of the first sample, twice. */
function doubledU(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, x) => sum + b.reduce((own, y) => own + (x > y ? 2 : x === y ? 1 : 0), 0), 0);
}

/** All ways to choose `count` of the values. */
function* choices(values: readonly number[], count: number): Generator<[number[], number[]]> {
  for (let mask = 0; mask < 2 ** values.length; mask++) {
    const chosen = values.filter((_, at) => (mask >> at) & 1);
    if (chosen.length === count) yield [chosen, values.filter((_, at) => !((mask >> at) & 1))];
  }
}

it("is twice the tail that counting all choices gives, ties or not", () => {
  fc.assert(
    fc.property(few, few, (a, b) => {
      const seen = doubledU([...a], [...b]);
      const all = [...choices([...a, ...b], a.length)].map(([x, y]) => doubledU(x, y));
      const tail = (holds: (u: number) => boolean): number => all.filter(holds).length / all.length;
      const middle = a.length * b.length;
      const p = seen === middle ? 1 : 2 * tail((u) => (seen < middle ? u <= seen : u >= seen));
      expect(rankSumTest(a, b)).toBeCloseTo(Math.min(1, p), 12);
    }),
    { numRuns: 150 },
  );
});

it("has the p of the test without ties where there are none", () => {
  const a = Float64Array.from({ length: 18 }, (_, at) => Math.sin(at * 7.1));
  const b = Float64Array.from({ length: 20 }, (_, at) => Math.sin(at * 3.3) + 0.4);
  expect(rankSumTest(a, b)).toBeCloseTo(mannWhitney(a, b), 12);
});

it("is sure of nothing where nothing differs or nothing is there", () => {
  const same = Float64Array.of(3, 3, 3);
  for (const [a, b] of [
    [same, same],
    [new Float64Array(), same],
  ] as const)
    expect(rankSumTest(a, b)).toBe(1);
});
