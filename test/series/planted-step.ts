import { seededRandom } from "../../src/math/random.ts";
import type { Measurement } from "../../src/query/bisect/evidence.ts";
import { nextMove, type MoveOptions } from "../../src/query/bisect/next-move.ts";
import { noises, type Noise } from "./planted.ts";

/** A line of versions with one step of level, to be measured with noise. */
export interface PlantedStep {
  readonly seed: number;
  /** Versions after the good one. */
  readonly last: number;
  readonly noise: Noise;
  /** Standard deviation of a measurement and height of the step, as shares of the level. */
  readonly deviation: number;
  readonly effect: number;
  readonly skipped?: ReadonlySet<number>;
}

export interface Trial {
  /** The planted place, and what was found; null: nothing, within 300 measurements. */
  readonly first: number;
  readonly found: { readonly from: number; readonly to: number } | null;
  readonly measurements: readonly Measurement[];
}

const most = 300;

/** Bisects a planted step, the same one for the same seed. */
export function bisectPlanted(planted: PlantedStep, options: MoveOptions = { confidence: 0.95, mostOfEnds: 25 }): Trial {
  const { last, deviation, effect, skipped = new Set<number>() } = planted;
  const random = seededRandom(planted.seed);
  const first = 1 + Math.floor(random() * last);
  const noise = noises[planted.noise](most, random);
  const measurements: Measurement[] = [];
  while (measurements.length < most) {
    const move = nextMove({ last, measurements, skipped }, options);
    if (move.kind !== "measure") return { first, found: move.kind === "found" ? move.suspects : null, measurements };
    const level = 100 * (move.place >= first ? 1 + effect : 1);
    measurements.push({ place: move.place, value: level * (1 + deviation * noise[measurements.length]!) });
  }
  return { first, found: null, measurements };
}
