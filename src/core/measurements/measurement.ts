/** A measured quantity, in its base unit. */
export interface Quantity {
  readonly name: string;
  /** As `formatUnit` writes it, without prefixes: `s`, `Byte/s`; empty for plain numbers. */
  readonly unit: string;
  readonly better?: "lower" | "higher";
  readonly synopsis?: string;
}

/** A measured run. */
export interface MeasuredRun {
  readonly number: number;
  readonly commit?: string;
  /** Microseconds since 1970-01-01T00:00:00Z. */
  readonly performed: number;
  /** Values of the whole run, by name. */
  readonly facts: ReadonlyMap<string, string>;
}

/** A benchmark with one set of parameters. */
export interface BenchmarkCase {
  readonly benchmark: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** One measurement of a case; values in the order of the quantities, NaN is none. */
export interface Measurement extends BenchmarkCase {
  readonly values: readonly number[];
}

/** All finite numbers of a quantity, in the order of measurement; at least one. */
export interface Sample {
  readonly numbers: readonly number[];
  readonly median: number;
  readonly least: number;
  readonly greatest: number;
  /** Standard deviation of the sample; 0 of a single number. */
  readonly deviation: number;
}

/** All measurements of a benchmark in one run. */
export interface MeasuredCase extends BenchmarkCase {
  readonly run: MeasuredRun;
  /** By name of the quantity; quantities without numbers are omitted. */
  readonly samples: ReadonlyMap<string, Sample>;
}
