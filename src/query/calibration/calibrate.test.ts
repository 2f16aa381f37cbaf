import { describe, expect, it } from "vitest";
import { noises, plantedSeries, type Noise } from "../../../test/series/planted.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import type { SeriesPoint, Subject } from "../../core/measurements/series.ts";
import { ensemble, ensembleDefaults } from "../../math/detectors/ensemble.ts";
import { levelChanges } from "../../math/detectors/level-change.ts";
import { pelt } from "../../math/detectors/pelt.ts";
import { noiseModel } from "../../math/sampling/bootstrap.ts";
import { Quantiles } from "../series/level-comparison.ts";
import { calibrateSubject, type CalibrationOptions, leastSteady, detectableStep } from "./calibrate.ts";
import {
  type Alarm,
  alarmsOf,
  DrawnHistories,
  overallRate,
  rateOf,
  type Steady,
  pairedFalsePositives,
} from "./false-positives.ts";
import { type Gate, type Threshold, reportedChanges } from "./gate.ts";
import { steadyNoise } from "./steady-noise.ts";

const gate: Gate = {
  method: "ensemble",
  detect: (values, level) => ensemble(values, { level: level ?? ensembleDefaults.level }),
};
const subjectOf = (key: string): Subject => {
  return { source: "file", key, benchmark: key, metric: "time", unit: undefined, better: "lower" };
};
const pointsOf = (values: Iterable<number>, versions: readonly (string | null)[] = []): SeriesPoint[] =>
  Array.from(values, (value, at): SeriesPoint => {
    return {
      version: (versions[at] ?? null) as VersionId | null,
      evidence: ["e"],
      machine: null,
      sample: Float64Array.of(value),
    };
  });
const options: CalibrationOptions = {
  gate,
  now: { level: 0.0005, minEffect: 0.001 },
  rate: 0.01,
  replicates: 300,
  plantings: 1,
  seed: 1,
  repeated: false,
};

const [histories, length] = [6, 120];
const history = (noise: Noise, seed: number): Float64Array =>
  plantedSeries(noise, 31_000 + seed, { count: 150 }).values;
const isAlarmed = (noise: Noise, seed: number, threshold: Threshold): boolean => {
  const { values } = plantedSeries(noise, 77_000 + seed, { count: length });
  return reportedChanges(gate, threshold, subjectOf("fresh"), values, new Quantiles()).length > 0;
};

/** Standard error of the mean of shares. */
function meanAndError(shares: readonly number[]): { readonly mean: number; readonly error: number } {
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  const squares = shares.reduce((sum, share) => sum + (share - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares / (shares.length - 1) / shares.length) };
}

describe.each(Object.keys(noises) as Noise[])("false positives with %s noise", (noise) => {
  it.each([0.0005, 0.02])("reports the true false-positive rate at level %d", (level) => {
    const threshold = { level, minEffect: 0.001 };
    const shares = Array.from({ length: histories }, (_, seed) => {
      const { level: middle, noise: own } = steadyNoise(history(noise, seed));
      const steady: Steady = { subject: subjectOf(`h${seed}`), level: middle, model: noiseModel(own), length };
      return rateOf(alarmsOf(gate, threshold, steady, new DrawnHistories(steady, 300, 7919 * seed), new Quantiles()))
        .share;
    });
    const { mean, error } = meanAndError(shares);
    const fresh = 400;
    const share =
      Array.from({ length: fresh }, (_, seed) => isAlarmed(noise, seed, threshold)).filter(Boolean).length / fresh;
    const binomial = Math.sqrt((Math.max(share, 0.003) * (1 - share)) / fresh);
    expect(Math.abs(mean - share)).toBeLessThan(3 * Math.hypot(error, binomial));
  });

  it("thresholds keep the wanted rate for unseen series", () => {
    const thresholds = Array.from({ length: histories }, (_, seed) => {
      return calibrateSubject(subjectOf(`h${seed}`), pointsOf(history(noise, seed)), options).chosen as Threshold;
    });
    const fresh = 60;
    const alarms = thresholds.map((threshold, at) => {
      return Array.from({ length: fresh }, (_, seed) => isAlarmed(noise, 1000 + at * fresh + seed, threshold)).filter(
        Boolean,
      ).length;
    });
    const [all, count] = [alarms.reduce((sum, hits) => sum + hits, 0), fresh * histories];
    expect(all / count).toBeLessThanOrEqual(
      options.rate + 2.6 * Math.sqrt((options.rate * (1 - options.rate)) / count),
    );
  });
});

