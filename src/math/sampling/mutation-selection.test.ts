import { describe, expect, test } from "vitest";
import { mutationCount, chooseParent } from "./mutation-selection.ts";
import { seededRandom } from "./seeded-random.ts";

function frequencies(fitness: number[], draws: number): number[] {
  const random = seededRandom(7);
  const counts = fitness.map(() => 0);
  for (let draw = 0; draw < draws; draw++) counts[chooseParent(Float64Array.from(fitness), random)]! += 1;
  return counts.map((count) => count / draws);
}

describe("the choice of a parent", () => {
  test("is fair among fewer than five", () => {
    for (const share of frequencies([1, 100, 3], 30_000)) expect(share).toBeCloseTo(1 / 3, 1);
  });

  test("prefers the interval of the fittest five to one", () => {
    const shares = frequencies([0, 1, 2, 3, 4.999, 5], 60_000);
    const expected = [1, 2, 3, 4, 2.5, 2.5].map((weight) => weight / 15);
    shares.forEach((share, at) => expect(share).toBeCloseTo(expected[at]!, 1.5));
  });

  test("gives the chance of empty intervals to the fitter ones", () => {
    const shares = frequencies([0, 0, 0, 0, 100], 30_000);
    expect(shares[4]).toBeCloseTo(14 / 15, 1.5);
  });

  test("is fair where all are alike", () => {
    for (const share of frequencies([2, 2, 2, 2, 2, 2], 60_000)) expect(share).toBeCloseTo(1 / 6, 1.5);
  });
});

describe("the number of mutations", () => {
  const none = { hits: 0, total: 0 };
  test("unitary is always one", () => {
    expect([none, { hits: 9, total: 10 }].map((success) => mutationCount("unitary", success, () => 0.99))).toEqual([
      1, 1,
    ]);
  });

  test("proportional is one more than the hits, at most 100", () => {
    const counts = [0, 5, 99, 1000].map((hits) => mutationCount("proportional", { hits, total: 2000 }, () => 0.99));
    expect(counts).toEqual([1, 6, 100, 100]);
  });

  test("probabilistic is one with the share of the success as chance, at least a tenth", () => {
    const drawn = (hits: number, random: number): number =>
      mutationCount("probabilistic", { hits, total: 10 }, () => random);
    expect([drawn(5, 0.49), drawn(5, 0.5), drawn(0, 0.09), drawn(0, 0.1)]).toEqual([1, 0, 1, 0]);
    expect(mutationCount("probabilistic", none, () => 0.999)).toBe(1);
  });

  test("mixed is proportional with that chance", () => {
    const drawn = (random: number): number => mutationCount("mixed", { hits: 5, total: 10 }, () => random);
    expect([drawn(0.49), drawn(0.5)]).toEqual([6, 0]);
  });
});
