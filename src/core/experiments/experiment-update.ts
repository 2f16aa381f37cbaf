import type { Experiment } from "./experiment.ts";
import type { Unit } from "../values/unit.ts";
import type { Variable } from "../variables/variable.ts";

/** What becomes of one variable. Names are those before the update. */
export type ResolvedChange =
  | { readonly kind: "add"; readonly variable: Variable }
  | { readonly kind: "drop"; readonly name: string }
  | ({ readonly kind: "alter"; readonly name: string } & VariableAlteration);

/** `auto` alters the variable where the experiment has it, and adds it where not: `settledChanges` decides. */
export type VariableChange = ResolvedChange | ({ readonly kind: "auto"; readonly name: string } & VariableAlteration);

/**
 * What of a variable changes; absent: it stays; null: it is taken away. Contents are texts: what they mean depends on
 * the type of the variable, which only the experiment knows.
 */
export interface VariableAlteration {
  readonly newName?: string;
  readonly role?: Variable["role"];
  /** Type, size and occurrence cannot change: stated of a variable that has others, they are refused. */
  readonly type?: Variable["type"];
  readonly size?: Variable["size"];
  readonly occurrence?: Variable["occurrence"];
  /** `none`: content becomes mandatory. */
  readonly default?: { readonly content: string | null } | "none";
  readonly unit?: Unit | null;
  readonly synopsis?: string | null;
  readonly description?: string | null;
  /** More valid contents, these alone, or any. */
  readonly valid?: { readonly add: readonly string[] } | { readonly only: readonly string[] } | "any";
  readonly longest?: number | null;
  readonly numeric?: boolean;
  readonly better?: Variable["better"] | null;
}

/** Levels of access, each of which includes those before it. */
export const accessLevels = ["read", "write", "admin"] as const;

export interface AccessChange {
  readonly action: "grant" | "revoke";
  readonly level: (typeof accessLevels)[number];
  /** As in an experiment: a leading `@` marks a group. */
  readonly who: string;
}

/** What is told about the experiment as a whole, in the order in which it is printed. */
export const aboutFields = ["synopsis", "description", "performedBy", "organization", "project"] as const;

/** A change of an experiment: all of it happens, or nothing. */
export interface ExperimentUpdate {
  readonly experiment: string;
  /** Absent: it stays; null: it is taken away. */
  readonly about: { readonly [Field in (typeof aboutFields)[number]]?: Experiment[Field] | null };
  readonly changes: readonly VariableChange[];
  readonly access: readonly AccessChange[];
}
