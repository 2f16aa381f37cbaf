import type { Experiment } from "../../core/experiments/index.ts";
import type { Digest } from "../../core/versions/index.ts";
import {
  experimentJson,
  type DescribedChange,
  type LedgerChange,
  type SharedValue,
} from "../../formats/store/index.ts";

/** A change of an experiment in its shared history, with runs by number and variables by key. */
export type HistoryChange =
  | DescribedStep
  | { readonly kind: "store-parameters"; readonly set: string; readonly contents: readonly SharedValue[] }
  | Exclude<LedgerChange, DescribedChange | { readonly kind: "store-parameters" | "spend-numbers" | "mend" }>;

/** The complete description after the change, and the keys of its variables. */
export interface DescribedStep {
  readonly kind: "create-experiment" | "update-experiment";
  readonly description: Experiment;
  readonly keys: readonly string[];
  /** Converts stored numbers of variables with another unit. */
  readonly converts?: true;
}

export interface HistoryStep {
  /** The ledger entry of the original change. */
  readonly origin: Digest;
  /** Microseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  readonly change: HistoryChange;
}

/** Equal for steps with the same effect, apart from the name of the experiment. */
export function comparableStep({ origin, time, change }: HistoryStep): string {
  return JSON.stringify([origin, time, comparable(change)], sortedKeys);
}

function comparable(change: HistoryChange): unknown {
  switch (change.kind) {
    case "create-experiment":
    case "update-experiment":
      return [change.kind, experimentJson({ ...change.description, name: "" }), change.keys, change.converts === true];
    case "undelete-experiment":
      return [change.kind];
    case "import":
      return { ...change, runs: change.runs.map((run) => ({ ...run, was: undefined })) };
    default:
      return change;
  }
}

function sortedKeys(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The length of the common prefix of two histories. */
export function commonPrefixLength(done: readonly HistoryStep[], steps: readonly HistoryStep[]): number {
  let common = 0;
  while (
    common < done.length &&
    common < steps.length &&
    comparableStep(done[common]!) === comparableStep(steps[common]!)
  )
    common += 1;
  return common;
}

/** The shared name of the experiment if a step that is not in `done` renames it; the local name may differ. */
export function newSharedName(steps: readonly HistoryStep[], done: ReadonlySet<Digest>): string | undefined {
  let [current, renamed]: (string | undefined)[] = [];
  for (const { origin, change } of steps) {
    const name: string | undefined =
      change.kind === "undelete-experiment" ? change.name : "description" in change ? change.description.name : current;
    if (current !== undefined && name !== current && !done.has(origin)) renamed = name;
    current = name;
  }
  return renamed;
}
