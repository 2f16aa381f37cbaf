import fc from "fast-check";
import { expect, it } from "vitest";
import { noises, plantedSeries, type Noise } from "../../../test/series/planted.ts";
import { type PlainChange, plainEnsemble, plainPelt } from "../../../test/series/plain-ensemble.ts";
import { ensemble, ensembleDefaults } from "./ensemble.ts";
import type { LevelChange } from "./level-change.ts";
import { pelt } from "./pelt.ts";

const steps = fc.array(
  fc.record({
    from: fc.nat(250),
    width: fc.constantFrom(0, 0, 20),
    share: fc.double({ min: -0.2, max: 0.2, noNaN: true }),
  }),
  {
    maxLength: 5,
  },
);

/** Planted series of all kinds, rounded to `digits` digits: with few digits many splits have equal costs. */
const series = fc
  .record({
    noise: fc.constantFrom(...(Object.keys(noises) as Noise[])),
    seed: fc.nat(),
    count: fc.integer({ min: 6, max: 260 }),
    digits: fc.constantFrom(12, 12, 0, -1),
    steps,
  })
  .map(({ noise, seed, count, digits, steps: planted }) => {
    const changes = planted.map(({ from, width, share }) => ({ from, to: from + width, share }));
    const { values } = plantedSeries(noise, seed, { count, changes });
    return values.map((value) => Math.round(value * 10 ** digits) / 10 ** digits);
  });

/** Exact indexes; means and p up to the order of summation. */
function expectSame(found: readonly LevelChange[], plain: readonly PlainChange[]): void {
  expect(found.map(({ index }) => index)).toEqual(plain.map(({ index }) => index));
  for (const [at, { before, after, p }] of found.entries()) {
    const other = plain[at] as PlainChange;
    const pairs = [[before, other.before] as const, [after, other.after] as const, [p ?? -1, other.p] as const];
    for (const [a, b] of pairs) expect(Math.abs(a - b)).toBeLessThanOrEqual(1e-9 * Math.abs(b));
  }
}

it("finds exactly the changes of the plain method, including ties", () => {
  const property = fc.property(series, (values) => {
    expectSame(ensemble(values, ensembleDefaults), plainEnsemble([...values], ensembleDefaults.level));
  });
  fc.assert(property, { seed: 11, numRuns: 500 });
});

it("equals an exhaustive search for any penalty", () => {
  const property = fc.property(
    series,
    fc.constantFrom(0.1, 1, 20, 100, 1e6),
    fc.integer({ min: 1, max: 6 }),
    (values, penalty, shortest) => {
      expect(pelt(values, penalty, shortest)).toEqual(plainPelt([...values], penalty, shortest));
    },
  );
  fc.assert(property, { seed: 12, numRuns: 500 });
});

it("handles steps far above the noise, and numbers near the limits of double precision", () => {
  const property = fc.property(
    series,
    fc.constantFrom(1e-150, 1e-9, 1, 1e9, 1e145),
    fc.nat(200),
    (values, scale, at) => {
      const far = values.map((value, index) => (value + (index < at ? 0 : 1e7)) * scale);
      expectSame(ensemble(far, ensembleDefaults), plainEnsemble([...far], ensembleDefaults.level));
    },
  );
  fc.assert(property, { seed: 13, numRuns: 150 });
});
