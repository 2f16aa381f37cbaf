import { seededRandom } from "../../src/math/sampling/seeded-random.ts";
import type { Measurement } from "../../src/query/bisect/evidence.ts";
import { nextMove, type MoveOptions } from "../../src/query/bisect/next-move.ts";
import { noises } from "./planted.ts";

/** Kinds of noise, each with mean 0 and standard deviation 1, approximately. */
export const searchNoises = {
  ...noises,
  /** Long tails on both sides. */
  student: (count: number, random: () => number) =>
    Array.from({ length: count }, () => {
      const squares = noises.gauss(3, random).reduce((sum, value) => sum + value * value, 0);
      return noises.gauss(1, random)[0]! / Math.sqrt(squares);
    }),
  /** The machine becomes slower and faster again, within 80 measurements. */
  drifting(count: number, random: () => number) {
    const phase = 80 * random();
    return noises
      .gauss(count, random)
      .map((value, at) => 1.2 * Math.sin((2 * Math.PI * (at + phase)) / 80) + 0.55 * value);
  },
  /** The machine warms up or cools down. */
  warming: (count: number, random: () => number) =>
    noises.gauss(count, random).map((value, at) => 2 * Math.exp(-at / 12) + 0.7 * value),
  /** Slowdowns that last for several measurements. */
  lasting(count: number, random: () => number) {
    let last = noises.gauss(1, random)[0]!;
    return noises.gauss(count, random).map((value) => (last = 0.8 * last + 0.6 * value));
  },
  /** Short tail on one side, as for a rate with a limit. */
  negative: (count: number, random: () => number) => noises.lognormal(count, random).map((value) => -value),
} as const;

export type SearchNoise = keyof typeof searchNoises;

/** A linear history with one step, measured with noise. */
export interface PlantedStep {
  readonly seed: number;
  /** Number of commits after the good one. */
  readonly last: number;
  readonly noise: SearchNoise;
  /** Standard deviation of a measurement and height of the step, as shares of the level. */
  readonly deviation: number;
  readonly effect: number;
  readonly skipped?: ReadonlySet<number>;
}

export interface Trial {
  /** The planted index and the result; null: no result within 600 measurements. */
  readonly first: number;
  readonly found: { readonly from: number; readonly to: number; readonly probability: number } | null;
  readonly measurements: readonly Measurement[];
}

const most = 600;

/** Bisects a planted step; deterministic for a seed. */
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
