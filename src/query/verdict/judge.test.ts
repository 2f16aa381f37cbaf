import { describe, expect, it } from "vitest";
import type { Subject } from "../../core/measurements/series.ts";
import { seededRandom } from "../../math/sampling/seeded-random.ts";
import { decideTogether } from "./compare.ts";
import { judgeDefaults } from "./decision.ts";
import { estimate, judge } from "./judge.ts";

const subject: Subject = { source: "file", key: "k", benchmark: "b", metric: "s", unit: undefined, better: "lower" };
const of = (...values: number[]): Float64Array[] => [Float64Array.from(values)];
const around = (level: number, n: number, spread = 0.01): Float64Array[] =>
  of(...Array.from({ length: n }, (_, at) => level * (1 + spread * (((at * 7) % n) / n - 0.5))));

describe("one pair", () => {
  it("is worse or better by the direction of the metric", () => {
    expect(judge(subject, around(100, 10), around(110, 10))).toMatchObject({ outcome: "worse", test: "mann-whitney" });
    expect(judge(subject, around(100, 10), around(90, 10)).outcome).toBe("better");
    expect(judge({ ...subject, better: "higher" }, around(100, 10), around(90, 10)).outcome).toBe("worse");
  });

  it("has the effect with its interval", () => {
    const { delta, deltaLow, deltaHigh, p, before } = judge(subject, around(100, 10), around(110, 10));
    expect(delta).toBeCloseTo(0.1, 10);
    expect(deltaLow).toBeGreaterThan(0.09);
    expect(deltaHigh).toBeLessThan(0.11);
    expect(p).toBeCloseTo(2 / 184_756, 10);
    expect(before?.n).toBe(10);
  });

  it("cannot fall by more than 100 % where no value is negative", () => {
    const [old, now] = [of(0, 1, 2, 3, 40), of(0, 0, 1, 1, 2)];
    expect(judge(subject, old, now).deltaLow).toBe(-1);
    expect(judge(subject, of(-1, 1, 2, 3, 40), now).deltaLow).toBeLessThan(-1);
  });

  it("is the same only if the interval excludes relevant changes", () => {
    expect(judge(subject, around(100, 10), around(100, 10)).outcome).toBe("same");
    const noisy = judge(subject, around(100, 6, 0.6), around(103, 6, 0.6));
    expect(noisy.outcome).toBe("inconclusive");
    expect(noisy.reason).toMatch(/^could have seen >= \d/);
    expect(noisy.detectable).toBeGreaterThan(0.1);
  });

  it("ignores changes below the least effect", () => {
    expect(judge(subject, around(100, 10), around(102, 10), { ...judgeDefaults, minEffect: 0.03 }).outcome).toBe(
      "same",
    );
    expect(judge(subject, around(100, 10), around(104, 10), { ...judgeDefaults, minEffect: 0.03 }).outcome).toBe(
      "worse",
    );
  });

  it.each([1, 2, 3])("does not decide with %i values per side", (n) => {
    expect(judge(subject, of(...Array<number>(n).fill(100)), of(...Array<number>(n).fill(200))).outcome).toBe(
      "inconclusive",
    );
  });

  it("needs no test for constant values", () => {
    expect(judge(subject, of(5, 5, 5, 5), of(6, 6, 6, 6))).toMatchObject({ outcome: "worse", test: "exact", p: 0 });
    expect(judge(subject, of(5, 5, 5, 5), of(5, 5, 5, 5))).toMatchObject({ outcome: "same", test: "exact", p: 1 });
    expect(judge(subject, of(0, 0, 0, 0), of(2, 2, 2, 2))).toMatchObject({ outcome: "worse", delta: null });
  });

  it("trusts exact numbers; one suffices", () => {
    const exact = { ...judgeDefaults, exact: true };
    expect(judge(subject, of(1000), of(1001), exact).outcome).toBe("worse");
    expect(judge(subject, of(1000), of(1000), exact).outcome).toBe("same");
    expect(judge(subject, of(1000, 1001), of(1000), exact).outcome).toBe("inconclusive");
  });

  it("does not claim more precision than the clock has", () => {
    const ticks = (...numbers: number[]): Float64Array[] => of(...Array<number>(9).fill(100), ...numbers);
    expect(judge(subject, ticks(101), ticks(100))).toMatchObject({ outcome: "same", deltaLow: -0.01, deltaHigh: 0.01 });
    const coarse = (last: number): Float64Array[] => of(...Array<number>(9).fill(1e-9), last);
    expect(judge(subject, coarse(0.004), coarse(0.008))).toMatchObject({ outcome: "inconclusive", deltaHigh: null });
  });

  it("is inconclusive if a side is missing", () => {
    expect(judge(subject, null, around(1, 5))).toMatchObject({
      outcome: "inconclusive",
      before: null,
      delta: null,
      reason: "only the new side has values",
    });
    expect(judge(subject, around(1, 5), [])).toMatchObject({ outcome: "inconclusive", after: null });
  });

  it("uses all values if alpha requires more values", () => {
    expect(judge(subject, around(100, 4), around(200, 4), { ...judgeDefaults, alpha: 0.01 })).toMatchObject({
      outcome: "inconclusive",
      reason: "too few values for this alpha",
    });
  });
});

it("counts correlated values of a process as one: false positives stay rare", () => {
  const random = seededRandom(3);
  const side = (): Float64Array[] =>
    Array.from({ length: 5 }, () => {
      const level = 100 * (1 + 0.1 * (random() - 0.5));
      return Float64Array.from({ length: 8 }, () => level * (1 + 0.01 * (random() - 0.5)));
    });
  const words = Array.from({ length: 40 }, () => judge(subject, side(), side()).outcome);
  expect(words.filter((word) => word === "worse" || word === "better").length).toBeLessThanOrEqual(5);
});

describe("a suite", () => {
  const judgement = (before: Float64Array[] | null, after: Float64Array[]): ReturnType<typeof estimate> =>
    estimate(subject, before, after, judgeDefaults);

  it("has q, the Benjamini-Hochberg rate among verdicts by a test", () => {
    const [first, second, third, exact] = decideTogether([
      judgement(around(100, 10), around(110, 10)),
      judgement(null, around(1, 5)),
      judgement(around(100, 10), around(100, 10)),
      judgement(of(5, 5, 5, 5), of(6, 6, 6, 6)),
    ]);
    expect(first?.q).toBeCloseTo(2 * first!.p!, 12);
    expect(second?.q).toBeNull();
    expect(third?.q).toBe(third?.p);
    expect(exact).toMatchObject({ outcome: "worse", q: 0 });
  });

  it("decides by q: a small p among many equal rows is no change", () => {
    const close = judgement(of(1, 2, 3, 4, 5, 6), of(4.5, 5.5, 6.5, 7.5, 8.5, 9.5));
    const equal = Array.from({ length: 20 }, () => judgement(around(100, 10), around(100, 10)));
    expect(decideTogether([close])[0]).toMatchObject({ outcome: "worse", q: close.verdict.p });
    expect(decideTogether([close, ...equal])[0]).toMatchObject({
      outcome: "inconclusive",
      reason: expect.stringMatching(/^p alone is small, q over all rows is not; /),
    });
  });
});

it("many values take no more time than sorting", () => {
  const [before, after] = [around(100, 40_000), around(101, 40_000)];
  const { outcome: word, deltaLow, deltaHigh } = judge(subject, before, after);
  expect(word).toBe("worse");
  expect(deltaLow).toBeGreaterThan(0.0097);
  expect(deltaHigh).toBeLessThan(0.0103);
});
