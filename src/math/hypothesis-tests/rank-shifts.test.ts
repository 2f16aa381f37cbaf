import fc from "fast-check";
import { expect, it } from "vitest";
import { signedRankShift, signedRankTest } from "./paired-tests.ts";
import { rankSumTest, shiftBetween } from "./rank-sum.ts";
import { stratifiedRankSum } from "./stratified-rank-sum.ts";

/** Distinct values, whose differences are hardly ever equal. */
const distinct = (minLength: number, maxLength: number): fc.Arbitrary<Float64Array> =>
  fc
    .uniqueArray(fc.integer({ min: -1_000_000, max: 1_000_000 }), { minLength, maxLength })
    .map((values) => Float64Array.from(values, (value) => value + Math.sin(value)));

it("the interval of differences has 0 exactly if the signed-rank test does not reject it", () => {
  fc.assert(
    fc.property(distinct(1, 25), (differences) => {
      const { shift, low, high } = signedRankShift(differences, 0.95);
      const isRejected = low > 0 || high < 0;
      expect(isRejected).toBe(signedRankTest(differences) <= 0.05);
      if (!Number.isNaN(low)) expect(shift >= low && shift <= high).toBe(true);
    }),
  );
});

/** The answer of R's wilcox.test(first, second, paired = TRUE, conf.int = TRUE), which its help page has as example. */
it("has the centre and the interval of Hollander and Wolfe's depression scale factors", () => {
  const first = [1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3];
  const second = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];
  const found = signedRankShift(
    Float64Array.from(first, (value, at) => value - second[at]!),
    0.95,
  );
  expect(found.shift).toBeCloseTo(0.46, 6);
  expect(found.low).toBeCloseTo(0.01, 6);
  expect(found.high).toBeCloseTo(0.786, 6);
});

it("more differences than are enumerated have the median with its interval", () => {
  const many = Float64Array.from({ length: 501 }, (_, at) => at);
  expect(signedRankShift(many, 0.95)).toMatchObject({ shift: 250 });
});

it("a single stratum has the answer of the rank-sum test", () => {
  fc.assert(
    fc.property(distinct(2, 30), fc.integer({ min: 1, max: 29 }), (values, at) => {
      const cut = 1 + (at % (values.length - 1));
      const [before, after] = [values.subarray(0, cut), values.subarray(cut)];
      const { p, ...shift } = stratifiedRankSum([[before, after]], 0.95);
      expect(p).toBeCloseTo(rankSumTest(before, after), 10);
      expect(shift).toEqual(shiftBetween(before, after, 0.95));
    }),
  );
});

it("p is the share of all assignments within strata that are as extreme", () => {
  const strata = [
    [Float64Array.of(1, 4, 5), Float64Array.of(3, 6, 7)],
    [Float64Array.of(101, 103), Float64Array.of(102, 106, 108)],
  ] as const;
  const sums = strata.map(([before, after]) => {
    const all = [...before, ...after];
    return choices(all, after.length).map((chosen) => {
      const others = all.filter((value) => !chosen.includes(value));
      return chosen.reduce((sum, value) => sum + others.filter((other) => other < value).length, 0);
    });
  });
  const totals = sums[0]!.flatMap((a) => sums[1]!.map((b) => a + b));
  const own = 7 + 5;
  const middle = (9 + 6) / 2;
  const share = totals.filter((u) => Math.abs(u - middle) >= own - middle).length / totals.length;
  expect(stratifiedRankSum(strata, 0.95).p).toBeCloseTo(share, 12);
});

it("strata without values of both sides do not count", () => {
  const empty = new Float64Array();
  expect(stratifiedRankSum([[Float64Array.of(1, 2), empty]], 0.95).p).toBe(1);
  expect(stratifiedRankSum([], 0.95)).toMatchObject({ p: 1, shift: Number.NaN });
});

/** All ways to choose `count` values. */
function choices(values: readonly number[], count: number): number[][] {
  if (count === 0) return [[]];
  return values.flatMap((value, at) => choices(values.slice(at + 1), count - 1).map((rest) => [value, ...rest]));
}
