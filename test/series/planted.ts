import { seededRandom } from "../../src/math/sampling/seeded-random.ts";

/** Kinds of noise, each with mean 0 and standard deviation 1, approximately. */
export const noises = {
  gauss: (count: number, random: () => number) => normals(count, random),
  /** Waiting times: most short, some long. */
  lognormal(count: number, random: () => number) {
    const [spread, centre] = [0.8, Math.exp(0.32)];
    const deviation = centre * Math.sqrt(Math.exp(0.64) - 1);
    return normals(count, random).map((value) => (Math.exp(spread * value) - centre) / deviation);
  },
  /** Two memory layouts, one of which is less frequent. */
  bimodal(count: number, random: () => number) {
    return normals(count, random).map((value) => ((random() < 0.3 ? 1.4 : -0.6) + 0.4 * value) / Math.sqrt(1));
  },
  /** Occasional interference by other programs. */
  spiky(count: number, random: () => number) {
    return normals(count, random).map((value) => (random() < 0.03 ? value + 6 + 6 * random() : value));
  },
  /** Autocorrelated, like the temperature of a machine. */
  autocorrelated(count: number, random: () => number) {
    let last = normal(random);
    return normals(count, random).map((value) => (last = 0.5 * last + Math.sqrt(0.75) * value));
  },
  /** Weekends. */
  seasonal(count: number, random: () => number) {
    const phase = Math.floor(random() * 7);
    return normals(count, random).map((value, at) => 0.8 * Math.sin((2 * Math.PI * (at + phase)) / 7) + 0.75 * value);
  },
} as const;

export type Noise = keyof typeof noises;

function normals(count: number, random: () => number): number[] {
  return Array.from({ length: count }, () => normal(random));
}

/** Box-Muller transform. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** A planted change: a step at `from`, or a ramp from `from` to `to`. */
export interface Planted {
  readonly from: number;
  readonly to: number;
}

export interface PlantedSeries {
  readonly values: Float64Array;
  readonly changes: readonly Planted[];
}

/** A level of 100 with `noise` (standard deviation `spread`, as a share) and `changes` by `share` (0.05: 5 % more). */
export function plantedSeries(
  noise: Noise,
  seed: number,
  { count = 100, spread = 0.02, changes = [] as readonly (Planted & { readonly share: number })[] } = {},
): PlantedSeries {
  const rest = noises[noise](count, seededRandom(seed));
  const grown = (at: number): number =>
    changes.reduce((level, { from, to, share }) => {
      const part = to > from ? Math.min(1, Math.max(0, (at - from) / (to - from))) : at >= from ? 1 : 0;
      return level * (1 + share * part);
    }, 100);
  return { values: Float64Array.from(rest, (value, at) => grown(at) * (1 + spread * value)), changes };
}
