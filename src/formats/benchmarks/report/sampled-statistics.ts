import type { Measured, MeasuredValues } from "../../../core/measurements/benchmark-report.ts";

/**
 * Statistics that many results have in common, with the samples that they were made from: a fraction of the memory of a
 * Map, of which a report may need millions.
 */
export class SampledStatistics implements MeasuredValues {
  readonly #metrics: readonly string[];
  readonly #numbers: readonly number[];
  readonly #samples: Measured | undefined;

  /** `metrics`: that of the samples, and behind it those of `numbers`, in which NaN stands for what is not there. */
  constructor(metrics: readonly string[], samples: Measured | undefined, numbers: readonly number[]) {
    this.#metrics = metrics;
    this.#samples = samples;
    this.#numbers = numbers;
  }

  get size(): number {
    return this.keys().length;
  }

  get(metric: string): Measured | undefined {
    return this.#at(this.#metrics.indexOf(metric));
  }

  keys(): string[] {
    return this.#metrics.filter((_, at) => this.#at(at) !== undefined);
  }

  values(): Measured[] {
    return this.#metrics.map((_, at) => this.#at(at)).filter((value) => value !== undefined);
  }

  #at(place: number): Measured | undefined {
    if (place === 0) return this.#samples;
    const value = this.#numbers[place - 1];
    return Number.isNaN(value) ? undefined : value;
  }
}
