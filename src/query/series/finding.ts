import type { DoubtKind, Verdict } from "../../core/verdicts/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import type { LevelChange, Noise } from "../../math/detectors/index.ts";
import { type Quantiles, withMove } from "./level-comparison.ts";

/** How a series is judged. */
export interface DetectionOptions {
  /** Name of the method, shown as the test. */
  readonly method: string;
  detect(values: Float64Array): readonly LevelChange[];
  /** Whether changes at a version count; others are context. null: all count. */
  readonly isIn: ((version: VersionId | null) => boolean) | null;
  /** The smallest change that counts, as a share. */
  readonly minEffect: number;
  /** Source of the threshold if not the default, for people. */
  readonly thresholdOf?: string;
  /**
   * The smallest upward shift, in the unit of the values, that the detector reports with 80 % probability; null: none.
   * Absent: not computed.
   */
  detectable?(at: ShiftSpan, quantiles: Quantiles): number | null;
}

/** A possible shift: the values from `cut` to before `to`, after those from `from` on. */
export interface ShiftSpan {
  readonly values: Float64Array;
  /** Starts of the known levels. */
  readonly levelStarts: readonly number[];
  /** The values without levels and outliers. */
  readonly noise: Noise;
  readonly from: number;
  readonly cut: number;
  readonly to: number;
}

/** A verdict before the false-discovery control over all series. */
export interface Finding {
  readonly verdict: Omit<Verdict, "q" | "since">;
  /** Index of the first point of the new level. */
  readonly index: number;
  /** Versions of the first point of the new level and of the point before; null: unknown, or none. */
  readonly at: VersionId | null;
  readonly before: VersionId | null;
  /** Where the change may be instead of at `index`. Absent: nowhere. */
  readonly reach?: Reach;
  /**
   * change: a new level. doubt: one that may be the machine's. drift: a slow change without a commit. tip: the newest
   * points stand out, but are too few for a level. none: no change. unknown: not judgeable.
   */
  readonly kind: "change" | "doubt" | "drift" | "tip" | "none" | "unknown";
}

/** Positions of a change that together are almost certain. */
export interface Reach {
  /** Versions of the first point of the new level and of the point before, for each position, in order. */
  readonly steps: readonly Pick<Finding, "at" | "before">[];
  readonly probability: number;
}

/** A change that may be the machine's. */
export function doubted(finding: Finding, doubt: DoubtKind, reason: string): Finding {
  const verdict = { ...finding.verdict, ...withMove(finding.verdict), outcome: "inconclusive" as const, reason, doubt };
  return { ...finding, kind: "doubt", verdict };
}
