import type { Subject, SeriesPoint } from "../../core/measurements/index.ts";
import { falseDiscovery, wilsonInterval } from "../../math/hypothesis-tests/index.ts";
import { drawNoise, type NoiseModel, seededRandom } from "../../math/sampling/index.ts";
import type { Quantiles } from "../series/index.ts";
import { judge, judgeDefaults, leastValues } from "../verdict/index.ts";
import { type Gate, type Threshold, reportedChanges } from "./gate.ts";
import type { Stretch } from "./steady-noise.ts";

/** Largest distance of two compared versions: users compare close ones. */
const farthest = 3;

/** Fewest pairs required, and most pairs compared. */
const fewest = 20;
const mostPairs = 300;

/** False-positive rate of comparisons of two versions between which nothing changed. */
export interface PairedRates {
  readonly pairs: number;
  readonly now: Rate;
  /** The smallest least effect that keeps the wanted rate. */
  readonly minEffect: number;
  readonly chosen: Rate;
}

/** Compares neighbouring versions in steady stretches like `compare`; null: too few have enough values. */
export function pairedFalsePositives(
  subject: Subject,
  points: readonly SeriesPoint[],
  stretches: readonly Stretch[],
  wanted: number,
): PairedRates | null {
  const pairs = evenly(pairsOf(points, stretches), mostPairs);
  if (pairs.length < fewest) return null;
  const sizes = pairs.flatMap(([before, after]) => {
    const { outcome: word, delta } = judge(subject, [before.sample], [after.sample], judgeDefaults);
    return word === "worse" || word === "better" ? [Math.abs(delta ?? Number.POSITIVE_INFINITY)] : [];
  });
  const minEffect = effectAbove(sizes, Math.floor(wanted * pairs.length));
  const above = sizes.filter((size) => size >= minEffect).length;
  return { pairs: pairs.length, now: rate(sizes.length, pairs.length), minEffect, chosen: rate(above, pairs.length) };
}

function pairsOf(
  points: readonly SeriesPoint[],
  stretches: readonly Stretch[],
): (readonly [SeriesPoint, SeriesPoint])[] {
  return stretches.flatMap(({ from, to }) =>
    points.slice(from, to).flatMap((before, at, own) => {
      if (before.sample.length < leastValues) return [];
      const next = own.slice(at + 1, at + 1 + farthest);
      return next.flatMap((after) => (after.sample.length < leastValues ? [] : [[before, after] as const]));
    }),
  );
}

function evenly<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, at) => all[Math.floor((at * all.length) / most)] as T);
}

/** The smallest effect that at most `allowed` of `sizes` reach; 0 if at most `allowed` are given. */
export function effectAbove(sizes: readonly number[], allowed: number): number {
  if (sizes.length <= allowed) return 0;
  const largest = sizes.toSorted((a, b) => b - a)[allowed] as number;
  return roundedUp(largest);
}

function rate(hits: number, count: number): Rate {
  return { share: hits / count, ...wilsonInterval(hits, count) };
}

/** Rounds up to the next larger number of three digits. Infinity stays. */
function roundedUp(size: number): number {
  if (!(size > 0) || size === Number.POSITIVE_INFINITY) return size;
  const step = 10 ** (Math.floor(Math.log10(size)) - 2);
  return Number(((Math.floor(size / step) + 1) * step).toPrecision(3));
}

/** A subject whose history without a change can be simulated. */
export interface Steady {
  readonly subject: Subject;
  readonly level: number;
  readonly model: NoiseModel;
  /** Points of a drawn series. */
  readonly length: number;
}

/** A share with its 95 % interval. */
export interface Rate {
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

/**
 * A false positive of a check of one drawn history: its largest change and the p of all changes (null: the method has
 * none).
 */
export interface Alarm {
  readonly largest: number;
  readonly p: readonly (number | null)[];
}

/** Drawn histories without a change, deterministic by seed and index. */
export class DrawnHistories {
  readonly count: number;
  readonly #steady: Steady;
  readonly #seed: number;

  constructor(steady: Steady, count: number, seed: number) {
    this.count = count;
    this.#steady = steady;
    this.#seed = seed;
  }

  /** Writes the values of history `at` into `values` and returns its random generator for further draws. */
  draw(at: number, values: Float64Array): () => number {
    // Distributes neighbouring seeds over all 32 bits.
    const random = seededRandom(Math.imul(this.#seed + at, 0x9e3779b1));
    drawNoise(this.#steady.model, random, values);
    for (let i = 0; i < values.length; i++) values[i] = this.#steady.level + (values[i] as number);
    return random;
  }
}

/** The gate's result for each drawn history; null: no change. `only`: checks these indices, the others are null. */
export function alarmsOf(
  gate: Gate,
  threshold: Threshold,
  steady: Steady,
  drawn: DrawnHistories,
  known: Quantiles,
  only?: ReadonlySet<number>,
): (Alarm | null)[] {
  const values = new Float64Array(steady.length);
  return Array.from({ length: drawn.count }, (_, at) => {
    if (only !== undefined && !only.has(at)) return null;
    drawn.draw(at, values);
    const found = reportedChanges(gate, threshold, steady.subject, values, known);
    if (found.length === 0) return null;
    const sizes = found.map(({ verdict: { delta } }) => Math.abs(delta ?? Number.POSITIVE_INFINITY));
    return { largest: Math.max(...sizes), p: found.map(({ verdict: { p } }) => p) };
  });
}

export function rateOf(alarms: readonly (Alarm | null)[]): Rate {
  const hits = alarms.filter((alarm) => alarm !== null).length;
  return { share: hits / alarms.length, ...wilsonInterval(hits, alarms.length) };
}

/**
 * Rate of checks of all subjects together that report a change although there is none, including false-discovery
 * control. `all`: the alarms of each subject, one per drawn history, equally many each. null: no subjects.
 */
export function overallRate(all: readonly (readonly (Alarm | null)[])[], falseDiscoveryRate: number): Rate | null {
  const count = all[0]?.length ?? 0;
  if (count === 0) return null;
  let hits = 0;
  for (let at = 0; at < count; at++) {
    const p = all.flatMap((alarms) => alarms[at]?.p ?? []);
    if (isReported(p, all.length, falseDiscoveryRate)) hits += 1;
  }
  return { share: hits / count, ...wilsonInterval(hits, count) };
}

/** Changes without p are not subject to the false-discovery rate. */
function isReported(p: readonly (number | null)[], series: number, falseDiscoveryRate: number): boolean {
  if (p.includes(null)) return true;
  const known = Float64Array.from(p as readonly number[]);
  return falseDiscovery(known, Math.max(series, known.length)).some((q) => q <= falseDiscoveryRate);
}
