import type { Value } from "../values/value.ts";

/** Parameters, quantities and facts that a report may have; real ones have a tenth of this. */
export const mostVariables = 1000;

/** A quantity that the program which wrote a report measures. */
export interface ReportMetric {
  /** Unique in its report; letters, digits, `_`, `.` and `-` are kept, all else becomes `_`. */
  readonly name: string;
  /**
   * What `parseUnit` understands, such as `s`, `Byte/s`, `cycle`; a word that it does not know is told in the synopsis
   * of the variable. Absent: a plain number.
   */
  readonly unit?: string;
  readonly better?: "lower" | "higher";
  readonly synopsis?: string;
  /** Its numbers are whole. */
  readonly whole?: true;
}

/** One number, or a list with a number for each sample in the order of measuring. */
export type Measured = number | readonly number[] | Float64Array;

/** What was measured, by the name of a metric. A Map is one. */
export interface MeasuredValues {
  readonly size: number;
  get(metric: string): Measured | undefined;
  keys(): Iterable<string>;
  values(): Iterable<Measured>;
}

/** A benchmark with one set of parameters, and what was measured of it. */
export interface BenchmarkResult {
  readonly benchmark: string;
  /** What was varied, as far as the name or the report tells; absent in results of the same report that have none. */
  readonly parameters?: ReadonlyMap<string, Value>;
  /** Each in the unit of its metric. Metrics without a value are left out. NaN stands for a sample without a number. */
  readonly values: MeasuredValues;
}

/** One run of benchmarks as the program that ran them reports it. */
export interface BenchmarkReport {
  /** What holds for the whole run: versions, machine, settings. */
  readonly facts?: ReadonlyMap<string, Value>;
  /** When it was measured, in microseconds since 1970-01-01T00:00:00Z. */
  readonly performed?: number;
  /** The commit that was measured, hexadecimal, perhaps cut. */
  readonly commit?: string;
  /** In the order in which they are to be shown. */
  readonly metrics: readonly ReportMetric[];
  readonly results: readonly BenchmarkResult[];
  /** What was passed over, and what can be done about it: a line each. */
  readonly notices?: readonly string[];
}
