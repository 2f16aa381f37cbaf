import { expect, it } from "vitest";
import type { SeriesPoint } from "../../core/measurements/series.ts";
import { seededRandom } from "../../math/sampling/seeded-random.ts";
import { pointValues } from "./point-estimator.ts";

const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

function pointsOf(count: number, runs: (at: number) => number, run: (random: () => number) => number): SeriesPoint[] {
  const random = seededRandom(41);
  return Array.from({ length: count }, (_, at) => {
    return {
      version: null,
      machine: null,
      evidence: [`${at}`],
      sample: Float64Array.from({ length: runs(at) }, () => run(random)),
    };
  });
}

const delayed = (random: () => number): number => 100 * (1 + 0.002 * normal(random)) * (random() < 0.4 ? 1.3 : 1);
const broad = (random: () => number): number => 100 * (1 + 0.02 * normal(random));

it.each([
  ["minimum", 24, 8, delayed, "lower"],
  ["median", 15, 8, delayed, "lower"],
  ["median", 24, 4, delayed, "lower"],
  ["maximum", 24, 8, (random: () => number) => 1 / delayed(random), "higher"],
] as const)("%s for %d points of %d runs", (estimator, count, runs, run, better) => {
  expect(
    pointValues(
      pointsOf(count, () => runs, run),
      better,
    ).estimator,
  ).toBe(estimator);
});

it("takes no minimum of evenly scattered runs", () => {
  expect(
    pointValues(
      pointsOf(24, () => 8, broad),
      "lower",
    ).estimator,
  ).not.toBe("minimum");
});

it("takes no minimum of varying numbers of runs", () => {
  const points = pointsOf(24, (at) => 8 + (at % 2), delayed);
  expect(pointValues(points, "lower").estimator).not.toBe("minimum");
});

it("does not depend on the newest points until their number doubled", () => {
  const points = pointsOf(
    63,
    () => 6,
    (random) => 100 * (1 + 0.02 * normal(random)) * (random() < 0.2 ? 1.1 : 1),
  );
  const chosen = Array.from({ length: 48 }, (_, at) => pointValues(points.slice(0, 16 + at), "lower").estimator);
  expect(new Set(chosen.slice(0, 16)).size).toBe(1);
  expect(new Set(chosen.slice(16)).size).toBe(1);
});

it("keeps single values, and the medians next to the values", () => {
  expect(
    pointValues(
      pointsOf(20, () => 1, broad),
      "lower",
    ).estimator,
  ).toBeNull();
  const points = pointsOf(24, () => 8, delayed);
  const { values, medians } = pointValues(points, "lower");
  expect(values[3]).toBe(Math.min(...points[3]!.sample));
  expect(medians[3]).toBeGreaterThan(values[3]!);
});
