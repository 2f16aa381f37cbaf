import type { VersionId } from "../versions/digest.ts";
import type { Unit } from "../values/unit.ts";

/** What the costs of two profiles are compared by. */
export const differenceGroupings = ["function", "file", "stack"] as const;

export type DifferenceGrouping = (typeof differenceGroupings)[number];

/** A function as profiles name it, without lines, which move from version to version. */
export interface CodeLocation {
  /** Of `file`: the file; of `stack`: the calls, outermost first, joined by `;`. */
  readonly name: string;
  /** Source file, else module or binary; null: not known. */
  readonly file: string | null;
}

/** What something costs by itself, and with all it calls. By file or stack both are the same. */
export interface Cost {
  readonly self: number;
  readonly inclusive: number;
}

export interface CostChange extends CodeLocation {
  /** null: it is not in that profile (not always 0: a function that only calls others has no cost of its own). */
  readonly before: Cost | null;
  readonly after: Cost | null;
  /** after - before of what it costs by itself. */
  readonly change: number;
  /**
   * `change` as a share of all that changed, up and down; these shares add up to 1 without regard to sign. 0 where
   * nothing changed.
   */
  readonly share: number;
  /** What it was called before, where another name or file was recognised. */
  readonly renamedFrom: CodeLocation | null;
  /**
   * The function whose cost with all it calls stayed the same: cost only moved within it. It may be the function
   * itself. null: none such.
   */
  readonly movedWithin: CodeLocation | null;
}

/** The difference of two profiles in one quantity. */
export interface ProfileDifference {
  /** What is counted: an event, the kind of time, `memory`. */
  readonly metric: string;
  readonly unit: Unit | undefined;
  readonly by: DifferenceGrouping;
  /** True: what is before was scaled so that it has the total of what is after. */
  readonly isNormalised: boolean;
  /** The whole cost of each profile, not scaled, as a mean of its repetitions. */
  readonly before: number;
  readonly after: number;
  /** The greatest share first. */
  readonly rows: readonly CostChange[];
  /** Rows with a change that are left out as too small or too many. */
  readonly omitted: number;
}

/** One of two profiles that were compared. */
export interface DifferenceSide {
  /** Name of the file or in the index. */
  readonly profile: string;
  /** null: the version is not known. */
  readonly version: VersionId | null;
}

/** Two profiles and how they differ. */
export interface ComparedProfiles {
  /** Collector, command and workload, as people read them; of the target. */
  readonly configuration: string;
  readonly base: DifferenceSide;
  readonly target: DifferenceSide;
  /** True when the two were measured on different machines. */
  readonly otherMachine: boolean;
  /** One for each quantity that both count. */
  readonly differences: readonly ProfileDifference[];
}

/** Profiles of two versions. */
export interface ComparedVersions {
  readonly compared: readonly ComparedProfiles[];
  /** Configurations that only one of the versions has profiles of. */
  readonly onlyBase: readonly string[];
  readonly onlyTarget: readonly string[];
}
