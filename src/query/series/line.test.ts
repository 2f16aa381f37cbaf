import { expect, it } from "vitest";
import type { SeriesPoint } from "../../core/measurements/series.ts";
import { seededRandom } from "../../math/sampling/seeded-random.ts";
import { median } from "../../math/descriptive/quantile.ts";
import { estimatedLine, type Line, runVariance } from "./line.ts";

const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Points around 100 of runs with a CV of 1 %; `factor`: of each run of a point. */
function lineWith(points: number, runs: number, factor: (run: number) => number = () => 1): Line {
  const random = seededRandom(5);
  const own = Array.from({ length: points }, (_, at): SeriesPoint => {
    const sample = Float64Array.from({ length: runs }, (__, run) => 100 * factor(run) * (1 + 0.01 * normal(random)));
    return { version: `${at}` as SeriesPoint["version"], machine: null, evidence: [], sample };
  });
  return { ...estimatedLine(own, own, "lower"), ...(runs < 5 ? {} : { estimator: "median" as const }) };
}

it.each([3, 4, 6, 7, 15])("is hardly more than the variance of medians of %d runs", (runs) => {
  const line = lineWith(2000, runs);
  const relative = (line.medians ?? line.values).map((value) => value / 100 - 1);
  const actual = relative.reduce((sum, each) => sum + each ** 2 / relative.length, 0);
  const { variance, freedom } = runVariance(line, 0, 2000);
  expect(variance / actual).toBeGreaterThan(0.7);
  expect(variance / actual).toBeLessThan(1.1);
  expect(freedom).toBeGreaterThan(2000);
});

it("has no part of what the runs of each point have in common", () => {
  const warming = (run: number): number => 1 + 0.2 / (run + 1);
  const [steady, warm] = [runVariance(lineWith(20, 6), 0, 20), runVariance(lineWith(20, 6, warming), 0, 20)];
  expect(warm.variance / steady.variance).toBeGreaterThan(0.7);
  expect(warm.variance / steady.variance).toBeLessThan(1.4);
});

it("is unknown for single runs, the best run, and values that are not positive", () => {
  const line = lineWith(10, 6);
  const single = line.points!.map((point) => ({ ...point, sample: point.sample.subarray(0, 1) }));
  const negative = line.points!.map((point) => ({
    ...point,
    sample: point.sample.map((run) => run - median(line.values)),
  }));
  expect(runVariance(estimatedLine(single, single, "lower"), 0, 10).variance).toBe(0);
  expect(runVariance({ ...line, estimator: "minimum" }, 0, 10).variance).toBe(0);
  expect(runVariance({ ...line, points: negative }, 0, 10).variance).toBe(0);
  expect(runVariance(line, 0, 10).variance).toBeGreaterThan(0);
});
