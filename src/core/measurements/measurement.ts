/** A number that benchmarks have measured, in its base unit. */
export interface Quantity {
  readonly name: string;
  /** As `formatUnit` writes it, without prefixes: `s`, `Byte/s`; empty for plain numbers. */
  readonly unit: string;
  readonly better?: "lower" | "higher";
  readonly synopsis?: string;
}

/** What is known of a run that was measured. */
export interface MeasuredRun {
  readonly number: number;
  readonly commit?: string;
  /** Microseconds since 1970-01-01T00:00:00Z. */
  readonly performed: number;
  /** What holds for the whole run, by name. */
  readonly facts: ReadonlyMap<string, string>;
}

/** A benchmark with one set of parameters. */
export interface BenchmarkCase {
  readonly benchmark: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** What was measured of it once; values stand in the order of the quantities, NaN is none. */
export interface Measurement extends BenchmarkCase {
  readonly values: readonly number[];
}

/** All finite numbers of a quantity, in the order of measuring; there is at least one. */
export interface Sample {
  readonly numbers: readonly number[];
  readonly median: number;
  readonly least: number;
  readonly greatest: number;
  /** Standard deviation of the sample; 0 of a single number. */
  readonly deviation: number;
}

/** All that one run measured of a benchmark. */
export interface MeasuredCase extends BenchmarkCase {
  readonly run: MeasuredRun;
  /** By the name of the quantity; those without numbers are left out. */
  readonly samples: ReadonlyMap<string, Sample>;
}
