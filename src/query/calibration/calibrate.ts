import type { SeriesPoint, Subject } from "../../core/measurements/series.ts";
import { noiseModel } from "../../math/sampling/block-bootstrap.ts";
import { median } from "../../math/descriptive/quantile.ts";
import { Quantiles } from "../series/judge-series.ts";
import { type Alarm, alarmsOf, DrawnHistories, type Rate, rateOf, type Steady } from "./false-positives.ts";
import { type Gate, type Threshold, toldChanges } from "./gate.ts";
import { effectAbove, pairedAlarms, type PairedAlarms } from "./paired-false-positives.ts";
import { repeatedNoise, steadyNoise } from "./steady-noise.ts";

/** The share of planted steps that is to be found. */
const power = 0.8;

/** Points on both sides of a planted step, and how far from its place it may be told. */
const margin = 6;
const tolerance = 5;

/** Beyond so great a step nothing is looked for; what is to be high cannot lose more than all of it. */
const most = { lower: 8, higher: 0.98 } as const;

/** Halvings of the interval in which the answer lies: it is known to a hundredth part. */
const halvings = 7;

/**
 * The least step for the worse, as a share of the level, that the gate tells in four of five drawn histories with one
 * at a random place, at most five points from there. The same histories are used for every size. null: not even a great
 * one is seen, or there is no level.
 */
export function detectableStep(gate: Gate, threshold: Threshold, steady: Steady, drawn: DrawnHistories): number | null {
  if (steady.level === 0 || steady.length < 2 * margin) return null;
  const known = new Quantiles();
  const isSeen = (share: number): boolean => {
    let hits = 0;
    for (let at = 0; at < drawn.count; at++) if (isFound(gate, threshold, steady, drawn, at, share, known)) hits += 1;
    return hits >= power * drawn.count;
  };
  const end = most[steady.subject.better];
  let [low, high] = [0, Math.min(end, 1 / 64)];
  while (!isSeen(high)) {
    if (high === end) return null;
    [low, high] = [high, Math.min(end, 2 * high)];
  }
  for (let halving = 0; halving < halvings; halving++) {
    const middle = (low + high) / 2;
    if (isSeen(middle)) high = middle;
    else low = middle;
  }
  return high;
}

function isFound(
  gate: Gate,
  threshold: Threshold,
  steady: Steady,
  drawn: DrawnHistories,
  at: number,
  share: number,
  known: Quantiles,
): boolean {
  const values = new Float64Array(steady.length);
  const random = drawn.draw(at, values);
  const place = margin + Math.floor(random() * (steady.length - 2 * margin + 1));
  const factor = steady.subject.better === "lower" ? 1 + share : 1 - share;
  // Noise about a level of the other sign, or about one that it reaches beyond, does not grow with it.
  for (let i = place; i < values.length; i++) values[i] = (values[i] as number) * factor;
  const told = toldChanges(gate, threshold, steady.subject, values, known);
  return told.some(({ index, verdict: { word } }) => word === "worse" && Math.abs(index - place) <= tolerance);
}

export interface CalibrationOptions {
  readonly gate: Gate;
  /** How the gate is set today. */
  readonly now: Threshold;
  /** The share of checks of a number that did not change in which the gate may tell a change. */
  readonly rate: number;
  /** Histories that are drawn to count alarms. */
  readonly replicates: number;
  /** Histories that a planted step is looked for in. */
  readonly plantings: number;
  readonly seed: number;
  /** Only what was measured again at the same version tells of noise; else every stretch without a change does. */
  readonly repeated: boolean;
}

/** How a gate does at one threshold. */
export interface Performance extends Threshold {
  readonly falseAlarms: Rate;
  /** The least step for the worse that it tells in four of five cases, as a share; null: none. */
  readonly detectable: number | null;
}

export interface Calibrated {
  readonly subject: Subject;
  /** Points, and those of them that were measured while nothing changed. */
  readonly points: number;
  readonly steady: number;
  /** Why nothing can be said; null: all of the following is there. */
  readonly reason: string | null;
  readonly now: Performance | null;
  readonly chosen: Performance | null;
  /** null: too few neighbouring versions have values enough to be compared. */
  readonly compare: PairedAlarms | null;
  /** What the gate tells of each drawn history, now and as it is chosen. */
  readonly alarms: { readonly now: readonly (Alarm | null)[]; readonly chosen: readonly (Alarm | null)[] } | null;
}

/** Steady values that are needed: of fewer the tails of the noise are not known. */
export const leastSteady = 30;

