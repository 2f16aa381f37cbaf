import type { VersionId } from "../versions/index.ts";
import type { Unit } from "../values/index.ts";

/** Groupings of the costs of two profiles. */
export const differenceGroupings = ["function", "file", "stack"] as const;

export type DifferenceGrouping = (typeof differenceGroupings)[number];

/** A function, file or stack. Without lines, which move from commit to commit. */
export interface CodeLocation {
  /** For `file`: the file; for `stack`: the calls, outermost first, joined by `;`. */
  readonly name: string;
  /** Source file, else module or binary; null: unknown. */
  readonly file: string | null;
}

/** The cost without and with callees. Grouped by file or stack both are equal. */
export interface Cost {
  readonly self: number;
  readonly inclusive: number;
}

export interface CostChange extends CodeLocation {
  /** null: not in that profile (unlike 0: a function that only calls others has no cost of its own). */
  readonly before: Cost | null;
  readonly after: Cost | null;
  /** after - before of `self`. */
  readonly change: number;
  /** `change` as a share of all changes, up and down: the absolute values add up to 1. 0 if nothing changed. */
  readonly share: number;
  /** The former name or file, if a rename was recognised. */
  readonly renamedFrom: CodeLocation | null;
  /**
   * The function whose inclusive cost is unchanged: cost only moved within it. It may be the function itself. null:
   * none.
   */
  readonly movedWithin: CodeLocation | null;
  /** Of pooled profiles: the change in standard errors, without what all functions have in common. */
  readonly score?: number;
}

/** The difference of two profiles in one quantity. */
export interface ProfileDifference {
  /** The counted quantity: an event, the kind of time, `memory`. */
  readonly metric: string;
  readonly unit: Unit | undefined;
  readonly by: DifferenceGrouping;
  /** True: `before` was scaled to the total of `after`. */
  readonly isNormalised: boolean;
  /** The total cost of each profile, not scaled: the mean of its repetitions. */
  readonly before: number;
  readonly after: number;
  /** The greatest share first. */
  readonly rows: readonly CostChange[];
  /** Changed rows that are omitted as too small or too many. */
  readonly omitted: number;
  /** Of pooled profiles: their number on both sides, and the change that all functions share, as a share. */
  readonly pooled?: { readonly before: number; readonly after: number; readonly common: number };
}

/** One of two compared profiles. */
export interface DifferenceSide {
  /** Name of the file or in the index. */
  readonly profile: string;
  /** null: the commit is unknown. */
  readonly version: VersionId | null;
}

/** Two profiles and their differences. */
export interface ComparedProfiles {
  /** Collector, command and workload of the target, for display. */
  readonly configuration: string;
  readonly base: DifferenceSide;
  readonly target: DifferenceSide;
  /** True when the two were measured on different machines. */
  readonly otherMachine: boolean;
  /** One for each quantity that both have. */
  readonly differences: readonly ProfileDifference[];
}

/** The compared profiles of two commits. */
export interface ComparedVersions {
  readonly compared: readonly ComparedProfiles[];
  /** Configurations with profiles of only one commit. */
  readonly onlyBase: readonly string[];
  readonly onlyTarget: readonly string[];
}
