import fc from "fast-check";
import { median } from "../descriptive/quantile.ts";
import { seededRandom } from "../sampling/seeded-random.ts";
import { mannWhitney, rankSumTest, detectableChange, leastP } from "./rank-sum.ts";
import { expect, it, describe } from "vitest";

const few = fc
  .array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 5 })
  .map((values) => Float64Array.from(values));

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

it("is twice the lower tail of an exhaustive count, with and without ties", () => {
  fc.assert(
    fc.property(few, few, (a, b) => {
      const seen = doubledU([...a], [...b]);
      const all = [...choices([...a, ...b], a.length)].map(([x, y]) => doubledU(x, y));
      const [middle, least] = [a.length * b.length, Math.min(seen, 2 * a.length * b.length - seen)];
      const p = seen === middle ? 1 : 2 * (all.filter((u) => u <= least).length / all.length);
      expect(rankSumTest(a, b)).toBeCloseTo(Math.min(1, p), 12);
    }),
    { numRuns: 150 },
  );
});

/** All ways to write a number as a sum of positive ones, in order. */
function* sums(total: number): Generator<number[]> {
  if (total === 0) yield [];
  for (let first = 1; first <= total; first++) for (const rest of sums(total - first)) yield [first, ...rest];
}

/** All ways to take `count` values out of groups of equal ones: how many of each, and in how many ways that can be. */
function* taken(sizes: readonly number[], count: number): Generator<{ of: number[]; ways: number }> {
  const [size, ...rest] = sizes;
  if (size === undefined) {
    if (count === 0) yield { of: [], ways: 1 };
    return;
  }
  for (let own = 0, ways = 1; own <= Math.min(size, count); ways = (ways * (size - own)) / (own + 1), own++)
    for (const more of taken(rest, count - own)) yield { of: [own, ...more.of], ways: ways * more.ways };
}

const spread = (counts: readonly number[]): number[] =>
  counts.flatMap((count, value) => Array<number>(count).fill(value));

/** All patterns of up to eight values, a sample of longer ones. */
function patterns(count: number): number[][] {
  const every = count <= 8 ? 1 : 2 ** (count - 8) + 1;
  return [...sums(count)].filter((sizes, at) => sizes.length > 1 && at % every === 0);
}

it.each([1, 2, 3, 4, 5, 6, 7])("has the exact p of patterns of ties of %i and up to seven values", (n) => {
  for (let m = 1; m <= 7; m++) {
    for (const sizes of patterns(n + m)) {
      const chance = new Map<number, number>();
      const example = new Map<number, number[]>();
      let all = 0;
      for (const { of, ways } of taken(sizes, n)) {
        const u = doubledU(spread(of), spread(sizes.map((size, at) => size - of[at]!)));
        chance.set(u, (chance.get(u) ?? 0) + ways);
        example.set(u, of);
        all += ways;
      }
      for (const [u, of] of example) {
        const least = Math.min(u, 2 * n * m - u);
        let tail = 0;
        for (const [each, ways] of chance) if (each <= least) tail += ways;
        const p = rankSumTest(
          Float64Array.from(spread(of)),
          Float64Array.from(spread(sizes.map((size, at) => size - of[at]!))),
        );
        if (Math.abs(p - (u === n * m ? 1 : Math.min(1, (2 * tail) / all))) > 1e-12)
          expect.fail(`${sizes} ${of}: ${p}`);
      }
    }
  }
});

it("equals the test without ties if there are none", () => {
  const a = Float64Array.from({ length: 18 }, (_, at) => Math.sin(at * 7.1));
  const b = Float64Array.from({ length: 20 }, (_, at) => Math.sin(at * 3.3) + 0.4);
  expect(rankSumTest(a, b)).toBeCloseTo(mannWhitney(a, b), 12);
});

it("is 1 for equal or empty samples", () => {
  const same = Float64Array.of(3, 3, 3);
  for (const [a, b] of [
    [same, same],
    [new Float64Array(), same],
  ] as const)
    expect(rankSumTest(a, b)).toBe(1);
});

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

describe.each([6, 10])("%i values a side with 3 % noise", (n) => {
  it("a change of the detectable size is found in about 80 % of cases", () => {
    const random = seededRandom(100 + n);
    const sample = (level: number): Float64Array =>
      Float64Array.from({ length: n }, () => level * Math.exp(0.03 * normal(random)));
    const detectable = Array.from({ length: 200 }, () => {
      const [a, b] = [sample(100), sample(100)];
      return detectableChange(a, b, median(a), 0.05)!;
    });
    const change = detectable.reduce((sum, each) => sum + each, 0) / detectable.length;
    const cases = 400;
    let seen = 0;
    for (let i = 0; i < cases; i++) if (rankSumTest(sample(100), sample(100 * (1 + change))) <= 0.05) seen += 1;
    expect(seen / cases).toBeGreaterThan(0.7);
    expect(seen / cases).toBeLessThan(0.88);
  });
});

it("is null if even completely separated samples have a greater p", () => {
  expect(leastP(3, 3)).toBeCloseTo(0.1, 12);
  expect(detectableChange(Float64Array.of(1, 2, 3), Float64Array.of(1, 2, 3), 2, 0.05)).toBeNull();
  expect(detectableChange(Float64Array.of(0, 0, 0, 0, 0), Float64Array.of(1, 2, 3, 4, 5), 0, 0.05)).toBeNull();
});
