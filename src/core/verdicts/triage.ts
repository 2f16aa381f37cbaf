import type { VersionId } from "../versions/digest.ts";
import type { Verdict } from "./verdict.ts";

/**
 * What people decided about a subject. accepted: it got worse and may stay so; expected: it is known that it will get
 * worse; fixed: it got worse and was repaired, and shall not come back; went-away: it got worse and was well again by
 * itself; renamed: it has another key now.
 */
export const triageStates = ["accepted", "expected", "fixed", "went-away", "renamed"] as const;

export type TriageState = (typeof triageStates)[number];

/** Which versions an entry speaks of, by the beginnings (7 digits at least) of their ids. */
export type TriageScope =
  | { readonly kind: "any" }
  | { readonly kind: "version"; readonly version: string }
  /** Those behind `after` up to and with `until`; null: no bound there. */
  | { readonly kind: "range"; readonly after: string | null; readonly until: string | null };

/** A line of the file of decisions. */
export interface TriageEntry {
  /** `Subject.key` of the thing. */
  readonly key: string;
  readonly scope: TriageScope;
  readonly state: TriageState;
  /** The new key of what was renamed; null for all others. */
  readonly to: string | null;
  /** Who, when and why, as somebody wrote it. One line, perhaps empty. */
  readonly note: string;
}

/** What a decision makes of a verdict; came-back: what was fixed is worse again. */
export interface TriageMark {
  readonly state: Exclude<TriageState, "renamed"> | "came-back";
  readonly note: string;
}

/** A verdict in the light of the decisions. */
export interface TriagedVerdict {
  readonly verdict: Verdict;
  /** null: nobody decided anything about it. */
  readonly triage: TriageMark | null;
  /** Whether it makes the check fail: it is worse, and no decision says that it may be. */
  readonly fails: boolean;
}

/** The scope as it stands in the file: `*`, a version, or two with `..` between. */
export function scopeText(scope: TriageScope): string {
  if (scope.kind === "any") return "*";
  return scope.kind === "version" ? scope.version : `${scope.after ?? ""}..${scope.until ?? ""}`;
}

/** The place of a version in history by the beginning of its id; -1 where it is not in it. */
export function positionOf(order: readonly VersionId[], beginning: string): number {
  return order.findIndex((id) => id.startsWith(beginning));
}
