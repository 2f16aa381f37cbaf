import fc from "fast-check";
import { expect, it } from "vitest";
import { signedRankTest } from "./paired-tests.ts";

/** Answers of SciPy 1.17 (wilcoxon, method exact where nothing is tied). */
it("has known answers", () => {
  expect(signedRankTest(Float64Array.of(6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75))).toBeCloseTo(
    0.041259765625,
    12,
  );
  expect(signedRankTest(Float64Array.of(1, 2, 3, 4, 5))).toBe(0.0625);
});

const sizes = fc.array(fc.integer({ min: -4, max: 4 }), { maxLength: 10 });

it("is twice the tail that counting all signs gives, ties and zeros or not", () => {
  fc.assert(
    fc.property(sizes, (values) => {
      const kept = values.filter((each) => each !== 0);
      const ranks = kept.map((x) =>
        kept.reduce((sum, y) => sum + (Math.abs(y) < Math.abs(x) ? 2 : Math.abs(y) === Math.abs(x) ? 1 : 0), 1),
      );
      const total = ranks.reduce((sum, rank) => sum + rank, 0);
      const small = (plus: number): number => Math.min(plus, total - plus);
      const seen = small(ranks.reduce((sum, rank, at) => sum + (kept[at]! > 0 ? rank : 0), 0));
      let count = 0;
      for (let mask = 0; mask < 2 ** kept.length; mask++)
        if (small(ranks.reduce((sum, rank, at) => sum + ((mask >> at) & 1 ? rank : 0), 0)) <= seen) count += 1;
      expect(signedRankTest(Float64Array.from(values))).toBeCloseTo(Math.min(1, count / 2 ** kept.length), 12);
    }),
    { numRuns: 100 },
  );
});

it("is close to the exact one where there are many", () => {
  const many = (count: number): Float64Array =>
    Float64Array.from({ length: count }, (_, at) => (at % 3 === 0 ? -1 : 1) * (at + 0.5));
  const [exact, approximate] = [signedRankTest(many(48)), signedRankTest(many(51))];
  expect(approximate).toBeLessThan(exact);
  expect(approximate).toBeGreaterThan(exact * 0.6);
});
