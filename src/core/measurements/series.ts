import type { VersionId } from "../versions/index.ts";
import type { Unit } from "../values/index.ts";

/** The direction of better values. */
export type Direction = "lower" | "higher";

/** The metric of user plus system time, next to `time`, the wall clock. */
export const cpuTimeMetric = "cpu-time";

/** A number that is measured repeatedly. */
export interface Subject {
  readonly source: "profile" | "experiment" | "file";
  /**
   * Unique among all subjects and the same in every check; used by thresholds and triage. One line without control
   * characters.
   */
  readonly key: string;
  /** The measured thing for display: a function of a command, a benchmark, the parameter set of an experiment. */
  readonly benchmark: string;
  /** The metric: `amount`, `time`, the name of a result. */
  readonly metric: string;
  readonly unit: Unit | undefined;
  readonly better: Direction;
  /** Nothing states the direction, neither a declaration nor the unit nor the name. Absent: something does. */
  readonly isDirectionAssumed?: true;
  /** The metric that this one describes, as a mean does, and the key of its subject. Absent: none. */
  readonly derivedFrom?: { readonly metric: string; readonly key: string };
}

/**
 * More load than processors, time that a hypervisor gave to others, throttling, or a clock rate below that of other
 * points, while a profile was measured.
 */
export interface Disturbance {
  readonly kind: "load" | "stolen" | "heat" | "clock";
  /** For users: `load 5.2 on 2 processors`. */
  readonly text: string;
}

/** The measurements of a subject at one point of its history. */
export interface SeriesPoint {
  /** null: the measured commit is unknown. */
  readonly version: VersionId | null;
  /** Sources of the values: objects of profiles, `experiment#run`, a file. Never empty. */
  readonly evidence: readonly string[];
  /** Fingerprint of the machine; null: unknown. By default, values of different machines are not compared. */
  readonly machine: string | null;
  /** All values measured there, in order, in the unit of the subject. Never empty; finite. */
  readonly sample: Float64Array;
  /** What disturbed the machine meanwhile; absent: nothing known. */
  readonly disturbance?: Disturbance;
  /** The highest clock rate of the processors meanwhile, in MHz; absent: unknown. */
  readonly clock?: number;
  /** Time of the loop that was measured next to it, in seconds; absent: none. */
  readonly canary?: number;
  /** For a growth series: the models of the exponents in `sample`. */
  readonly growth?: readonly Growth[];
}

/** The growth of the cost of a location with the size of its input. */
export interface Growth {
  /** `1`, `log n`, `n`, `n log n`, `n^2`, `n^2 log n`, `n^3`, `2^n`. */
  readonly name: string;
  /** k of the best-fitting n^k, and its 95 % interval. */
  readonly exponent: number;
  readonly low: number;
  readonly high: number;
  /** Share of the variance that the class explains. */
  readonly rSquared: number;
}

/** The commit and machine of a measurement. */
export type PointOrigin = Pick<SeriesPoint, "version" | "machine" | "disturbance" | "clock" | "canary">;

/** Points as columns: the origin and the single value of each. */
export interface PointColumns {
  readonly origins: readonly PointOrigin[];
  readonly values: Float64Array;
}

/** The points of a subject in the order of history, the oldest first. */
export interface Series {
  readonly subject: Subject;
  readonly points: readonly SeriesPoint[];
  /** The same points as columns, if each has a single value. */
  readonly columns?: PointColumns | undefined;
}
