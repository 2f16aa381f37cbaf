import { mostVariables, type BenchmarkReport, type BenchmarkResult, type ReportMetric, type Measured, type MeasuredValues } from "../../../core/measurements/benchmark-report.ts";
import type { Value } from "../../../core/values/value.ts";

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

interface RepeatedResult {
  readonly benchmark: string;
  readonly parameters: ReadonlyMap<string, Value>;
  readonly values: Map<string, number[]>;
  times: number;
}

const none: ReadonlyMap<string, Value> = new Map();

/**
 * Measurements as a text has them one after the other. Those of the same benchmark with the same parameters become its
 * samples, wherever they stand.
 */
export class RepeatedResults {
  readonly #known = new Map<string, RepeatedResult>();
  readonly #metrics = new Set<string>();

  /**
   * Values are by the name of the metric; NaN is a value that is not there. A measurement without any value is none. Of
   * more metrics than a report may have, only the names are kept: gaps of each would take the square of the text.
   */
  add(benchmark: string, values: Iterable<readonly [string, number]>, parameters = none): void {
    const there = [...values].filter(([, value]) => Number.isFinite(value));
    if (there.length === 0) return;
    const key = JSON.stringify([benchmark, ...[...parameters].map(([name, value]) => [name, String(value)])]);
    const repeated = this.#known.get(key) ?? { benchmark, parameters, values: new Map<string, number[]>(), times: 0 };
    this.#known.set(key, repeated);
    for (const [metric, value] of there) {
      this.#metrics.add(metric);
      if (this.#metrics.size > mostVariables) continue;
      const list = repeated.values.get(metric) ?? [];
      repeated.values.set(metric, list);
      while (list.length < repeated.times) list.push(Number.NaN);
      list[repeated.times] = value;
    }
    repeated.times += 1;
  }

  /**
   * The same with what was measured in parts of the time: each is a sample, the first of which has the other values,
   * too.
   */
  addWithParts(
    benchmark: string,
    values: Iterable<readonly [string, number]>,
    parameters: ReadonlyMap<string, Value>,
    [first = [], ...rest]: readonly (readonly (readonly [string, number])[])[],
  ): void {
    this.add(benchmark, [...values, ...first], parameters);
    for (const part of rest) this.add(benchmark, part, parameters);
  }

  /** With those of the metrics that have values. Only where something was measured repeatedly, values are lists. */
  report(
    metrics: readonly ReportMetric[],
    rest: Pick<BenchmarkReport, "facts" | "performed" | "commit"> = {},
  ): BenchmarkReport {
    const all = [...this.#known.values()];
    const isSampled = all.some(({ times }) => times > 1);
    return {
      ...rest,
      metrics: metrics.filter(({ name }) => this.#metrics.has(name)),
      results: all.map((each) => resultOf(each, isSampled)),
    };
  }
}

function resultOf({ benchmark, parameters, values }: RepeatedResult, isSampled: boolean): BenchmarkResult {
  const measured = [...values].map(([metric, list]) => [metric, isSampled ? list : list[0]!] as const);
  return { benchmark, ...(parameters.size === 0 ? {} : { parameters }), values: new Map(measured) };
}
