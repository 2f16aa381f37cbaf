import { isDegradation, type Change } from "../../core/verdicts/change.ts";
import { textAt } from "../../core/values/json.ts";
import { sameMachine } from "../../core/measurements/machine-relation.ts";
import type { Run } from "../../core/profiles/run.ts";
import type { Value } from "../../core/values/value.ts";
import type { CheckMethods } from "./check-methods.ts";

export interface ProfileComparison {
  readonly changes: readonly Change[];
  /** The runs were measured on different machines (different fingerprints). */
  readonly otherMachine: boolean;
  /** The machine of exactly one of the runs is unknown. */
  readonly unknownMachine: boolean;
  /** Why the runs were not compared; absent if they were. */
  readonly incomparable?: string;
}

/** Reason for pairs measured on different machines. */
export const differentMachines = "they were measured on different machines (--any-machine compares them)";

/** Machine fingerprint of a run; null: unknown. */
export function machineOf({ machine }: Run): string | null {
  return textAt(machine, "fingerprint") ?? null;
}

/** Reason why a method had nothing to compare; undefined if it had. Perun reports no change instead. */
export function emptyComparisonReason(
  methods: CheckMethods,
  baseline: Run,
  { changes }: ProfileComparison,
  compat: string | undefined,
): string | undefined {
  // Functions below the cut-off were compared.