import type { Experiment, ExperimentComments } from "./experiment.ts";
import type { Unit } from "../values/index.ts";
import type { Variable } from "../variables/index.ts";

/** The change of one variable. Names are those before the update. */
export type ResolvedChange =
  | { readonly kind: "add"; readonly variable: Variable }
  | { readonly kind: "drop"; readonly name: string }
  | ({ readonly kind: "alter"; readonly name: string } & VariableAlteration);

/** `auto` alters an existing variable or adds a new one: `resolveChanges` decides. */
export type VariableChange = ResolvedChange | ({ readonly kind: "auto"; readonly name: string } & VariableAlteration);

/**
 * Changed fields of a variable; absent: unchanged; null: removed. Values are texts, since only the experiment knows the
 * type of the variable.
 */
export interface VariableAlteration {
  readonly newName?: string;
  readonly role?: Variable["role"];
  /** Type, size and occurrence cannot change: different ones are refused. */
  readonly type?: Variable["type"];
  readonly size?: Variable["size"];
  readonly occurrence?: Variable["occurrence"];
  /** `none`: a value becomes mandatory. */
  readonly default?: { readonly value: string | null } | "none";
  readonly unit?: Unit | null;
  readonly synopsis?: string | null;
  readonly description?: string | null;
  /** Additional valid values, only these, or any. */
  readonly valid?: { readonly add: readonly string[] } | { readonly only: readonly string[] } | "any";
  readonly longest?: number | null;
  readonly numeric?: boolean;
  readonly better?: Variable["better"] | null;
}

/** Levels of access; each includes the previous ones. */
export const accessLevels = ["read", "write", "admin"] as const;

export interface AccessChange {
  readonly action: "grant" | "revoke";
  readonly level: (typeof accessLevels)[number];
  /** As in an experiment: a leading `@` marks a group. */
  readonly who: string;
}

/** Descriptive fields of an experiment, in the order of printing. */
export const aboutFields = ["synopsis", "description", "performedBy", "organization", "project"] as const;

/** An update of an experiment, applied completely or not at all. */
export interface ExperimentUpdate {
  readonly experiment: string;
  /** Absent: unchanged; null: removed. */
  readonly about: { readonly [Field in (typeof aboutFields)[number]]?: Experiment[Field] | null };
  readonly changes: readonly VariableChange[];
  readonly access: readonly AccessChange[];
  /** All comments of the new description; null: none; absent: unchanged. */
  readonly comments?: ExperimentComments | null;
  /** Keep numbers when a unit changes, also in defaults and valid values; else they are converted. */
  readonly relabel?: boolean;
}
