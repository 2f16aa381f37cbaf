import type { Subject } from "../../core/measurements/series.ts";
import { drawNoise, type NoiseModel } from "../../math/sampling/block-bootstrap.ts";
import { falseDiscovery } from "../../math/hypothesis-tests/false-discovery.ts";
import { seededRandom } from "../../math/sampling/seeded-random.ts";
import { wilsonInterval } from "../../math/hypothesis-tests/wilson-interval.ts";
import type { Quantiles } from "../series/judge-series.ts";
import { type Gate, type Threshold, toldChanges } from "./gate.ts";

/** A number whose history can be drawn anew without a change. */
export interface Steady {
  readonly subject: Subject;
  readonly level: number;
  readonly model: NoiseModel;
  /** Points of a drawn series. */
  readonly length: number;
}

/** A share of drawn histories with its 95 % interval. */
export interface Rate {
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

/**
 * What a check tells of one drawn history: its greatest change, and the p of all of them (null: the method has none).
 */
export interface Alarm {
  readonly largest: number;
  readonly p: readonly (number | null)[];
}

/** Drawn histories without a change, each the same for the same seed and place. */
export class DrawnHistories {
  readonly count: number;
  readonly #steady: Steady;
  readonly #seed: number;

  constructor(steady: Steady, count: number, seed: number) {
    this.count = count;
    this.#steady = steady;
    this.#seed = seed;
  }

  /** Writes the values of history `at` into `values` and answers what draws on from there. */
  draw(at: number, values: Float64Array): () => number {
    // Neighbouring seeds of this generator begin far apart once they are spread over all 32 bits.
    const random = seededRandom(Math.imul(this.#seed + at, 0x9e3779b1));
    drawNoise(this.#steady.model, random, values);
    for (let place = 0; place < values.length; place++) values[place] = this.#steady.level + (values[place] as number);
    return random;
  }
}

/** What the gate tells of each drawn history; null: nothing. `only`: of these places, the others have nothing. */
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
    const found = toldChanges(gate, threshold, steady.subject, values, known);
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
 * How often a check of all numbers together tells a change although there is none, its control of false discoveries
 * included. `all`: of each number its alarms, one for each drawn history, as many of each. null: there is no number.
 */
export function overallRate(all: readonly (readonly (Alarm | null)[])[], falseDiscoveryRate: number): Rate | null {
  const count = all[0]?.length ?? 0;
  if (count === 0) return null;
  let hits = 0;
  for (let at = 0; at < count; at++) {
    const p = all.flatMap((alarms) => alarms[at]?.p ?? []);
    if (isTold(p, all.length, falseDiscoveryRate)) hits += 1;
  }
  return { share: hits / count, ...wilsonInterval(hits, count) };
}

/** What has no p is not held to the rate of false discoveries. */
function isTold(p: readonly (number | null)[], series: number, falseDiscoveryRate: number): boolean {
  if (p.includes(null)) return true;
  const known = Float64Array.from(p as readonly number[]);
  return falseDiscovery(known, Math.max(series, known.length)).some((q) => q <= falseDiscoveryRate);
}
