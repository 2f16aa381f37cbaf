import { isDegradation, type Change } from "../core/change.ts";
import { textAt } from "../core/json.ts";
import type { Run } from "../core/run.ts";
import type { Value } from "../core/value.ts";
import type { CheckMethods } from "./check-methods.ts";

export interface Comparison {
  readonly changes: readonly Change[];
  /** True when the two were measured on different machines (their fingerprints differ). */
  readonly otherMachine: boolean;
}

export function compareRuns(methods: CheckMethods, baseline: Run, target: Run, compat: string | undefined): Comparison {
  const options = new Map<string, Value>([...methods.options, ...(compat === undefined ? [] : [["compat", compat] as const])]);
  const [before, after] = [textAt(baseline.machine, "fingerprint"), textAt(target.machine, "fingerprint")];
  return {
    changes: methods.for(baseline).flatMap((checker) => checker.check(baseline, target, options, methods.isWanted)),
    otherMachine: before !== undefined && after !== undefined && before !== after,
  };
}

/** True when some change is a regression for certain: Maybe does not count. */
export function hasRegression(comparisons: readonly { readonly changes: readonly Change[] }[]): boolean {
  return comparisons.some(({ changes }) => changes.some((change) => isDegradation(change) && change.result !== "MaybeDegradation"));
}