describe("the smallest detectable change", () => {
  const seen = (values: Float64Array, better: "lower" | "higher" = "lower", by = gate): number | null => {
    const { level, noise } = steadyNoise(values);
    const steady = { subject: { ...subjectOf("s"), better }, level, model: noiseModel(noise), length: 100 };
    return detectableStep(by, options.now, steady, new DrawnHistories(steady, 150, 5));
  };

  it.each(["lower", "higher"] as const)("is detected in 80 % of fresh series, where %s is better", (better) => {
    const least = seen(plantedSeries("gauss", 5, { count: 150 }).values, better) as number;
    const share = better === "lower" ? least : -least;
    let hits = 0;
    for (let seed = 0; seed < 300; seed++) {
      const from = 8 + (seed % 84);
      const { values } = plantedSeries("gauss", 5000 + seed, { count: 100, changes: [{ from, to: from, share }] });
      if (
        reportedChanges(gate, options.now, { ...subjectOf("s"), better }, values, new Quantiles()).some(
          ({ verdict: { outcome: word } }) => word === "worse",
        )
      )
        hits += 1;
    }
    expect(hits / 300).toBeGreaterThan(0.7);
    expect(hits / 300).toBeLessThan(0.9);
  });

  it("examines each of the 150 histories at few of the eight or more sizes", () => {
    let examined = 0;
    const detect: Gate["detect"] = (...asked) => {
      examined += 1;
      return gate.detect(...asked);
    };
    seen(plantedSeries("gauss", 5, { count: 150 }).values, "lower", { ...gate, detect });
    expect(examined).toBeGreaterThan(150);
    expect(examined).toBeLessThan(4 * 150);
  });

  it("is larger with more noise, and undefined at a level of 0", () => {
    const [little, much] = [0.01, 0.05].map(
      (spread) => seen(plantedSeries("gauss", 6, { count: 150, spread }).values) as number,
    );
    expect(much).toBeGreaterThan(3 * (little as number));
    expect(seen(plantedSeries("gauss", 6, { count: 150 }).values.map((value) => value - 100))).toBeNull();
  });
});

describe("steady noise", () => {
  it("is the noise between changes, scaled to the newest level", () => {
    const step = { from: 60, to: 60, share: 1 };
    const [plain, stepped] = [
      steadyNoise(plantedSeries("gauss", 8, { count: 120 }).values),
      steadyNoise(plantedSeries("gauss", 8, { count: 120, changes: [step] }).values),
    ];
    expect(stepped.stretches).toEqual([
      { from: 0, to: 60 },
      { from: 60, to: 120 },
    ]);
    expect(stepped.level).toBeGreaterThan(198);
    const spread = (values: Float64Array): number =>
      Math.sqrt(values.reduce((sum, value) => sum + value ** 2, 0) / values.length);
    expect(spread(stepped.noise) / spread(plain.noise)).toBeCloseTo(2, 1);
  });

  it("of one version is that of its repetitions, whatever the changes between versions", () => {
    const values = Array.from({ length: 40 }, (_, at) => 100 * (1 + (at >> 1)) + (at % 2));
    const versions = values.map((_, at) => `v${at >> 1}`);
    const found = calibrateSubject(subjectOf("aa"), pointsOf(values, versions), {
      ...options,
      replicates: 100,
      repeated: true,
    });
    expect(found).toMatchObject({ points: 40, steady: 40, reason: null, now: { falseAlarms: { share: 0 } } });
    expect(
      calibrateSubject(subjectOf("aa"), pointsOf(values, values.map(String)), { ...options, repeated: true }),
    ).toMatchObject({
      steady: 0,
      reason: expect.stringContaining("measured again at the same commit") as string,
    });
  });
});

