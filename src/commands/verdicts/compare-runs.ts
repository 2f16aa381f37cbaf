import { isDegradation, isUndecided, percentText, type Change } from "../../core/verdicts/index.ts";
import { textAt, type Value } from "../../core/values/index.ts";
import { sameMachine } from "../../core/measurements/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import { movedCosts } from "../../query/difference/index.ts";
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
  if (changes.length > 0 || compat === "perun" || methods.options.has("cutoff")) return undefined;
  const names = methods.for(baseline).map(({ name }) => name);
  return `they have nothing in common that ${names.join(", ")} ${names.length === 1 ? "compares" : "compare"}`;
}

/** `history`: earlier comparable runs, newest first, for methods that use them; the first is the baseline. */
export function compareRuns(
  methods: Pick<CheckMethods, "for" | "options" | "isWanted">,
  baseline: Run,
  target: Run,
  compat: string | undefined,
  history: readonly Run[] = [baseline],
): ProfileComparison {
  const options = new Map<string, Value>([
    ...methods.options,
    ...(compat === undefined ? [] : [["compat", compat] as const]),
  ]);
  const machines = [machineOf(baseline), machineOf(target)] as const;
  const relation = sameMachine(...machines);
  const changes = methods
    .for(baseline)
    .flatMap((checker) => checker.check(baseline, target, options, methods.isWanted, history));
  return {
    changes: withoutMoved(changes, baseline, target),
    otherMachine: relation === "other",
    unknownMachine: relation === "unknown" && machines.some((machine) => machine !== null),
  };
}

/** Changes that are judged by statistics are none if the cost only moved within a function that costs as much. */
function withoutMoved(changes: readonly Change[], baseline: Run, target: Run): readonly Change[] {
  const isChanged = ({ result, evidence }: Change): boolean =>
    evidence !== undefined && /gradation|imization/.test(result);
  if (!changes.some(isChanged)) return changes;
  const moved = movedCosts(baseline, target);
  if (moved.size === 0) return changes;
  return changes.map((change) => {
    // Rows of one function that differ in a quantity have labels after its name.
    const within = isChanged(change) ? moved.get(change.location.replace(/ \[[^[\]]*\]$/, "")) : undefined;
    if (within === undefined) return change;
    const size = percentText(change.evidence === undefined ? 0 : change.evidence.delta);
    return {
      ...change,
      result: "NoChange",
      note: `${size}: moved within ${within.name}, which costs as much as before`,
    };
  });
}

/** Whether nothing was compared, or the noise hides whether anything changed. */
export function isInconclusive({ changes, incomparable }: ProfileComparison): boolean {
  return incomparable !== undefined || (changes.length > 0 && changes.every(isUndecided));
}

/** Whether some change is a certain regression; `MaybeDegradation` does not count. */
export function hasRegression(comparisons: readonly { readonly changes: readonly Change[] }[]): boolean {
  return comparisons.some(({ changes }) =>
    changes.some((change) => isDegradation(change) && change.result !== "MaybeDegradation"),
  );
}
