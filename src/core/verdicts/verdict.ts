import type { VersionId } from "../versions/index.ts";
import type { Growth, Subject } from "../measurements/index.ts";

/** Outcomes of a comparison of two samples. `better` and `same` exclude a regression, `inconclusive` does not. */
export const verdictOutcomes = ["worse", "better", "same", "inconclusive"] as const;

export type VerdictOutcome = (typeof verdictOutcomes)[number];

/** One side of a comparison. */
export interface Side {
  /** The median and its confidence interval; NaN if there are too few values for one. */
  readonly center: number;
  readonly low: number;
  readonly high: number;
  /** Number of values used. */
  readonly n: number;
}

/**
 * Signs that the machine changed instead of the code. modes: runs have several levels, which are taken more or less
 * often. straddled: the level changed within a point. gradual: not at one point. scatter: it changed as well. fastest:
 * the fastest runs did not change. returned: the level came back. unsteady: the level moves as much elsewhere. load:
 * more points were measured under load. suite: those of many other series do. shared: most other series changed at the
 * same commit. drift: a slow change of all points. bridged: the machine changed at the same commit. failed: the program
 * exits with another status. noise: no change was found, nor would be one of the size that matters.
 */
export type DoubtKind =
  | "modes"
  | "straddled"
  | "gradual"
  | "scatter"
  | "fastest"
  | "returned"
  | "unsteady"
  | "load"
  | "suite"
  | "shared"
  | "drift"
  | "bridged"
  | "failed"
  | "noise";

/**
 * How the value of a point was made of its runs: the one of them that is the steadiest for the series. maximum: for
 * metrics that should be high.
 */
export type PointEstimator = "median" | "trimmed-mean" | "minimum" | "maximum";

/**
 * How a change is estimated, unless it is the ratio of the medians: the median of all ratios of a new value to an old
 * one, or of those within each of two levels.
 */
type EffectEstimator = "shift" | "shift-within-levels";

/** The change of a subject between two points of its history. */
export interface Verdict {
  readonly subject: Subject;
  readonly outcome: VerdictOutcome;
  /** null: that side has no values. */
  readonly before: Side | null;
  readonly after: Side | null;
  /**
   * after / before - 1 of the medians unless `effect` or `test` say otherwise, and its confidence interval; null if a
   * side is missing or before is 0.
   */
  readonly delta: number | null;
  readonly deltaLow: number | null;
  readonly deltaHigh: number | null;
  /** p-value of the difference, and the name of the test. */
  readonly p: number | null;
  readonly test: string;
  /** False discovery rate among all verdicts of this check with at most this p. */
  readonly q: number | null;
  /** The smallest relative change detectable with a power of 80 %; null if there is none. */
  readonly detectable: number | null;
  /** Why it is inconclusive, or what qualifies the outcome, for users. */
  readonly reason: string | null;
  /** The commits of the change. */
  readonly since: Since | null;
  /**
   * Of a change in a history: the measured commits next to it on both levels, at most 20 each, the oldest first. Those
   * where the level may have changed are between them. Not part of the JSON.
   */
  readonly levels?: { readonly before: readonly VersionId[]; readonly after: readonly VersionId[] };
  /** The subject's own threshold from `calibrate`, which was applied; absent: it has none. */
  readonly threshold?: { readonly level: number | null; readonly minEffect: number };
  /** The machine of the compared values, if those of several machines are judged. */
  readonly machine?: string;
  /** Machines measured in turns with it, whose values were multiplied by these factors and judged together. */
  readonly scaled?: readonly MachineScale[];
  /** Why a change is not attributed to the code. Absent: it is, or there is none. */
  readonly doubt?: DoubtKind;
  /** Of a comparison: how the change is estimated. Absent: by the medians, or by pairs. */
  readonly effect?: EffectEstimator;
  /** For modes, and within levels: the share of runs at the better level before and after. */
  readonly modes?: { readonly before: number; readonly after: number };
  /** For load: the number of points before and after at which the machine was disturbed. */
  readonly disturbed?: { readonly before: number; readonly after: number };
  /** For a drift: the relative change per point, and its confidence interval. */
  readonly drift?: { readonly perPoint: number; readonly low: number; readonly high: number };
  /** For a shared change: the number of series that changed alike, of those measured with it. */
  readonly shared?: { readonly series: number; readonly of: number };
  /** How the value of a point was made of its runs. Absent: points have single runs. */
  readonly estimator?: PointEstimator;
  /** Of a change in a history: metrics that describe this one, such as its mean, on both levels. */
  readonly derived?: readonly DerivedChange[];
  /** Of a change of a history that is none: the function within which the cost moved, and which costs as much. */
  readonly movedWithin?: string;
  /** Of an inconclusive sequential comparison: the estimated number of further pairs to decide; null: too many. */
  readonly morePairs?: number | null;
  /** For a growth subject: the class of both sides, with the medians of the model parameters. */
  readonly growth?: { readonly before: Growth; readonly after: Growth };
}

/** A machine whose values were multiplied by a factor, to be on the scale of another. */
export interface MachineScale {
  readonly machine: string;
  readonly factor: number;
  /** The benchmark that never changes, whose levels gave the factor. Absent: the levels of the metric itself. */
  readonly bridge?: string;
}

/** The medians of a derived metric on both sides of a change, in its unit. */
export interface DerivedChange {
  readonly metric: string;
  readonly before: number;
  readonly after: number;
  /** after / before - 1; null if before is 0. */
  readonly delta: number | null;
}

/** A change is located between the last commit known as before it and the first known as after it. */
export interface Since {
  /** null: no commit before it was measured. */
  readonly before: VersionId | null;
  readonly after: VersionId;
  /**
   * Commits that may have caused it, the oldest first: after `before`, up to `after`; or with `range`, the fewest
   * commits that hold the cause with its probability.
   */
  readonly suspects: readonly VersionId[];
  /** Of a change of level whose position is uncertain: the range that the suspects span. */
  readonly range?: SinceRange;
}

/** Measured commits before and after all positions where the level may have changed. */
export interface SinceRange {
  /** null: no commit before them was measured. */
  readonly before: VersionId | null;
  readonly after: VersionId;
  /** Probability that the change is in one of the suspects, if it is a change of level; at least 0.95. */
  readonly probability: number;
}
