import { seededRandom } from "../../src/math/sampling/seeded-random.ts";
import type { Measurement } from "../../src/query/bisect/evidence.ts";
import { nextMove, type MoveOptions } from "../../src/query/bisect/next-move.ts";
import { noises } from "./planted.ts";

/** Kinds of noise that a search meets, each about 0 with a standard deviation of about 1. */
export const searchNoises = {
  ...noises,
  /** Long tails on both sides. */
  student: (count: number, random: () => number) =>
    Array.from({ length: count }, () => {
      const squares = noises.gauss(3, random).reduce((sum, value) => sum + value * value, 0);
      return noises.gauss(1, random)[0]! / Math.sqrt(squares);
    }),
  /** A machine becomes slower and faster again, in the course of eighty measurements. */
  drifting(count: number, random: () => number) {
    const phase = 80 * random();
    return noises
      .gauss(count, random)
      .map((value, at) => 1.2 * Math.sin((2 * Math.PI * (at + phase)) / 80) + 0.55 * value);
  },
  /** It becomes warm, or the other way round. */
  warming: (count: number, random: () => number) =>
    noises.gauss(count, random).map((value, at) => 2 * Math.exp(-at / 12) + 0.7 * value),
  /** What slows it down lasts for some measurements. */
  lasting(count: number, random: () => number) {
    let last = noises.gauss(1, random)[0]!;
    return noises.gauss(count, random).map((value) => (last = 0.8 * last + 0.6 * value));
  },
  /** Short for once, and else as long as ever: a rate that has a limit. */
  negative: (count: number, random: () => number) => noises.lognormal(count, random).map((value) => -value),
} as const;

export type SearchNoise = keyof typeof searchNoises;

/** A line of versions with one step of level, to be measured with noise. */
export interface PlantedStep {
  readonly seed: number;
  /** Versions after the good one. */
  readonly last: number;
  readonly noise: SearchNoise;
  /** Standard deviation of a measurement and height of the step, as shares of the level. */
  readonly deviation: number;
  readonly effect: number;
  readonly skipped?: ReadonlySet<number>;
}

export interface Trial {
  /** The planted place, and what was found; null: nothing, within 600 measurements. */
  readonly first: number;
  readonly found: { readonly from: number; readonly to: number; readonly probability: number } | null;
  readonly measurements: readonly Measurement[];
}

const most = 600;

/** Bisects a planted step, the same one for the same seed. */
export function bisectPlanted(
  planted: PlantedStep,
  options: MoveOptions = { confidence: 0.95, maxEndMeasurements: 25 },
): Trial {
  const { last, deviation, effect, skipped = new Set<number>() } = planted;
  const random = seededRandom(planted.seed);
  const first = 1 + Math.floor(random() * last);
  const noise = searchNoises[planted.noise](most, random);
  const measurements: Measurement[] = [];
  while (measurements.length < most) {
    const move = nextMove({ last, measurements, skipped }, options);
    if (move.kind !== "measure") return { first, found: move.kind === "found" ? move.suspects : null, measurements };
    const level = 100 * (move.position >= first ? 1 + effect : 1);
    measurements.push({ position: move.position, value: level * (1 + deviation * noise[measurements.length]!) });
  }
  return { first, found: null, measurements };
}
