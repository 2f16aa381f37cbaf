import { seededRandom } from "../sampling/index.ts";
import type { LevelChange } from "./level-change.ts";

/** A level from `from` to `cut`, and the values from `cut` to `to` that get the shift. */
export interface Cut {
  readonly from: number;
  readonly cut: number;
  readonly to: number;
}

/** Simulated series per shift, and how many of them must show it: with a power of 80 %, half of all simulations do. */
const trials = 13;
const enough = 11;

/** Length of resampled blocks of noise, which preserve autocorrelation. */
const block = 5;

/** Maximum distance of a detected change from the injected one. */
const near = 5;

/** Bisection steps after the size is known to a factor of two; the last one is 9 %. */
const halvings = 3;

/** Maximum shift in levels plus standard deviations. */
const mostLevels = 100;

/**
 * The smallest upward shift of the values from `cut` on, in their unit, that a detector finds with a power of 80 %, by
 * simulation: residuals of the levels (which change at `positions`) are resampled in blocks, a shift is injected, and
 * the detector runs, up to about eighty times. Deterministic. null: not even a hundredfold level is detected. Values
 * are finite.
 */
export function detectableShift(
  values: Float64Array,
  positions: readonly number[],
  cut: Cut,
  detect: (values: Float64Array) => readonly LevelChange[],
): number | null {
  const { rest, base, deviation } = levelsAndNoise(values, positions, cut);
  const noises = drawn(rest);
  const isFound = (shift: number): boolean => {
    for (let trial = 0, found = 0; trial < trials && trial - found <= trials - enough; trial++) {
      if (isDetected(detect(withShift(base, noises[trial] as Float64Array, cut, shift)), cut)) found += 1;
      if (found === enough) return true;
    }
    return false;
  };
  const level = Math.abs(base[cut.cut - 1] as number);
  const [n, m] = [cut.cut - cut.from, cut.to - cut.cut];
  return leastDetected(
    isFound,
    deviation > 0 ? deviation * Math.sqrt(1 / n + 1 / m) : level / 1e6,
    mostLevels * (level + deviation),
  );
}

/** Doubles from `start` on, then bisects on a logarithmic scale. */
function leastDetected(isFound: (shift: number) => boolean, start: number, most: number): number | null {
  if (!(start > 0)) return null;
  if (!isFound(most)) return null;
  let high = start;
  while (high < most && !isFound(high)) high *= 2;
  let low = high / 2;
  for (let step = 0; step < halvings; step++) {
    const middle = Math.sqrt(low * high);
    if (isFound(middle)) high = middle;
    else low = middle;
  }
  return Math.sqrt(low * high);
}

function isDetected(changes: readonly LevelChange[], { cut }: Cut): boolean {
  return changes.some(({ index, before, after }) => Math.abs(index - cut) <= near && after > before);
}

/**
 * Levels without a change at the cut, and the residuals of the actual levels, scaled for the degrees of freedom of the
 * levels.
 */
function levelsAndNoise(
  values: Float64Array,
  positions: readonly number[],
  { from, cut, to }: Cut,
): { readonly base: Float64Array; readonly rest: Float64Array; readonly deviation: number } {
  const [base, rest] = [new Float64Array(values.length), new Float64Array(values.length)];
  const ends = [...positions, values.length];
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

/** Noise for each trial: random blocks of the circular residuals. */
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
