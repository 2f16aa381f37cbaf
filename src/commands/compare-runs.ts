import { isDegradation, type Change } from "../core/change.ts";
import { textAt } from "../core/json.ts";
import type { Run } from "../core/run.ts";
import type { Value } from "../core/value.ts";
import type { CheckMethods } from "./check-methods.ts";

/** How to compare. */
export interface CheckMethod {
  /** Name of a checker; absent: what the configuration says. */
  readonly method?: string;
  /** perun: its numbers also where they rest on a defect. */
  readonly compat?: string;
}

export interface Comparison {
  readonly changes: readonly Change[];
  /** True when the two were measured on different machines (their fingerprints differ). */
  readonly otherMachine: boolean;
}

export function compareRuns(methods: CheckMethods, baseline: Run, target: Run, compat: string | undefined): Comparison {
  const options = new Map<string, Value>(compat === undefined ? [] : [["compat", compat]]);
  const [before, after] = [textAt(baseline.machine, "fingerprint"), textAt(target.machine, "fingerprint")];
  return {
    changes: methods.for(baseline).flatMap((checker) => checker.check(baseline, target, options)),
    otherMachine: before !== undefined && after !== undefined && before !== after,
  };
}

/** True when some change is a regression for certain: Maybe does not count. */
export function hasRegression(comparisons: readonly { readonly changes: readonly Change[] }[]): boolean {
  return comparisons.some(({ changes }) => changes.some((change) => isDegradation(change) && change.result !== "MaybeDegradation"));
}
