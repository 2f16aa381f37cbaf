import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mean, moments, standardDeviation } from "./summary-statistics.ts";
import { median, quantile } from "./quantile.ts";
import { studentQuantile } from "../distributions/student-t.ts";

const finite = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 });
const sample = fc.array(finite, { minLength: 1, maxLength: 40 }).map((values) => Float64Array.from(values));

describe("moments", () => {
  it("gives the known answers", () => {
    const { variance, ...rest } = moments(Float64Array.of(2, 4, 4, 4, 5, 5, 7, 9));
    expect(rest).toEqual({ count: 8, mean: 5, minimum: 2, maximum: 9 });
    expect(variance).toBeCloseTo(4.571428571428571, 14);
    expect(standardDeviation(Float64Array.of(1, 3))).toBe(Math.SQRT2);
  });

  it("does not cancel on a large offset (NIST NumAcc4)", () => {
    const values = Float64Array.from({ length: 1001 }, (_, i) =>
      i === 0 ? 10000000.2 : i % 2 === 1 ? 10000000.1 : 10000000.3,
    );
    expect(standardDeviation(values)).toBeCloseTo(0.1, 8);
  });

  it("says NaN where there is nothing to say", () => {
    expect(moments(new Float64Array(0))).toEqual({ count: 0, mean: NaN, variance: NaN, minimum: NaN, maximum: NaN });
    expect(moments(Float64Array.of(3)).variance).toBeNaN();
    expect(moments(Float64Array.of(3, NaN)).maximum).toBeNaN();
  });
});

describe("mean", () => {
  it("loses no small addend", () => expect(mean(Float64Array.of(1e16, 1, 1, -1e16))).toBe(0.5));
  it("is NaN of nothing and infinite with infinity", () => {
    expect(mean(new Float64Array(0))).toBeNaN();
    expect(mean(Float64Array.of(1, Infinity))).toBe(Infinity);
  });
  it("agrees with Welford's", () => {
    fc.assert(
      fc.property(sample, (values) => {
        expect(mean(values)).toBeCloseTo(moments(values).mean, 6);
      }),
    );
  });
});

describe("quantile", () => {
  const values = Float64Array.of(35, 15, 50, 20, 40);
  it.each([
    [0, 15],
    [0.05, 16],
    [0.3, 23],
    [0.4, 29],
    [0.5, 35],
    [1, 50],
  ])("at %d is %d", (p, expected) => expect(quantile(values, p)).toBeCloseTo(expected, 12));

  it("lies within the sample and grows with p", () => {
    fc.assert(
      fc.property(
        sample,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (of, p, q) => {
          const [low, high] = [quantile(of, Math.min(p, q)), quantile(of, Math.max(p, q))];
          expect(low).toBeGreaterThanOrEqual(Math.min(...of));
          expect(high).toBeLessThanOrEqual(Math.max(...of));
          expect(high - low).toBeGreaterThanOrEqual(-1e-9 * Math.abs(low));
        },
      ),
    );
  });

  it("leaves its argument alone, and has no answer to nothing or NaN", () => {
    quantile(values, 0.5);
    expect([...values]).toEqual([35, 15, 50, 20, 40]);
    expect(median(new Float64Array(0))).toBeNaN();
    expect(median(Float64Array.of(1, NaN, 2))).toBeNaN();
    expect(median(Float64Array.of(1, Infinity, Infinity))).toBe(Infinity);
    expect(median(Float64Array.of(1, 2, Infinity))).toBe(2);
  });
});

describe("studentQuantile", () => {
  it.each([
    [0.975, 1, 12.706204736174694],
    [0.975, 2, 4.302652729749462],
    [0.975, 4, 2.7764451051977934],
    [0.975, 10, 2.228138851986274],
    [0.975, 100, 1.9839715185235518],
    [0.995, 3, 5.840909309733355],
    [0.9, 7, 1.4149239276505086],
    [0.975, 10000, 1.960201239890626],
    [0.025, 4, -2.7764451051977934],
  ])("p %d, %d degrees of freedom", (p, freedom, expected) =>
    expect(studentQuantile(p, freedom)).toBeCloseTo(expected, 10),
  );
});
