import type { VersionId } from "../versions/digest.ts";
import type { Unit } from "../values/unit.ts";

/** Which of two values is the better one. */
export type Direction = "lower" | "higher";

/** One number of one thing that is measured again and again. */
export interface Subject {
  readonly source: "profile" | "experiment" | "file";
  /**
   * Unique among all subjects, and the same in every check: what thresholds and triage go by. One line without control
   * characters.
   */
  readonly key: string;
  /** The thing as people read it: a function of a command, a benchmark, the parameter set of an experiment. */
  readonly benchmark: string;
  /** The number: `amount`, `time`, the name of a result. */
  readonly metric: string;
  readonly unit: Unit | undefined;
  readonly better: Direction;
}

/** What was measured of a subject at one place of its history. */
export interface SeriesPoint {
  /** null: it is not known which version was measured. */
  readonly version: VersionId | null;
  /** Where the values are kept: objects of profiles, `experiment#run`, a file. Never empty. */
  readonly evidence: readonly string[];
  /** Fingerprint of the machine; null: not known. Values of different machines are not compared unless asked for. */
  readonly machine: string | null;
  /** All values measured there, in their order, in the unit of the subject. Never empty; finite. */
  readonly sample: Float64Array;
  /** Of a series of growth: the models that the exponents in `sample` are of. */
  readonly growth?: readonly Growth[];
}

/** How the cost of a location grows with the size of its input. */
export interface Growth {
  /** `1`, `log n`, `n`, `n log n`, `n^2`, `n^2 log n`, `n^3`, `2^n`. */
  readonly name: string;
  /** k of the nearest n^k, with the ends of its 95 % interval. */
  readonly exponent: number;
  readonly low: number;
  readonly high: number;
  /** Share of the variance that the class explains. */
  readonly rSquared: number;
}

/** Where in history, and on what, values were measured. */
export type PointOrigin = Pick<SeriesPoint, "version" | "machine">;

/** Points side by side: of each its place, and its one value. */
export interface PointColumns {
  readonly origins: readonly PointOrigin[];
  readonly values: Float64Array;
}

/** The points of a subject in the order of history, the oldest first. */
export interface Series {
  readonly subject: Subject;
  readonly points: readonly SeriesPoint[];
  /** The same without making each point, where all of them have one value and nothing else. */
  readonly columns?: PointColumns | undefined;
}
