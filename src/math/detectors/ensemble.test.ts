import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { noises, plantedSeries, type Noise, type Planted } from "../../../test/series/planted.ts";
import { ensemble, ensembleDefaults } from "./ensemble.ts";
import { noiseAbout, varianceOfMean } from "./noise.ts";

const kinds = Object.keys(noises) as Noise[];
const indexes = (values: Float64Array): number[] => ensemble(values, ensembleDefaults).map(({ index }) => index);
const step = (from: number, share: number): Planted & { share: number } => ({ from, to: from, share });

describe.each(kinds)("with %s noise", (noise) => {
  it("has at most two false positives in a hundred series", () => {
    const alarmed = Array.from({ length: 100 }, (_, seed) =>
      plantedSeries(noise, 1000 + seed, { spread: 0.03 }),
    ).filter(({ values }) => indexes(values).length > 0);
    expect(alarmed.length).toBeLessThanOrEqual(2);
  });

  it("finds nine of ten steps of 10 %, each within five values and nothing else", () => {
    const seeds = Array.from({ length: 50 }, (_, seed) => seed);
    const right = seeds.filter((seed) => {
      const found = indexes(plantedSeries(noise, 2000 + seed, { changes: [step(20 + seed, 0.1)] }).values);
      return found.length === 1 && Math.abs((found[0] as number) - 20 - seed) <= 5;
    });
    expect(right.length).toBeGreaterThanOrEqual(45);
  });

  it("finds a step five values after it", () => {
    const seeds = Array.from({ length: 20 }, (_, seed) => seed);
    const seen = seeds.filter((seed) => {
      const { values } = plantedSeries(noise, 3000 + seed, { count: 60, changes: [step(55, 0.12)] });
      return indexes(values).some((at) => Math.abs(at - 55) <= 3);
    });
    expect(seen.length).toBeGreaterThanOrEqual(15);
  });
});

it("returns only a change and the means around it", () => {
  const [change, ...others] = ensemble(
    plantedSeries("gauss", 1, { changes: [step(50, 0.05)] }).values,
    ensembleDefaults,
  );
  expect(others).toEqual([]);
  expect(Math.abs((change?.index ?? 0) - 50)).toBeLessThanOrEqual(2);
  expect(change?.before).toBeCloseTo(100, -0.3);
  expect(change?.after).toBeCloseTo(105, -0.3);
  expect(change?.p).toBeLessThan(ensembleDefaults.level);
});

it("finds the same changes in mirrored, shifted or scaled series", () => {
  const seeds = fc.integer({ min: 0, max: 2 ** 31 });
  fc.assert(
    fc.property(seeds, fc.constantFrom(...kinds), (seed, noise) => {
      const { values } = plantedSeries(noise, seed, { changes: [step(30, 0.06), step(60, -0.04)] });
      const found = indexes(values);
      expect(indexes(values.map((value) => -value))).toEqual(found);
      expect(indexes(values.map((value) => value * 1024))).toEqual(found);
    }),
    { numRuns: 60 },
  );
});

it("finds steps of exactly repeated counts", () => {
  const counts = Float64Array.from({ length: 40 }, (_, at) => (at < 12 ? 1000 : at < 30 ? 1001 : 990));
  expect(ensemble(counts, ensembleDefaults)).toEqual([
    { index: 12, before: 1000, after: 1001, p: 0 },
    { index: 30, before: 1001, after: 990, p: 0 },
  ]);
});

it("finds no change in constant or short series, nor in a single spike", () => {
  for (const values of [[], [1], [1, 2, 3, 4, 5], Array<number>(30).fill(2)])
    expect(indexes(Float64Array.from(values))).toEqual([]);
  const spiked = new Float64Array(60).fill(5);
  spiked[31] = 50;
  expect(indexes(spiked)).toEqual([]);
});

it("the variance of a mean is that of an autoregressive process, by summing all pairs", () => {
  const noise = { ...noiseAbout(Float64Array.of(1, 2, 4, 3), []), correlation: 0.6 };
  for (const count of [1, 2, 7, 30]) {
    let pairs = 0;
    for (let i = 0; i < count; i++) for (let j = 0; j < count; j++) pairs += 0.6 ** Math.abs(i - j);
    expect(varianceOfMean(noise, count)).toBeCloseTo((noise.variance * pairs) / count ** 2, 12);
  }
});
