import type { VersionId } from "../versions/digest.ts";
import type { Growth, Subject } from "../measurements/series.ts";

/**
 * What can be said of two samples. `better` and `same` are both not worse; `inconclusive` is neither that nor worse.
 */
export const verdictOutcomes = ["worse", "better", "same", "inconclusive"] as const;

export type VerdictOutcome = (typeof verdictOutcomes)[number];

/** One side of a comparison. */
export interface Side {
  /** The median, with the ends of its confidence interval; NaN where there are too few values for one. */
  readonly center: number;
  readonly low: number;
  readonly high: number;
  /** Values that were used. */
  readonly n: number;
}

/** What became of a subject between two places of its history. */
export interface Verdict {
  readonly subject: Subject;
  readonly word: VerdictOutcome;
  /** null: that side has no values, so that nothing can be said. */
  readonly before: Side | null;
  readonly after: Side | null;
  /**
   * after / before - 1 of the medians, with the ends of its confidence interval; null where a side is missing or before
   * is 0.
   */
  readonly delta: number | null;
  readonly deltaLow: number | null;
  readonly deltaHigh: number | null;
  /** How likely so great a difference is without a change, and by what test that was told. */
  readonly p: number | null;
  readonly test: string;
  /** The share of false alarms among all verdicts of this check with a p no greater (false discovery rate). */
  readonly q: number | null;
  /** The least change, as a share, that would have been seen in four of five cases; null where nothing would. */
  readonly detectable: number | null;
  /** Why it is inconclusive; for people. */
  readonly reason: string | null;
  /** Where in history it happened. */
  readonly since: Since | null;
  /**
   * What `calibrate` found out about the subject and this verdict was held to; absent: it has no threshold of its own.
   */
  readonly threshold?: { readonly level: number | null; readonly minEffect: number };
  /** Of a subject that is a growth: the class of both sides, with the medians of its models' numbers. */
  readonly growth?: { readonly before: Growth; readonly after: Growth };
}

/** A change lies between the last version known to be as before and the first known to be as after. */
export interface Since {
  /** null: there is no measured version before. */
  readonly before: VersionId | null;
  readonly after: VersionId;
  /** All versions that may have made it, the oldest first: those after `before` up to `after`. */
  readonly suspects: readonly VersionId[];
}
