import type { VersionId } from "../versions/index.ts";

/** Perun's ladder of results, worst first; the names are part of the `.changes` format. */
export const changeResults = [
  "NotInBaseline",
  "TotalDegradation",
  "SevereDegradation",
  "Degradation",
  "MaybeDegradation",
  "NoChange",
  "MaybeOptimization",
  "Optimization",
  "SevereOptimization",
  "TotalOptimization",
  "NotInTarget",
  "Unknown",
] as const;

export type ChangeResult = (typeof changeResults)[number];

/** The result of a checker for one location (uid) between a baseline and a target. */
export interface Change {
  readonly location: string;
  readonly result: ChangeResult;
  /** The kind of change: the profile type, a model class, or "-". */
  readonly type: string;
  /** The measured quantity, as series and comparisons name it, if the checker distinguishes quantities. */
  readonly metric?: string;
  /** The location in keys of subjects: with parameters that distinguish it, without the quantity. */
  readonly subject?: string;
  /** Both sides for display: `93.0ms`, `linear`. */
  readonly from: string;
  readonly to: string;
  readonly rate: number;
  readonly relativeRate: number;
  readonly confidence: { readonly type: string; readonly rate: number };
  /** Full name of the checker, e.g. average_amount_threshold. */
  readonly method: string;
  readonly baseline?: VersionId;
  readonly target?: VersionId;
  /** The command and workload, joined by a blank. */
  readonly command?: string;
  /** The change by intervals of x, in order, if the checker evaluates intervals. */
  readonly intervals?: readonly ChangeInterval[];
  /** What limits the result, for users: a limit that the change does not reach, or why it is inconclusive. */
  readonly note?: string;
  /** The evidence, if the checker judges by statistics. */
  readonly evidence?: ChangeEvidence;
}

/** The relative change of a location with what supports it. */
export interface ChangeEvidence {
  /** The levels of both sides in `unit`, which is as the profile spells it; empty: none. */
  readonly levels: readonly [before: number, after: number];
  readonly unit: string;
  /** to / from - 1, and its confidence interval. */
  readonly delta: number;
  readonly deltaLow: number;
  readonly deltaHigh: number;
  /** The confidence of the interval; 1: the values repeat exactly. */
  readonly confidence: number;
  /** p-value of a change beyond the minimum effect, and the false discovery rate among all locations. */
  readonly p: number;
  readonly q: number;
  /** Number of values on both sides, and of earlier profiles from which the noise is known. */
  readonly values: readonly [before: number, after: number];
  readonly history: number;
  /** The change is the median ratio of pairs that one run measured in the same rounds. */
  readonly isPaired?: true;
}

/** An interval of x from `from` to `to`, with its change. */
export interface ChangeInterval {
  readonly result: ChangeResult;
  readonly rate: number;
  readonly from: number;
  readonly to: number;
}

/** True if a checker of statistics found neither a change nor that there is none. */
export function isUndecided({ result, evidence }: Pick<Change, "result" | "evidence">): boolean {
  return result === "Unknown" && evidence !== undefined;
}

export function isDegradation(change: Pick<Change, "result">): boolean {
  return change.result.endsWith("Degradation");
}

/** A relative change on Perun's ladder: up to 10 % none, up to 25 % a possible one. More is worse. */
export function resultOfShare(share: number, least = 0.1, certain = 0.25): ChangeResult {
  if (Number.isNaN(share)) return "Unknown";
  if (Math.abs(share) <= least) return "NoChange";
  if (Math.abs(share) <= certain) return share > 0 ? "MaybeDegradation" : "MaybeOptimization";
  return share > 0 ? "Degradation" : "Optimization";
}

export function isOptimization(change: Pick<Change, "result">): boolean {
  return change.result.endsWith("Optimization");
}

/** `+9.6 %`: a relative change with at least two significant digits. */
export function percentText(share: number): string {
  const percent = share * 100;
  if (!Number.isFinite(percent)) return Number.isNaN(percent) ? "unknown" : "from 0";
  const text = Math.abs(percent) < 100 ? String(Number(percent.toPrecision(2))) : percent.toFixed(0);
  return `${percent > 0 ? "+" : ""}${text} %`;
}
