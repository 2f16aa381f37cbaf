import { expect, it } from "vitest";
import { plantedSeries } from "../../../test/series/planted.ts";
import { perfherder, perfherderDefaults } from "./perfherder.ts";

const step = plantedSeries("gauss", 3, { count: 60, changes: [{ from: 30, to: 30, share: 0.1 }] }).values;
const indexes = (values: Float64Array, options = {}): number[] =>
  perfherder(values, { ...perfherderDefaults, ...options }).map(({ index }) => index);

it("finds an injected step in either direction", () => {
  expect(indexes(step)).toEqual([30]);
  expect(indexes(step.map((value) => -value))).toEqual([30]);
});

it("requires minimum numbers of values before and after", () => {
  expect(indexes(step.subarray(0, 42))).toEqual([30]);
  expect(indexes(step.subarray(0, 41))).toEqual([]);
  expect(indexes(step.subarray(18))).toEqual([12]);
  expect(indexes(step.subarray(19))).toEqual([]);
  expect(indexes(step.subarray(0, 36), { fore: 6 })).toEqual([30]);
});

it("weights by nearness: the statistic computed by hand", () => {
  // Before: 1, 2 (nearest); from 5 on: 5, 6. Means (2·2/2 + 1·1/2) / 1.5 = 5/3 and (5 + 6/2) / 1.5 = 16/3; variances
  // about them 5/9, 5/9.
  const values = Float64Array.of(1, 2, 5, 6);
  const t = (16 / 3 - 5 / 3) / Math.sqrt(5 / 9 / 2 + 5 / 9 / 2);
  const options = { minBack: 2, maxBack: 2, fore: 2 };
  expect(indexes(values, { ...options, threshold: t - 1e-9 })).toEqual([2]);
  expect(indexes(values, { ...options, threshold: t + 1e-9 })).toEqual([]);
});

it("finds a step between constant levels, and none in a single level", () => {
  expect(indexes(Float64Array.from({ length: 40 }, (_, at) => (at < 20 ? 1 : 2)))).toEqual([20]);
  expect(indexes(new Float64Array(40).fill(4))).toEqual([]);
  expect(indexes(new Float64Array())).toEqual([]);
});
