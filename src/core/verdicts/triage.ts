import type { VersionId } from "../versions/index.ts";
import type { Verdict } from "./verdict.ts";

/**
 * Decisions about a subject. accepted: a regression that may stay; expected: a regression that will come; fixed: a
 * repaired regression that must not come back; went-away: a regression that disappeared by itself; renamed: it has
 * another key now.
 */
export const triageStates = ["accepted", "expected", "fixed", "went-away", "renamed"] as const;

export type TriageState = (typeof triageStates)[number];

/** The commits of an entry, by prefixes (at least 7 digits) of their ids. */
export type TriageScope =
  | { readonly kind: "any" }
  | { readonly kind: "version"; readonly version: string }
  /** Commits after `after`, up to and including `until`; null: no bound. */
  | { readonly kind: "range"; readonly after: string | null; readonly until: string | null };

/** A line of the triage file. */
export interface TriageEntry {
  /** `Subject.key`. */
  readonly key: string;
  readonly scope: TriageScope;
  readonly state: TriageState;
  /** The new key of a renamed subject; null for other states. */
  readonly to: string | null;
  /** Who, when and why, as written by the user. One line, may be empty. */
  readonly note: string;
}

/** The decision that applies to a verdict; came-back: a fixed regression is back. */
export interface TriageMark {
  readonly state: Exclude<TriageState, "renamed"> | "came-back";
  readonly note: string;
}

/** A verdict with the decision about it. */
export interface TriagedVerdict {
  readonly verdict: Verdict;
  /** null: no decision. */
  readonly triage: TriageMark | null;
  /** Whether it makes the check fail: it is worse and no decision permits that. */
  readonly fails: boolean;
}

/** The scope as written in the file: `*`, a commit, or two joined by `..`. */
export function scopeText(scope: TriageScope): string {
  if (scope.kind === "any") return "*";
  return scope.kind === "version" ? scope.version : `${scope.after ?? ""}..${scope.until ?? ""}`;
}

/** The index in history of the commit with this id prefix; -1 if there is none. */
export function positionOf(order: readonly VersionId[], prefix: string): number {
  return order.findIndex((id) => id.startsWith(prefix));
}
