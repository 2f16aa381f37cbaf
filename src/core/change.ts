import type { VersionId } from "./digest.ts";

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

/** What a checker found about one location (uid) between a baseline and a target. */
export interface Change {
  readonly location: string;
  readonly result: ChangeResult;
  /** What kind of change: the profile type, a model class, or "-". */
  readonly type: string;
  /** The two sides as people read them: `93.0ms`, `linear`. */
  readonly from: string;
  readonly to: string;
  readonly rate: number;
  readonly relativeRate: number;
  readonly confidence: { readonly type: string; readonly rate: number };
  /** Full name of the checker, e.g. average_amount_threshold. */
  readonly method: string;
  readonly baseline?: VersionId;
  readonly target?: VersionId;
  /** The command and workload it was found for, joined by a blank. */
  readonly command?: string;
}

export function isDegradation(change: Change): boolean {
  return change.result.endsWith("Degradation");
}

export function isOptimization(change: Change): boolean {
  return change.result.endsWith("Optimization");
}
