import { expect, it } from "vitest";
import { studentQuantile } from "../distributions/student-t.ts";
import { seededRandom } from "../sampling/seeded-random.ts";
import { stepInWalks, type WalkStep } from "./local-level.ts";

const stepInWalk = (values: Float64Array, cut: number): WalkStep | null => stepInWalks([{ values, cut }]);

const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Independent errors of 1 around a level that walks by `walk`, with a step at the middle. */
function valuesOf(seed: number, count: number, walk: number, step = 0): Float64Array {
  const random = seededRandom(Math.imul(seed + 1, 0x9e3779b1));
  let level = 100;
  return Float64Array.from({ length: count }, (_, at) => {
    level += walk * normal(random);
    return level + (at < count / 2 ? 0 : step) + normal(random);
  });
}

const significant = (count: number, walk: number, step: number): number =>
  Array.from({ length: 200 }, (_, seed) => stepInWalk(valuesOf(seed, count, walk, step), count / 2)?.p ?? 1).filter(
    (p) => p <= 0.05,
  ).length;

it.each([0, 0.3, 1, 3])("is significant by chance in hardly more than 5 % of walks of %d", (walk) => {
  expect(significant(40, walk, 0)).toBeLessThanOrEqual(15);
});

it("sees steps in independent values, and in a walk only larger ones", () => {
  expect(significant(40, 0, 3)).toBeGreaterThan(150);
  expect(significant(40, 3, 3)).toBeLessThan(30);
  expect(significant(40, 3, 20)).toBeGreaterThan(150);
});

it("has the error of means of independent values, and of neighbours in a walk without errors", () => {
  // 2 σ² / 20 with 38 degrees of freedom, or a little more, since a slow walk is plausible.
  const alternating = Float64Array.from({ length: 40 }, (_, at) => 100 + (at % 2) + (at < 20 ? 0 : 5));
  const independent = stepInWalk(alternating, 20);
  const least = Math.sqrt(((40 * 0.25) / 38) * (2 / 20));
  expect(independent?.freedom).toBe(38);
  expect(independent?.error).toBeGreaterThanOrEqual(least);
  expect(independent?.error).toBeLessThan(1.6 * least);
  // The level after a walk's step is no more certain than one of its steps.
  const walk = stepInWalk(valuesOf(3, 40, 1000), 20);
  expect(walk?.error).toBeGreaterThan(600);
  expect(walk?.error).toBeLessThan(1500);
});

it("has no answer for levels of fewer than three values, or without noise", () => {
  expect(stepInWalk(Float64Array.of(1, 2, 3, 4, 5), 2)).toBeNull();
  expect(stepInWalk(new Float64Array(12).fill(3), 6)).toBeNull();
});

it("is the same at any scale", () => {
  const values = valuesOf(7, 60, 0.5, 4);
  const [own, scaled] = [
    stepInWalk(values, 30),
    stepInWalk(
      values.map((value) => 1e6 * value),
      30,
    ),
  ];
  expect(scaled?.p).toBeCloseTo(own?.p ?? 0, 9);
  expect((scaled?.error ?? 0) / 1e6).toBeCloseTo(own?.error ?? 0, 9);
});

it("has a smaller error for a step that two walks have in common, and no smaller p if only one has it", () => {
  const [a, b] = [valuesOf(1, 24, 0.5, 4), valuesOf(2, 24, 0.5, 4)];
  const [alone, twice] = [stepInWalk(a, 12), stepInWalks([a, a].map((values) => ({ values, cut: 12 })))];
  expect(twice?.freedom).toBe(44);
  expect(twice?.error).toBeLessThan((alone?.error ?? 0) / Math.SQRT2 + 1e-9);
  const both = stepInWalks([a, b].map((values) => ({ values, cut: 12 })));
  expect(both?.p).toBeLessThan(alone?.p ?? 0);
  const flat = valuesOf(2, 24, 0.5);
  const one = stepInWalks([a, flat].map((values) => ({ values, cut: 12 })));
  expect(one?.p).toBeGreaterThan(both?.p ?? 1);
  expect(
    stepInWalks([
      { values: a, cut: 12 },
      { values: b, cut: 2 },
    ]),
  ).toBeNull();
});

it.each([0, 0.3, 1])("the estimates of all plausible walks of %d cover the step", (walk) => {
  const covered = Array.from({ length: 200 }, (_, seed) => {
    const found = stepInWalk(valuesOf(seed, 40, walk, 5), 20);
    const reach = studentQuantile(0.975, found?.freedom ?? 1);
    const ends = found?.estimates.flatMap(({ shift, error }) => [shift - reach * error, shift + reach * error]) ?? [];
    return Math.min(...ends) <= 5 && 5 <= Math.max(...ends);
  }).filter(Boolean).length;
  expect(covered).toBeGreaterThanOrEqual(188);
});
