import { asvStep } from "../src/plugins/detectors/asv-step.ts";
import { eDivisiveOtava } from "../src/plugins/detectors/e-divisive-otava.ts";
import { eDivisive } from "../src/plugins/detectors/e-divisive.ts";
import { ensemble } from "../src/plugins/detectors/ensemble.ts";
import { pelt } from "../src/plugins/detectors/pelt.ts";
import { perfherder } from "../src/plugins/detectors/perfherder.ts";
import { threshold } from "../src/plugins/detectors/threshold.ts";
import { seededRandom } from "../src/math/sampling/seeded-random.ts";
import { noises, plantedSeries, type Noise, type Planted } from "../test/series/planted.ts";

/* What detectors find in series whose changes are known, with the options they have when nothing is said. */

const detectors = [ensemble, eDivisive, eDivisiveOtava, perfherder, asvStep, pelt, threshold];

/** Values of a series; a change is found where it is told at most so many values from its place. */
const [length, margin] = [100, 5];

/** Of every noise so many series with changes, and without. The default was tuned on others. */
const [changing, quiet, firstSeed] = [60, 120, 2_000_000];

export interface DetectorScore {
  readonly detector: string;
  readonly noise: Noise | "all";
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** Share of the series without a change in which one is told. */
  readonly falseAlarms: number;
}

interface Counts {
  hits: number;
  told: number;
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
      told: 0,
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
  const counts = { hits: 0, told: 0, planted: 0, alarms: 0, quiet };
  for (let at = 0; at < changing; at++) {
    const { values, changes } = plantedSeries(noise, seed + at, { count: length, changes: someChanges(seed + at) });
    const told = find(values);
    counts.hits += hitsOf(told, changes);
    counts.told += told.length;
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

/** Each planted change is found by one of those that are told. */
function hitsOf(told: readonly number[], changes: readonly Planted[]): number {
  const left = new Set(told);
  return changes.filter(({ from }) => {
    const near = [...left].find((place) => Math.abs(place - from) <= margin);
    return near !== undefined && left.delete(near);
  }).length;
}

function added(a: Counts, b: Counts): Counts {
  return {
    hits: a.hits + b.hits,
    told: a.told + b.told,
    planted: a.planted + b.planted,
    alarms: a.alarms + b.alarms,
    quiet: a.quiet + b.quiet,
  };
}

function shares({ hits, told, planted, alarms, quiet: without }: Counts): Omit<DetectorScore, "detector" | "noise"> {
  const [precision, recall] = [told === 0 ? 1 : hits / told, hits / planted];
  return { precision, recall, f1: (2 * hits) / (told + planted), falseAlarms: alarms / without };
}
