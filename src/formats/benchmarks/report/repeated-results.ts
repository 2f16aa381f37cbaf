import {
  mostVariables,
  type BenchmarkReport,
  type BenchmarkResult,
  type ReportMetric,
  type Measured,
  type MeasuredValues,
} from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";

/**
 * The samples of a result and their statistics, with metric names shared by many results: a fraction of the memory of a
 * Map, of which a report may need millions.
 */
export class SampledStatistics implements MeasuredValues {
  readonly #metrics: readonly string[];
  readonly #numbers: readonly number[];
  readonly #samples: Measured | undefined;

  /** `metrics` names the samples, then each of `numbers`; NaN means a missing number. */
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

  #at(index: number): Measured | undefined {
    if (index === 0) return this.#samples;
    const value = this.#numbers[index - 1];
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
 * Collects consecutive measurements. Measurements of the same benchmark with the same parameters become its samples.
 */
export class RepeatedResults {
  readonly #known = new Map<string, RepeatedResult>();
  readonly #metrics = new Set<string>();

  /**
   * Adds values by metric name; NaN means a missing value. A measurement without values is ignored. Beyond the maximum
   * number of metrics only names are stored, because the gaps would take quadratic memory.
   */
  add(benchmark: string, values: Iterable<readonly [string, number]>, parameters = none): void {
    const present = [...values].filter(([, value]) => Number.isFinite(value));
    if (present.length === 0) return;
    const key = JSON.stringify([benchmark, ...[...parameters].map(([name, value]) => [name, String(value)])]);
    const repeated = this.#known.get(key) ?? { benchmark, parameters, values: new Map<string, number[]>(), times: 0 };
    this.#known.set(key, repeated);
    for (const [metric, value] of present) {
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
   * Like `add` for a measurement with intervals: each interval is a sample; the first one also gets the other values.
   */
  addWithIntervals(
    benchmark: string,
    values: Iterable<readonly [string, number]>,
    parameters: ReadonlyMap<string, Value>,
    [first = [], ...rest]: readonly (readonly (readonly [string, number])[])[],
  ): void {
    this.add(benchmark, [...values, ...first], parameters);
    for (const interval of rest) this.add(benchmark, interval, parameters);
  }

  /** The report with the metrics that have values. Values are lists if any benchmark was measured repeatedly. */
  report(
    metrics: readonly ReportMetric[],
    rest: Pick<BenchmarkReport, "facts" | "performed" | "commit" | "notices"> = {},
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
