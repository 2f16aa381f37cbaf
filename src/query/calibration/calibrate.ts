import type { SeriesPoint, Subject } from "../../core/measurements/index.ts";
import { noiseModel } from "../../math/sampling/index.ts";
import { pointValues, Quantiles } from "../series/index.ts";
import {
  type Alarm,
  alarmsOf,
  DrawnHistories,
  type Rate,
  rateOf,
  type Steady,
  effectAbove,
  pairedFalsePositives,
  type PairedRates,
} from "./false-positives.ts";
import { type Gate, type Threshold, reportedChanges } from "./gate.ts";
import { repeatedNoise, steadyNoise } from "./steady-noise.ts";

/** Required share of detected planted steps. */
const power = 0.8;

/** Least number of points on both sides of a planted step, and largest error of its reported position. */
const margin = 6;
const tolerance = 5;

/** Largest step tried; a value that should be high cannot lose more than all of itself. */
const most = { lower: 8, higher: 0.98 } as const;

/** Halvings of the interval of the result, for a precision of about 1 %. */
const halvings = 7;

/**
 * The smallest step for the worse, as a share of the level, that the gate detects in 80 % of the drawn histories, each
 * with one at a random position, at most five points off. All sizes use the same histories. null: none is detected, or
 * the level is 0.
 */
export function detectableStep(gate: Gate, threshold: Threshold, steady: Steady, drawn: DrawnHistories): number | null {
  if (steady.level === 0 || steady.length < 2 * margin) return null;
  const known = new Quantiles();
  const seen = new SeenSteps(drawn.count, Math.ceil(power * drawn.count), (at, share) =>
    isStepDetected(gate, threshold, steady, drawn, at, share, known),
  );
  const end = most[steady.subject.better];
  let [low, high] = [0, Math.min(end, 1 / 64)];
  while (!seen.isEnough(high)) {
    if (high === end) return null;
    [low, high] = [high, Math.min(end, 2 * high)];
  }
  for (let halving = 0; halving < halvings; halving++) {
    const middle = (low + high) / 2;
    if (seen.isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * Which sizes of a step are detected in which of the drawn histories. A history that shows a step is taken to show all
 * larger ones, and one that hides it to hide all smaller ones, so that most histories are examined at few sizes only.
 */
class SeenSteps {
  readonly #needed: number;
  readonly #isDetected: (at: number, share: number) => boolean;
  /** By history: the largest size that it hides, and the smallest that it shows. */
  readonly #hidden: Float64Array;
  readonly #shown: Float64Array;

  constructor(count: number, needed: number, isDetected: (at: number, share: number) => boolean) {
    this.#needed = needed;
    this.#isDetected = isDetected;
    this.#hidden = new Float64Array(count);
    this.#shown = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  }

  /** Whether enough histories show a step of this size. Most sizes are decided long before the last history. */
  isEnough(share: number): boolean {
    let hits = this.#shown.reduce((sum, each) => sum + Number(each <= share), 0);
    const open = [...this.#shown.keys()].filter((at) => this.#hidden[at]! < share && share < this.#shown[at]!);
    for (const [position, at] of open.entries()) {
      if (hits >= this.#needed || hits + open.length - position < this.#needed) break;
      if (this.#isDetected(at, share)) {
        this.#shown[at] = share;
        hits += 1;
      } else this.#hidden[at] = share;
    }
    return hits >= this.#needed;
  }
}

function isStepDetected(
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
  const position = margin + Math.floor(random() * (steady.length - 2 * margin + 1));
  const factor = steady.subject.better === "lower" ? 1 + share : 1 - share;
  for (let i = position; i < values.length; i++) values[i] = (values[i] as number) * factor;
  const changes = reportedChanges(gate, threshold, steady.subject, values, known);
  return changes.some(
    ({ index, verdict: { outcome: word } }) => word === "worse" && Math.abs(index - position) <= tolerance,
  );
}

export interface CalibrationOptions {
  readonly gate: Gate;
  /** The gate's current setting. */
  readonly now: Threshold;
  /** Allowed false-positive rate of a check of one unchanged number. */
  readonly rate: number;
  /** Histories drawn to count false positives. */
  readonly replicates: number;
  /** Histories with a planted step. */
  readonly plantings: number;
  readonly seed: number;
  /**
   * Estimate the noise from repeated measurements of one version only; otherwise from all stretches without a change.
   */
  readonly repeated: boolean;
}

/** Performance of a gate at one threshold. */
export interface Performance extends Threshold {
  readonly falseAlarms: Rate;
  /** The smallest step for the worse that it detects in 80 % of all cases, as a share; null: none. */
  readonly detectable: number | null;
}

export interface Calibrated {
  readonly subject: Subject;
  /** All points, and those measured while nothing changed. */
  readonly points: number;
  readonly steady: number;
  /** Why calibration is impossible; null: the following members are set. */
  readonly reason: string | null;
  readonly now: Performance | null;
  readonly chosen: Performance | null;
  /** null: too few neighbouring versions have enough values to compare. */
  readonly compare: PairedRates | null;
  /** The gate's result for each drawn history, with the current and with the chosen threshold. */
  readonly alarms: { readonly now: readonly (Alarm | null)[]; readonly chosen: readonly (Alarm | null)[] } | null;
}

/** Fewest steady values: fewer do not show the tails of the noise. */
export const leastSteady = 30;

/** Most points of a drawn history: longer ones take more time and add little. */
const longest = 120;

/** Levels to choose from, the least strict first. */
const levels = [0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001, 0.00005, 0.00002, 0.00001] as const;

/**
 * Largest ratio of the level to the wanted rate: a hundred points do not show how heavy the tails of their noise are.
 */
const caution = 0.1;

/** Evaluates the gate with the noise of one subject and chooses its threshold for the wanted rate. */
export function calibrateSubject(
  subject: Subject,
  points: readonly SeriesPoint[],
  options: CalibrationOptions,
): Calibrated {
  const { values } = pointValues(points, subject.better);
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
  const judging = new GateEvaluation(options, steady, seeds);
  const now = judging.at(options.now);
  const choice = judging.chosen();
  const chosen = isSame(choice, options.now) ? now : judging.at(choice);
  return {
    ...counts,
    reason: null,
    now: now.performance,
    chosen: chosen.performance,
    compare: pairedFalsePositives(subject, points, stretches, options.rate),
    alarms: { now: now.alarms, chosen: chosen.alarms },
  };
}

function isSame(a: Threshold, b: Threshold): boolean {
  return a.level === b.level && a.minEffect === b.minEffect;
}

function tooFew(steady: number, { repeated }: CalibrationOptions): string {
  const of = repeated ? "measured again at the same commit" : "in stretches without a change";
  return `too little history: ${steady} ${steady === 1 ? "point" : "points"} ${of}, ${leastSteady} are needed`;
}

/** Seed of one subject, independent of other subjects: FNV-1a of its key. */
function seedOf({ key }: Subject, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/**
 * Evaluates the gate on the drawn histories of one subject. Choosing and evaluating a threshold use different
 * histories.
 */
class GateEvaluation {
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
   * The least strict level within the wanted rate; if even the strictest is above it, or the gate has no levels, that
   * level with a larger least effect.
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
      // A stricter level reports nothing where this one does not.
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

/** At a level of 0 every change is infinite, so there is no finite least effect. */
function finite(effect: number, otherwise: number): number {
  return Number.isFinite(effect) ? effect : otherwise;
}
