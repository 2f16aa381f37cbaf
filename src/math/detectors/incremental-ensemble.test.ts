import fc from "fast-check";
import { expect, it } from "vitest";
import { noises, plantedSeries, type Noise } from "../../../test/series/planted.ts";
import { ensemble, ensembleDefaults } from "./ensemble.ts";
import { incrementalEnsemble, type Settled, type SettledMemory } from "./incremental-ensemble.ts";

const kinds = Object.keys(noises) as Noise[];

class Remembered implements SettledMemory {
  readonly known = new Map<string, Settled>();
  found = 0;

  get(beginning: Float64Array): Settled | undefined {
    const settled = this.known.get(beginning.join());
    if (settled !== undefined) this.found += 1;
    return settled;
  }

  put(beginning: Float64Array, settled: Settled): void {
    this.known.set(beginning.join(), settled);
  }
}

const step = (from: number, share: number) => ({ from, to: from, share });

/** Up to 4000 values with up to six steps. */
const series = fc
  .record({
    noise: fc.constantFrom(...kinds),
    seed: fc.nat(),
    count: fc.oneof(fc.integer({ min: 900, max: 4000 }), fc.constantFrom(1024, 1025, 1536, 1537, 2048)),
    steps: fc.array(fc.record({ from: fc.nat(4000), share: fc.double({ min: -0.1, max: 0.1, noNaN: true }) }), {
      maxLength: 6,
    }),
  })
  .map(
    ({ noise, seed, count, steps }) =>
      plantedSeries(noise, seed, { count, changes: steps.map(({ from, share }) => step(from, share)) }).values,
  );

it("a growing series has at every length the same changes as from scratch", () => {
  const appended = fc.array(fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 700 })), {
    minLength: 1,
    maxLength: 12,
  });
  const property = fc.property(series, fc.nat(1200), appended, (values, first, sizes) => {
    const memory = new Remembered();
    for (
      let [length, at] = [first, 0];
      length <= values.length && at <= sizes.length;
      length += sizes[at++] as number
    ) {
      const grown = values.subarray(0, length);
      expect(incrementalEnsemble(grown, ensembleDefaults, memory)).toEqual(
        incrementalEnsemble(grown, ensembleDefaults),
      );
    }
  });
  fc.assert(property, { seed: 21, numRuns: 40 });
});

it("a rewritten history does not use the cached result", () => {
  const { values } = plantedSeries("gauss", 5, { count: 2500, changes: [step(700, 0.1)] });
  const memory = new Remembered();
  expect(incrementalEnsemble(values, ensembleDefaults, memory).map(({ index }) => index)).toEqual([700]);
  const other = values.map((value, at) => (at >= 700 && at < 1400 ? value / 1.1 : value));
  expect(incrementalEnsemble(other, ensembleDefaults, memory)).toEqual(incrementalEnsemble(other, ensembleDefaults));
  expect(incrementalEnsemble(other, ensembleDefaults, memory).map(({ index }) => index)).toEqual([1400]);
});

it("up to 1024 values are one window", () => {
  const property = fc.property(series, (values) => {
    const short = values.subarray(0, 1024);
    expect(incrementalEnsemble(short, ensembleDefaults)).toEqual(ensemble(short, ensembleDefaults));
  });
  fc.assert(property, { seed: 22, numRuns: 20 });
});

it("finds steps at any position of the windows, each once, with its levels", () => {
  for (let seed = 0; seed < 60; seed++) {
    const positions = [100 + 11 * seed, 1000 + 7 * seed, 1600 + 13 * seed];
    const changes = positions.map((position, at) => step(position, at % 2 === 0 ? 0.1 : -0.09));
    const { values } = plantedSeries("gauss", 900 + seed, { count: 3000, changes });
    const found = incrementalEnsemble(values, ensembleDefaults);
    expect(found.length).toBe(3);
    for (const [at, { index }] of found.entries())
      expect(Math.abs(index - (positions[at] as number))).toBeLessThanOrEqual(2);
    for (const [at, { after }] of found.entries()) expect(after).toBe(found[at + 1]?.before ?? after);
  }
});

it("settled changes are independent of later values", () => {
  const { values } = plantedSeries("lognormal", 8, {
    count: 3000,
    changes: [step(300, 0.1), step(900, -0.1), step(2000, 0.2)],
  });
  const settled = incrementalEnsemble(values.subarray(0, 1600), ensembleDefaults).filter(
    ({ index }) => index <= 1536 - 256,
  );
  expect(settled.length).toBe(2);
  for (let length = 1700; length <= 3000; length += 100) {
    const found = incrementalEnsemble(values.subarray(0, length), ensembleDefaults);
    expect(found.slice(0, 2).map(({ index, p }) => [index, p])).toEqual(settled.map(({ index, p }) => [index, p]));
  }
});

it("an additional value evaluates one window", () => {
  const { values } = plantedSeries("gauss", 3, { count: 20_001 });
  const memory = new Remembered();
  incrementalEnsemble(values.subarray(0, 20_000), ensembleDefaults, memory);
  expect(memory.known.size).toBe(1);
  incrementalEnsemble(values, ensembleDefaults, memory);
  expect([memory.known.size, memory.found]).toEqual([1, 1]);
});