describe("calibration", () => {
  const few = plantedSeries("gauss", 9, { count: leastSteady - 1 }).values;

  it("requires enough history, and says so", () => {
    expect(calibrateSubject(subjectOf("few"), pointsOf(few), options)).toMatchObject({
      reason: `too little history: 29 points in stretches without a change, ${leastSteady} are needed`,
      now: null,
      chosen: null,
    });
    expect(calibrateSubject(subjectOf("none"), [], options).reason).toContain("0 points");
  });

  it("is deterministic by key and seed", () => {
    const points = pointsOf(plantedSeries("lognormal", 10, { count: 80 }).values);
    const again = { ...options, replicates: 100 };
    expect(calibrateSubject(subjectOf("a"), points, again)).toEqual(calibrateSubject(subjectOf("a"), points, again));
  });

  it("raises the least effect of a method without levels", () => {
    // Reports the best split of any series.
    const wolf: Gate = { method: "pelt", detect: (values) => levelChanges(values, pelt(values, 1, 6)) };
    const points = pointsOf(plantedSeries("autocorrelated", 12, { count: 36, spread: 0.02 }).values);
    const found = calibrateSubject(subjectOf("wolf"), points, {
      ...options,
      gate: wolf,
      now: { level: null, minEffect: 0.001 },
      rate: 0.0005,
      replicates: 3000,
    });
    expect(found.now?.falseAlarms.share).toBeGreaterThan(0.0005);
    expect(found.chosen).toMatchObject({ level: null });
    expect(found.chosen?.minEffect).toBeGreaterThan(0.001);
    expect(found.chosen?.falseAlarms.share).toBeLessThanOrEqual(0.0005);
  });

  it("reports no false positives for constant numbers", () => {
    const found = calibrateSubject(subjectOf("c"), pointsOf(new Float64Array(60).fill(7)), options);
    expect(found.now?.falseAlarms.share).toBe(0);
  });
});

describe("comparisons of unchanged versions", () => {
  const drifting = (between: number): SeriesPoint[] => {
    const means = plantedSeries("gauss", 21, { count: 60, spread: between }).values;
    return Array.from(means, (mean, at): SeriesPoint => {
      const sample = plantedSeries("gauss", 400 + at, { count: 8, spread: 0.005 }).values.map(
        (value) => (value * mean) / 100,
      );
      return { version: null, evidence: ["e"], machine: null, sample };
    });
  };
  const whole = [{ from: 0, to: 60 }];

  it("have many false positives if versions differ by more than their values, until the least effect is above", () => {
    const found = pairedFalsePositives(subjectOf("p"), drifting(0.05), whole, 0.01);
    expect(found?.now.share).toBeGreaterThan(0.6);
    expect(found?.minEffect).toBeGreaterThan(0.1);
    expect(found?.chosen.share).toBeLessThanOrEqual(0.01);
  });

  it("have a false-positive rate of alpha otherwise", () => {
    const share = pairedFalsePositives(subjectOf("p"), drifting(0), whole, 0.01)?.now.share as number;
    expect(share).toBeGreaterThan(0.005);
    expect(share).toBeLessThan(0.12);
  });

  it("need four values per side, and twenty pairs", () => {
    expect(pairedFalsePositives(subjectOf("p"), pointsOf(plantedSeries("gauss", 3).values), whole, 0.01)).toBeNull();
    expect(pairedFalsePositives(subjectOf("p"), drifting(0), [{ from: 0, to: 6 }], 0.01)).toBeNull();
  });
});

describe("the rate of a complete check", () => {
  const alarm = (...p: (number | null)[]): Alarm => ({ largest: 1, p });

  it("counts changes that pass false-discovery control", () => {
    const [loud, faint, none] = [alarm(1e-6), alarm(0.04), null];
    const quiet: (Alarm | null)[] = [none, none, none, none];
    expect(overallRate([[loud, faint, none, none]], 0.05)?.share).toBe(0.5);
    expect(overallRate([[loud, faint, none, none], quiet, quiet], 0.05)?.share).toBe(0.25);
    expect(overallRate([[alarm(null), none]], 0.05)?.share).toBe(0.5);
    expect(overallRate([], 0.05)).toBeNull();
  });
});
