import type { Experiment } from "./experiment.ts";
import type { Unit } from "./unit.ts";
import type { Value } from "./value.ts";
import type { Variable } from "./variable.ts";

/** What becomes of one variable. Names are those before the update. */
export type VariableChange =
  | { readonly kind: "add"; readonly variable: Variable }
  | { readonly kind: "drop"; readonly name: string }
  | ({ readonly kind: "alter"; readonly name: string } & VariableAlteration);

/** What of a variable changes; absent: it stays. Its data type and its occurrence cannot change. */
export interface VariableAlteration {
  readonly newName?: string;
  readonly role?: Variable["role"];
  /** `none`: content becomes mandatory. */
  readonly default?: { readonly content: Value } | "none";
  readonly unit?: Unit;
  readonly synopsis?: string;
  readonly description?: string;
  /** Added to the valid contents. */
  readonly valid?: readonly Value[];
  readonly longest?: number;
  readonly better?: Variable["better"];
}

export interface AccessChange {
  readonly action: "grant" | "revoke";
  readonly level: "read" | "write" | "admin";
  /** As in an experiment: a leading `@` marks a group. */
  readonly who: string;
}

/** A change of an experiment: all of it happens, or nothing. */
export interface ExperimentUpdate {
  readonly experiment: string;
  readonly about: Partial<Pick<Experiment, "synopsis" | "description" | "performedBy" | "organization" | "project">>;
  readonly changes: readonly VariableChange[];
  readonly access: readonly AccessChange[];
}
