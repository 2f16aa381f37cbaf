import { describe, expect, it } from "vitest";
import { plantedSeries } from "../../../test/series/planted.ts";
import { driftOf } from "./drift.ts";
import { ensemble, ensembleDefaults } from "./ensemble.ts";

const noisy = (seed: number, count: number, levelAt: (at: number) => number): Float64Array => {
  const { values } = plantedSeries("gauss", Math.imul(seed + 1, 0x9e3779b1) >>> 0, { count, spread: 0.01 });
  return values.map((value, at) => value * levelAt(at));
};
const driftIn = (values: Float64Array): ReturnType<typeof driftOf> =>
  driftOf(
    values,
    ensemble(values, ensembleDefaults).map(({ index }) => index),
  );

describe("a drift", () => {
  it("is found with its slope and error", () => {
    for (let seed = 0; seed < 40; seed++) {
      const found = driftIn(noisy(seed, 60, (at) => 1 + 0.002 * at));
      expect(found, `${seed}`).not.toBeNull();
      expect(Math.abs((found?.slope ?? 0) - 0.2)).toBeLessThan(4 * (found?.error ?? 0));
    }
  });

  it("is none in steps, steady noise, waves, and short series", () => {
    for (let seed = 0; seed < 40; seed++) {
      expect(driftIn(noisy(seed, 60, (at) => (at < 10 + seed ? 1 : 1.08)))).toBeNull();
      expect(driftIn(noisy(seed, 60, () => 1))).toBeNull();
      expect(driftIn(noisy(seed, 60, (at) => 1 + 0.05 * Math.sin(at / 5)))).toBeNull();
      expect(driftIn(noisy(seed, 11, (at) => 1 + 0.05 * at))).toBeNull();
    }
  });

  it("is none for constant and for extreme numbers", () => {
    expect(driftOf(new Float64Array(30).fill(5), [])).toBeNull();
    expect(
      driftOf(
        Float64Array.from({ length: 30 }, (_, at) => at * 1e300),
        [],
      ),
    ).toBeNull();
  });
});
