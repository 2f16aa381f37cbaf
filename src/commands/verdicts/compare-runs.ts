import { isDegradation, type Change } from "../../core/verdicts/change.ts";
import { textAt } from "../../core/values/json.ts";
import { sameMachine } from "../../core/measurements/machine-relation.ts";
import type { Run } from "../../core/profiles/run.ts";
import type { Value } from "../../core/values/value.ts";
import type { CheckMethods } from "./check-methods.ts";

export interface Comparison {
  readonly changes: readonly Change[];
  /** True when the two were measured on different machines (their fingerprints differ). */
  readonly otherMachine: boolean;
  /** True when of one of the two it is not known where it was measured, and of the other it is. */
  readonly unknownMachine: boolean;
  /** Why the two were not compared; absent: they were. */
  readonly incomparable?: string;
}

/** Said of pairs of different machines. */
export const machinesDiffer = "they were measured on different machines (--any-machine compares them)";

/** The machine that a run was measured on; null: it does not tell. */
export function machineOf({ machine }: Run): string | null {
  return textAt(machine, "fingerprint") ?? null;
}

/** Where a run or method leaves nothing to compare; Perun takes that for no change. */
export function nothingCompared(
  methods: CheckMethods,
  baseline: Run,
  { changes }: Comparison,
  compat: string | undefined,
): string | undefined {
  // What a cut-off leaves out was compared.
  if (changes.length > 0 || compat === "perun" || methods.options.has("cutoff")) return undefined;
  const names = methods.for(baseline).map(({ name }) => name);
  return `they have nothing in common that ${names.join(", ")} ${names.length === 1 ? "compares" : "compare"}`;
}

export function compareRuns(methods: CheckMethods, baseline: Run, target: Run, compat: string | undefined): Comparison {
  const options = new Map<string, Value>([
    ...methods.options,
    ...(compat === undefined ? [] : [["compat", compat] as const]),
  ]);
  const machines = [machineOf(baseline), machineOf(target)] as const;
  const relation = sameMachine(...machines);
  return {
    changes: methods.for(baseline).flatMap((checker) => checker.check(baseline, target, options, methods.isWanted)),
    otherMachine: relation === "other",
    unknownMachine: relation === "unknown" && machines.some((machine) => machine !== null),
  };
}

/** True when some change is a regression for certain: Maybe does not count. */
export function hasRegression(comparisons: readonly { readonly changes: readonly Change[] }[]): boolean {
  return comparisons.some(({ changes }) =>
    changes.some((change) => isDegradation(change) && change.result !== "MaybeDegradation"),
  );
}
