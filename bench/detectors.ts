import { asvStep, pelt, perfherder, threshold } from "../src/plugins/detectors/step-detectors.ts";
import { eDivisiveOtava } from "../src/plugins/detectors/e-divisive.ts";
import { eDivisive } from "../src/plugins/detectors/e-divisive.ts";
import { ensemble } from "../src/plugins/detectors/ensemble.ts";
import { seededRandom } from "../src/math/sampling/seeded-random.ts";
import { noises, plantedSeries, type Noise, type Planted } from "../test/series/planted.ts";

/* Scores of the detectors on series with known changes, with default options. */

const detectors = [ensemble, eDivisive, eDivisiveOtava, perfherder, asvStep, pelt, threshold];

/** `length`: values of a series; `margin`: maximum distance between a planted and a detected change. */
const [length, margin] = [100, 5];

/** Numbers of series with and without changes for each noise. The seeds differ from those used for tuning. */
const [changing, quiet, firstSeed] = [60, 120, 2_000_000];

export interface DetectorScore {
  readonly detector: string;
  readonly noise: Noise | "all";
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** Share of the series without a change in which one is detected. */
  readonly falseAlarms: number;
}

interface Counts {
  hits: number;
  detected: number;
  planted: number;
  alarms: number;
  quiet: number;
}

export function detectorScores(): DetectorScore[] {
  return detectors.flatMap((detector) => {
    const find = (values: Float64Array): number[] => detector.detect(values, new Map()).map(({ index }) => index);
    const each = (Object.keys(noises) as Noise[]).map(
      (noise, at) => [noise, countsOf(find, noise, firstSeed + at * 10_000)] as const,
    );
    const all = each.reduce((sum, [, counts]) => added(sum, counts), {
      hits: 0,
      detected: 0,
      planted: 0,
      alarms: 0,
      quiet: 0,
    });
    return [...each, ["all", all] as const].map(([noise, counts]) => ({
      detector: detector.name,
      noise,
      ...shares(counts),
    }));
  });
}

function countsOf(find: (values: Float64Array) => number[], noise: Noise, seed: number): Counts {
  const counts = { hits: 0, detected: 0, planted: 0, alarms: 0, quiet };
  for (let at = 0; at < changing; at++) {
    const { values, changes } = plantedSeries(noise, seed + at, { count: length, changes: someChanges(seed + at) });
    const detected = find(values);
    counts.hits += hitsOf(detected, changes);
    counts.detected += detected.length;
    counts.planted += changes.length;
  }
  for (let at = 0; at < quiet; at++)
    if (find(plantedSeries(noise, seed + changing + at, { count: length }).values).length > 0) counts.alarms += 1;
  return counts;
}

/** One to three steps of 3 to 15 % up or down, at least 15 values apart and from the ends; noise has 2 %. */
function someChanges(seed: number): (Planted & { readonly share: number })[] {
  const random = seededRandom(seed + 5_000_000);
  const count = 1 + Math.floor(3 * random());
  const room = Math.floor((length - 15) / count);
  return Array.from({ length: count }, (_, at) => {
    const from = 15 + at * room + Math.floor(random() * (room - 14));
    return { from, to: from, share: (random() < 0.5 ? -1 : 1) * (0.03 + 0.12 * random()) };
  });
}

/** The number of planted changes that are detected; each detection counts once. */
function hitsOf(detected: readonly number[], changes: readonly Planted[]): number {
  const left = new Set(detected);
  return changes.filter(({ from }) => {
    const near = [...left].find((index) => Math.abs(index - from) <= margin);
    return near !== undefined && left.delete(near);
  }).length;
}

function added(a: Counts, b: Counts): Counts {
  return {
    hits: a.hits + b.hits,
    detected: a.detected + b.detected,
    planted: a.planted + b.planted,
    alarms: a.alarms + b.alarms,
    quiet: a.quiet + b.quiet,
  };
}

function shares({
  hits,
  detected,
  planted,
  alarms,
  quiet: without,
}: Counts): Omit<DetectorScore, "detector" | "noise"> {
  const [precision, recall] = [detected === 0 ? 1 : hits / detected, hits / planted];
  return { precision, recall, f1: (2 * hits) / (detected + planted), falseAlarms: alarms / without };
}
