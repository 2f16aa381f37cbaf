import { describe, expect, it } from "vitest";
import { noises, plantedSeries, type Noise } from "../../../test/series/planted.ts";
import { noiseAbout } from "../../math/detectors/noise.ts";
import { detectableShift } from "../../math/detectors/injected-shift.ts";
import { winsorized } from "../../math/detectors/winsorize.ts";
import { studentQuantile } from "../../math/distributions/student-t.ts";
import { asvStep, pelt, perfherder, threshold } from "./step-detectors.ts";
import type { Detector } from "./detector.ts";
import { eDivisive } from "./e-divisive.ts";
import { eDivisiveOtava } from "./e-divisive.ts";
import { ensemble } from "./ensemble.ts";

const [count, spread, options] = [60, 0.02, new Map()];
const kinds = Object.keys(noises) as Noise[];

/** The smallest detectable shift of a series at `cut`. */
function detectableAt(detector: Detector, noise: Noise, seed: number, cut: number): number {
  const { values } = plantedSeries(noise, seed, { count, spread });
  const sides = { before: cut, after: count - cut, count, noise: noiseAbout(winsorized(values, 3.5), []) };
  const shift =
    detector.detectable?.(sides, options, studentQuantile) ??
    detectableShift(values, [], { from: 0, cut, to: count }, (each) => detector.detect(each, options));
  return shift ?? Infinity;
}

/** The fraction of other series with the same noise in which a shift of this size is detected. */
function power(detector: Detector, noise: Noise, cut: number, shift: number): number {
  const cases = 30;
  let seen = 0;
  for (let seed = 0; seed < cases; seed++) {
    const { values } = plantedSeries(noise, 90_000 + seed, { count, spread });
    const found = detector.detect(
      values.map((value, at) => value + (at >= cut ? shift : 0)),
      options,
    );
    if (found.some(({ index, before, after }) => Math.abs(index - cut) <= 5 && after > before)) seen += 1;
  }
  return seen / cases;
}

/**
 * The estimate is within a factor of 1.5: a shift 1.5 times larger is detected in more than four of five series, a
 * smaller one in fewer.
 */
describe.each([ensemble, eDivisive, eDivisiveOtava, perfherder, asvStep, pelt, threshold])("$name", (detector) => {
  // A threshold reacts to single outliers, and sixty values are too few to estimate rare large ones.
  const testedNoises = detector === threshold ? (["gauss"] as const) : kinds;
  it.each(testedNoises)("estimates the change that it detects in four of five series with %s noise", (noise) => {
    const cut = 44;
    const shifts = Array.from({ length: 5 }, (_, seed) => detectableAt(detector, noise, 500 + seed, cut)).sort(
      (a, b) => a - b,
    );
    const middle = shifts[2] as number;
    expect(power(detector, noise, cut, middle * 1.5)).toBeGreaterThanOrEqual(0.8);
    expect(power(detector, noise, cut, middle / 1.5)).toBeLessThanOrEqual(0.8);
  });
});

it("a stricter level requires a larger change", () => {
  const noise = noiseAbout(plantedSeries("gauss", 1).values, []);
  const at = { before: 50, after: 50, count: 100, noise };
  const shift = (level: number): number =>
    ensemble.detectable?.(at, new Map([["max-pvalue", level]]), studentQuantile) ?? 0;
  expect(shift(1e-6)).toBeGreaterThan(1.2 * shift(0.01));
});

it("detects nothing at the end if the method needs more values after a change", () => {
  expect(detectableAt(perfherder, "gauss", 1, count - 8)).toBe(Infinity);
});

it("a fixed threshold does not depend on the noise", () => {
  const given = new Map<string, string | number>([
    ["test", "percentage"],
    ["boundary", 0.1],
  ]);
  const { values } = plantedSeries("gauss", 3, { count, spread: 0.001 });
  const shift =
    detectableShift(values, [], { from: 0, cut: 44, to: count }, (each) => threshold.detect(each, given)) ?? 0;
  expect(shift).toBeGreaterThan(9);
  expect(shift).toBeLessThan(11);
});

it("existing changes are removed before others are simulated", () => {
  const { values } = plantedSeries("gauss", 4, { count, spread, changes: [{ from: 40, to: 40, share: 0.5 }] });
  const [without, with_] = [plantedSeries("gauss", 4, { count, spread }).values, values].map(
    (each, at) =>
      detectableShift(each, at === 0 ? [] : [40], { from: 0, cut: 40, to: count }, (one) =>
        eDivisive.detect(one, options),
      ) ?? 0,
  ) as [number, number];
  expect(with_ / without).toBeGreaterThan(0.6);
  expect(with_ / without).toBeLessThan(1.7);
});
