import { seededRandom } from "../sampling/seeded-random.ts";
import type { LevelChange } from "./level-change.ts";

/** A level up to `cut`, and the values from there to `to` that may be another one. */
export interface Cut {
  readonly from: number;
  readonly cut: number;
  readonly to: number;
}

/**
 * Series that a shift is planted in, and in how many of them it has to be told: with four of five in the long run it is
 * so in half of all cases.
 */
const trials = 13;
const enough = 11;

/** Values of noise that stay together, so that those that hang together with the one before do so still. */
const block = 5;

/** How far from its place a planted change may be told. */
const near = 5;

/** Steps of halving after the size is known up to a factor of two: the last one is of 9 %. */
const halvings = 3;

/** Shifts greater than this many levels and standard deviations are not tried. */
const mostLevels = 100;

/**
 * The least shift upwards of the values from `cut` on, in their unit, that a detector tells in four of five cases: what
 * is left of the values without their levels (`places`) is drawn anew in blocks, a shift is planted, and the detector
 * is asked, up to some eighty times. The same for the same values. null: not even a level a hundredfold higher is told.
 * Values are finite.
 */
export function detectableShift(
  values: Float64Array,
  places: readonly number[],
  cut: Cut,
  detect: (values: Float64Array) => readonly LevelChange[],
): number | null {
  const { rest, base, deviation } = levelsAndNoise(values, places, cut);
  const noises = drawn(rest);
  const isTold = (shift: number): boolean => {
    for (let trial = 0, told = 0; trial < trials && trial - told <= trials - enough; trial++) {
      if (isDetected(detect(withShift(base, noises[trial] as Float64Array, cut, shift)), cut)) told += 1;
      if (told === enough) return true;
    }
    return false;
  };
  const level = Math.abs(base[cut.cut - 1] as number);
  const [n, m] = [cut.cut - cut.from, cut.to - cut.cut];
  return leastDetected(
    isTold,
    deviation > 0 ? deviation * Math.sqrt(1 / n + 1 / m) : level / 1e6,
    mostLevels * (level + deviation),
  );
}

/** Doubles from `start` on, then halves the last step, on the scale of logarithms. */
function leastDetected(isTold: (shift: number) => boolean, start: number, most: number): number | null {
  if (!(start > 0)) return null;
  if (!isTold(most)) return null;
  let high = start;
  while (high < most && !isTold(high)) high *= 2;
  let low = high / 2;
  for (let step = 0; step < halvings; step++) {
    const middle = Math.sqrt(low * high);
    if (isTold(middle)) high = middle;
    else low = middle;
  }
  return Math.sqrt(low * high);
}

function isDetected(changes: readonly LevelChange[], { cut }: Cut): boolean {
  return changes.some(({ index, before, after }) => Math.abs(index - cut) <= near && after > before);
}

/**
 * Levels as they would be without a change at the cut, and the noise about the levels there are, as wide as it was
 * before these took their share.
 */
function levelsAndNoise(
  values: Float64Array,
  places: readonly number[],
  { from, cut, to }: Cut,
): { readonly base: Float64Array; readonly rest: Float64Array; readonly deviation: number } {
  const [base, rest] = [new Float64Array(values.length), new Float64Array(values.length)];
  const ends = [...places, values.length];
  let squares = 0;
  ends.forEach((end, at) => {
    const start = ends[at - 1] ?? 0;
    const level = meanOf(values, start, end);
    base.fill(level, start, end);
    for (let i = start; i < end; i++) {
      rest[i] = (values[i] as number) - level;
      squares += (rest[i] as number) ** 2;
    }
  });
  base.fill(meanOf(values, from, cut), cut, to);
  const wider = Math.sqrt(values.length / Math.max(1, values.length - ends.length));
  return { base, rest: rest.map((value) => value * wider), deviation: Math.sqrt(squares / values.length) * wider };
}

function meanOf(values: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += values[i] as number;
  return sum / (to - from);
}

/** Noise for each trial: blocks from anywhere, the beginning following the end. */
function drawn(rest: Float64Array): Float64Array[] {
  const random = seededRandom(1);
  return Array.from({ length: trials }, () => {
    let start = 0;
    return rest.map((_, at) => {
      if (at % block === 0) start = Math.floor(random() * rest.length) - at;
      return rest[(start + at + rest.length) % rest.length] as number;
    });
  });
}

function withShift(base: Float64Array, noise: Float64Array, { cut, to }: Cut, shift: number): Float64Array {
  return base.map((level, at) => level + (noise[at] as number) + (at >= cut && at < to ? shift : 0));
}
