import fc from "fast-check";
import { expect, it } from "vitest";
import { plantedSeries } from "../../../test/series/planted.ts";
import { eDivisive, eDivisiveDefaults, eDivisiveOtava, energySplit } from "./e-divisive.ts";

const steps = [
  { from: 30, to: 30, share: 0.1 },
  { from: 75, to: 75, share: -0.08 },
];
const planted = plantedSeries("gauss", 7, { spread: 0.01, changes: steps });
const indexes = (changes: readonly { readonly index: number }[]): number[] => changes.map(({ index }) => index);

it.each([
  ["corrected", eDivisive],
  ["Otava's", eDivisiveOtava],
] as const)("%s: finds planted steps, with the means about them", (_, detect) => {
  const changes = detect(planted.values, eDivisiveDefaults);
  expect(indexes(changes)).toEqual([30, 75]);
  expect(changes[0]?.before).toBeCloseTo(100, 0);
  expect(changes[0]?.after).toBeCloseTo(110, 0);
  expect(changes.every(({ p = 1 }) => p < 0.001)).toBe(true);
});

it("mirrored series have the same changes", () => {
  const mirrored = planted.values.map((value) => -value);
  expect(indexes(eDivisive(mirrored, eDivisiveDefaults))).toEqual([30, 75]);
});

it("requires the minimum magnitude", () => {
  expect(indexes(eDivisive(planted.values, { ...eDivisiveDefaults, minMagnitude: 0.02 }))).toEqual([30, 75]);
  expect(eDivisive(planted.values, { ...eDivisiveDefaults, minMagnitude: 0.5 })).toEqual([]);
});

it("uses sample variances, Otava population variances: its p is less", () => {
  const few = Float64Array.of(1, 1.1, 0.9, 1, 1.3, 1.4, 1.2, 1.3);
  const [own, otava] = [eDivisive, eDivisiveOtava].map(
    (detect) => detect(few, { ...eDivisiveDefaults, maxP: 0.01 })[0]?.p ?? 1,
  );
  // SciPy: ttest_ind with the samples, and ttest_ind_from_stats with their population deviations.
  expect(own).toBeCloseTo(0.0020223677, 9);
  expect(otava).toBeCloseTo(0.0009645352, 9);
});

it("finds nothing in constant, short or empty series", () => {
  for (const values of [[], [1], [1, 2], Array<number>(80).fill(7)])
    expect(eDivisive(Float64Array.from(values), eDivisiveDefaults)).toEqual([]);
});

it("finds a step between constant levels", () => {
  const values = Float64Array.from({ length: 60 }, (_, at) => (at < 20 ? 3 : 4));
  expect(eDivisive(values, eDivisiveDefaults)).toEqual([{ index: 20, before: 3, after: 4, p: 0 }]);
});

/** Q by the letter of the paper: means of all pairs. */
function energy(left: readonly number[], right: readonly number[]): number {
  const [n, m] = [left.length, right.length];
  const total = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((all, x) => b.reduce((sum, y) => sum + Math.abs(x - y), all), 0);
  const within = (side: readonly number[]): number =>
    side.length < 2 ? 0 : total(side, side) / (side.length * (side.length - 1));
  return ((n * m) / (n + m)) * ((2 / (n * m)) * total(left, right) - within(left) - within(right));
}

function greatest(values: readonly number[]): number {
  let best = -Infinity;
  for (let at = 1; at < values.length; at++)
    for (let end = at + 1; end <= values.length; end++)
      best = Math.max(best, energy(values.slice(0, at), values.slice(at, end)));
  return best;
}

it("finds the split with the greatest distance", () => {
  const series = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 2, maxLength: 16 });
  fc.assert(
    fc.property(series, (values) => {
      const { at, distance } = energySplit(Float64Array.from(values), 0, values.length);
      expect(distance).toBeCloseTo(greatest(values), 8);
      const ends = values.slice(at).map((_, i) => energy(values.slice(0, at), values.slice(at, at + i + 1)));
      expect(Math.max(...ends)).toBeCloseTo(distance, 8);
    }),
  );
});

it("uses only its segment of the series", () => {
  const values = Float64Array.of(900, 900, 1, 1, 1, 5, 5, 5, -900);
  expect(energySplit(values, 2, 8)).toEqual({ ...energySplit(values.slice(2, 8), 0, 6), at: 5 });
});

it("does not split too short segments", () => {
  expect(energySplit(Float64Array.of(1, 2, 3), 1, 2).distance).toBe(-Infinity);
  expect(energySplit(Float64Array.of(), 0, 0).distance).toBe(-Infinity);
});
