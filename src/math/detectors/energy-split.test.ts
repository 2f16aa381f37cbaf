import fc from "fast-check";
import { expect, it } from "vitest";
import { energySplit } from "./energy-split.ts";

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

it("finds the split with the greatest distance there is", () => {
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

it("looks at its piece of the series only", () => {
  const values = Float64Array.of(900, 900, 1, 1, 1, 5, 5, 5, -900);
  expect(energySplit(values, 2, 8)).toEqual({ ...energySplit(values.slice(2, 8), 0, 6), at: 5 });
});

it("splits nothing that is too short", () => {
  expect(energySplit(Float64Array.of(1, 2, 3), 1, 2).distance).toBe(-Infinity);
  expect(energySplit(Float64Array.of(), 0, 0).distance).toBe(-Infinity);
});
