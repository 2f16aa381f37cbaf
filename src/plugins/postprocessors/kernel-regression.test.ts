import { expect, it, test } from "vitest";
import { curve, lastModel, pointsRun, postprocessorContract } from "../../../test/contracts/postprocessor.ts";
import type { Value, Values } from "../../core/values/value.ts";
import { kernelRegression } from "./kernel-regression.ts";

const ways: readonly Values[] = [
  [
    ["kernel-mode", "estimator-settings"],
    ["efficient", true],
    ["n-sub-samples", 10],
  ],
  [
    ["kernel-mode", "user-selection"],
    ["bandwidth-value", 2],
  ],
  [
    ["kernel-mode", "method-selection"],
    ["reg-type", "lc"],
  ],
  [["smoothing-method", "local-polynomial"]],
  [
    ["smoothing-method", "local-linear"],
    ["kernel-type", "tricube"],
  ],
  [["kernel-mode", "kernel-ridge"]],
  [["compat", "perun"]],
].map((options) => new Map(options as [string, Value][]));
postprocessorContract(kernelRegression, ways);

const wave = pointsRun({ f: curve(60, (x) => 50 + 10 * Math.sin(x / 8)) });
const fitted = (options: Record<string, Value>): Record<string, unknown> =>
  lastModel(kernelRegression.apply(wave, new Map(Object.entries(options))));

test.each([
  [{ "kernel-mode": "estimator-settings", "reg-type": "lc", "bandwidth-criterion": "aic" }, "estimator"],
  [
    { "kernel-mode": "estimator-settings", efficient: true, randomize: true, "return-median": true, "n-re-samples": 5 },
    "estimator",
  ],
  [{ "kernel-mode": "user-selection", "bandwidth-value": 3 }, "estimator"],
  [{ "kernel-mode": "method-selection", "bandwidth-method": "silverman" }, "estimator"],
  [{ "smoothing-method": "local-polynomial", "kernel-type": "epanechnikov4", "bandwidth-value": 6 }, "smoothing"],
  [{ "smoothing-method": "spatial-average", "kernel-type": "normal4", "bandwidth-value": 3 }, "smoothing"],
  [{ "kernel-mode": "kernel-ridge", "gamma-low": 0.001, "gamma-high": 1, "gamma-step": 0.01 }, "ridge"],
])("%j follows a wave", (options, mode) => {
  const model = fitted(options);
  expect(model).toMatchObject({ kernel_mode: mode, uid: "f", x_start: 1, x_end: 60, model: "kernel_regression" });
  expect(model.bucket_stats).toHaveLength(60);
  expect(model.r_square).toBeGreaterThan(0.95);
});

it("uses the selected bandwidth rule; Perun always uses Scott's", () => {
  const width = (rule: string, more: Record<string, Value> = {}): unknown =>
    fitted({ "kernel-mode": "method-selection", "bandwidth-method": rule, ...more }).bandwidth;
  expect(Number(width("silverman")) / Number(width("scott"))).toBeCloseTo(0.9 / 1.059, 9);
  expect(width("silverman", { compat: "perun" })).toBe(width("scott"));
});

it("records only the options of its mode", () => {
  const step = kernelRegression.apply(wave, new Map([["kernel-mode", "kernel-ridge"]])).steps.at(-1);
  expect([...((step?.params ?? new Map()) as ReadonlyMap<string, unknown>).keys()]).toEqual([
    "kernel_mode",
    "gamma_low",
    "gamma_high",
    "gamma_step",
    "per_key",
    "of_key",
  ]);
});

it("skips two points, which Perun returns unchanged", () => {
  const two = pointsRun({
    f: [
      [2, 5],
      [1, 7],
    ],
  });
  const notes: string[] = [];
  expect(kernelRegression.apply(two, new Map(), (text) => notes.push(text)).models).toEqual([]);
  expect(notes).toHaveLength(1);
  expect(lastModel(kernelRegression.apply(two, new Map([["compat", "perun"]])))).toMatchObject({
    bucket_stats: [7, 5],
    kernel_mode: "manually",
  });
});

it.each([
  [{ "kernel-mode": "user-selection" }, "bandwidth-value"],
  [{ "kernel-mode": "kernel-ridge", "gamma-step": 1e-12 }, "gamma-step"],
  [{ "kernel-mode": "kernel-ridge", "gamma-high": 1e-9 }, "gamma-high"],
  [{ "polynomial-order": -1 }, "polynomial-order"],
])("refuses %j", (options, named) => {
  expect(() => fitted(options as Record<string, Value>)).toThrow(named);
});
