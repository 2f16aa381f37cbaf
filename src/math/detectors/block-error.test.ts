import { describe, expect, it } from "vitest";
import { seededRandom } from "../sampling/seeded-random.ts";
import { studentQuantile } from "../distributions/student-t.ts";
import { blockError, blockMedians } from "./block-error.ts";

const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

describe("the error of a difference of levels", () => {
  it("is that of block medians, with the freedom of Welch", () => {
    // Blocks of one value: variances 1 and 4 of three values each.
    const { error, freedom, movement, blocks } = blockError(Float64Array.of(1, 2, 3, 10, 12, 14), 0, 3, 6);
    expect(error).toBeCloseTo(Math.sqrt(5 / 3), 12);
    expect(freedom).toBeCloseTo(25 / (1 / 2 + 16 / 2), 12);
    expect([movement, blocks]).toEqual([4, 6]);
  });

  it("is at least what is known of the values, whose freedom counts", () => {
    // The mean of three values of variance 12 has 4, more than the right side's 1/3 and 4/3.
    const values = Float64Array.of(1, 2, 3, 10, 12, 14);
    const { error, freedom } = blockError(values, 0, 3, 6, { variance: 12, freedom: 40 });
    expect(error).toBeCloseTo(Math.sqrt(8), 12);
    expect(freedom).toBeCloseTo(80, 12);
    // 1 is more than 1/3, and less than 4/3.
    const mixed = blockError(values, 0, 3, 6, { variance: 3, freedom: 40 });
    expect(mixed.error).toBeCloseTo(Math.sqrt(1 + 4 / 3), 12);
    expect(mixed.freedom).toBeCloseTo((1 + 4 / 3) ** 2 / (1 / 40 + (4 / 3) ** 2 / 2), 12);
    const without = blockError(values, 0, 3, 6);
    expect(blockError(values, 0, 3, 6, { variance: 0.5, freedom: 40 })).toEqual(without);
  });

  it("is unknown for levels of fewer than three values", () => {
    expect(blockError(Float64Array.of(1, 2, 3, 4), 0, 2, 4)).toMatchObject({ error: 0, freedom: 0 });
  });

  it("is 0, with a freedom, for equal values", () => {
    expect(blockError(new Float64Array(8).fill(7), 0, 4, 8)).toMatchObject({ error: 0, freedom: 2, movement: 0 });
  });

  it("gives intervals that cover differences of autocorrelated levels", () => {
    let covered = 0;
    for (let seed = 0; seed < 400; seed++) {
      const random = seededRandom(Math.imul(seed + 1, 0x9e3779b1));
      let state = 0;
      const values = Float64Array.from({ length: 80 }, () => (state = 0.5 * state + normal(random)));
      const { error, freedom } = blockError(values, 0, 40, 80);
      const mean = (from: number): number => values.subarray(from, from + 40).reduce((sum, each) => sum + each / 40, 0);
      if (Math.abs(mean(40) - mean(0)) <= studentQuantile(0.975, freedom) * error) covered += 1;
    }
    expect(covered / 400).toBeGreaterThan(0.9);
  });
});

it("blocks are of almost equal length, and medians those of their values", () => {
  expect([...blockMedians(Float64Array.of(3, 1, 2, 9, 7, 8, 8), 2)]).toEqual([2, 8]);
  const long = Float64Array.from({ length: 90 }, (_, at) => (at * 37) % 90);
  const sorted = long.slice(0, 30).sort((a, b) => a - b);
  expect(blockMedians(long, 3)[0]).toBe(((sorted[14] as number) + (sorted[15] as number)) / 2);
});
