import type { VersionId } from "../versions/digest.ts";

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
  /** What it is in the parts of x, in their order, where the checker looks at parts. */
  readonly intervals?: readonly ChangeInterval[];
}

/** A part of x: what changed between the places `from` and `to`, and how much. */
export interface ChangeInterval {
  readonly result: ChangeResult;
  readonly rate: number;
  readonly from: number;
  readonly to: number;
}

export function isDegradation(change: Pick<Change, "result">): boolean {
  return change.result.endsWith("Degradation");
}

/** A share of change as Perun's ladder has it: within 10 % none, within 25 % perhaps one. More is worse. */
export function resultOfShare(share: number, least = 0.1, certain = 0.25): ChangeResult {
  if (Number.isNaN(share)) return "Unknown";
  if (Math.abs(share) <= least) return "NoChange";
  if (Math.abs(share) <= certain) return share > 0 ? "MaybeDegradation" : "MaybeOptimization";
  return share > 0 ? "Degradation" : "Optimization";
}

export function isOptimization(change: Pick<Change, "result">): boolean {
  return change.result.endsWith("Optimization");
}
