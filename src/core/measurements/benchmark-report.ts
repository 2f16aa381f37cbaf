import type { Value } from "../values/index.ts";

/** Maximum parameters, quantities and facts of a report; real ones have a tenth of this. */
export const mostVariables = 1000;

/** A quantity measured by the benchmark program. */
export interface ReportMetric {
  /** Unique in its report; letters, digits, `_`, `.` and `-` are kept, other characters become `_`. */
  readonly name: string;
  /**
   * A unit for `parseUnit`, such as `s`, `Byte/s`, `cycle`; the synopsis of the variable mentions an unknown unit.
   * Absent: a plain number.
   */
  readonly unit?: string;
  readonly better?: "lower" | "higher";
  readonly synopsis?: string;
  /** Its numbers are integers. */
  readonly whole?: true;
}

/** One number, or one number per sample in the order of measurement. */
export type Measured = number | readonly number[] | Float64Array;

/** Measured values by metric; compatible with Map. */
export interface MeasuredValues {
  readonly size: number;
  get(metric: string): Measured | undefined;
  keys(): Iterable<string>;
  values(): Iterable<Measured>;
}

/** A benchmark with one set of parameters and its values. */
export interface BenchmarkResult {
  readonly benchmark: string;
  /** Varied parameters known from the name or the report; absent if there are none. */
  readonly parameters?: ReadonlyMap<string, Value>;
  /** In the unit of the metric. Metrics without a value are omitted. NaN is a sample without a number. */
  readonly values: MeasuredValues;
}

/** One run of benchmarks, as reported by the benchmark program. */
export interface BenchmarkReport {
  /** Values of the whole run: versions, machine, settings. */
  readonly facts?: ReadonlyMap<string, Value>;
  /** Time of measurement in microseconds since 1970-01-01T00:00:00Z. */
  readonly performed?: number;
  /** The measured commit, hexadecimal, may be abbreviated. */
  readonly commit?: string;
  /** In display order. */
  readonly metrics: readonly ReportMetric[];
  readonly results: readonly BenchmarkResult[];
  /** Skipped data and remedies, a line each. */
  readonly notices?: readonly string[];
}