/** Points of a drawn history at most: longer ones take longer, and tell little more. */
const longest = 120;

/** Levels to choose from, the least strict first. */
const levels = [0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001, 0.00005, 0.00002, 0.00001] as const;

/**
 * A level is at most this part of the wanted rate: a hundred points do not show how heavy the tails of their noise are.
 */
const caution = 0.1;

/** Finds out how the gate does with the noise of one number, and how it has to be set for the wanted rate. */
export function calibrated(subject: Subject, points: readonly SeriesPoint[], options: CalibrationOptions): Calibrated {
  const values = Float64Array.from(points, ({ sample }) => median(sample));
  const versions = points.map(({ version }) => version);
  const { level, noise, stretches } = options.repeated ? repeatedNoise(values, versions) : steadyNoise(values);
  const counts = { subject, points: points.length, steady: noise.length };
  if (noise.length < leastSteady)
    return { ...counts, reason: tooFew(noise.length, options), now: null, chosen: null, compare: null, alarms: null };
  const steady = {
    subject,
    level,
    model: noiseModel(noise),
    length: Math.min(longest, Math.max(leastSteady, points.length)),
  };
  const seeds = seedOf(subject, options.seed);
  const judging = new Judging(options, steady, seeds);
  const [now, chosen] = [judging.at(options.now), judging.at(judging.chosen())];
  return {
    ...counts,
    reason: null,
    now: now.performance,
    chosen: chosen.performance,
    compare: pairedAlarms(subject, points, stretches, options.rate),
    alarms: { now: now.alarms, chosen: chosen.alarms },
  };
}

function tooFew(steady: number, { repeated }: CalibrationOptions): string {
  const of = repeated ? "measured again at the same version" : "in stretches without a change";
  return `too little history: ${steady} ${steady === 1 ? "point" : "points"} ${of}, ${leastSteady} are needed`;
}

/** A number's own drawings, whatever other numbers there are: FNV-1a of its key. */
function seedOf({ key }: Subject, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/**
 * The gate over the drawn histories of one number. Those that a threshold is chosen by are others than those it is
 * judged by.
 */
class Judging {
  readonly #options: CalibrationOptions;
  readonly #steady: Steady;
  readonly #seed: number;
  readonly #quantiles = new Quantiles();

  constructor(options: CalibrationOptions, steady: Steady, seed: number) {
    this.#options = options;
    this.#steady = steady;
    this.#seed = seed;
  }

  at(threshold: Threshold): { readonly performance: Performance; readonly alarms: readonly (Alarm | null)[] } {
    const { gate, replicates, plantings } = this.#options;
    const alarms = alarmsOf(gate, threshold, this.#steady, this.#drawn(1, replicates), this.#quantiles);
    const detectable = detectableStep(gate, threshold, this.#steady, this.#drawn(2, plantings));
    return { performance: { ...threshold, falseAlarms: rateOf(alarms), detectable }, alarms };
  }

  /**
   * The least strict level that keeps the wanted rate; where not even the strictest does, or the gate knows no levels,
   * that with a greater least effect.
   */
  chosen(): Threshold {
    const { gate, now, rate, replicates } = this.#options;
    const drawn = this.#drawn(0, replicates);
    const allowed = Math.floor(rate * replicates);
    let only: ReadonlySet<number> | undefined;
    for (const level of now.level === null
      ? [null]
      : levels.filter((each) => each <= caution * rate || each === levels.at(-1))) {
      const alarms = alarmsOf(gate, { level, minEffect: now.minEffect }, this.#steady, drawn, this.#quantiles, only);
      // A stricter level tells nothing where this one does not.
      only = new Set(alarms.flatMap((alarm, at) => (alarm === null ? [] : [at])));
      if (only.size <= allowed) return { level, minEffect: now.minEffect };
      const isLast = level === null || level === levels.at(-1);
      if (isLast)
        return {
          level,
          minEffect: finite(
            effectAbove(
              alarms.flatMap((alarm) => alarm?.largest ?? []),
              allowed,
            ),
            now.minEffect,
          ),
        };
    }
    return now;
  }

  #drawn(which: number, count: number): DrawnHistories {
    return new DrawnHistories(this.#steady, count, (this.#seed + which * 0x1000003) >>> 0);
  }
}

/** Beside a level of 0 every change is infinite, and no effect is too small to count. */
function finite(effect: number, otherwise: number): number {
  return Number.isFinite(effect) ? effect : otherwise;
}
