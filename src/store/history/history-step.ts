import type { Digest } from "../../core/versions/digest.ts";
import type { Experiment } from "../../core/experiments/experiment.ts";
import type { DescribedChange, LedgerChange } from "../../formats/store/experiments/ledger.ts";
import { experimentJson } from "../../formats/store/experiments/experiment-json.ts";
import type { SharedContent } from "../../formats/store/sharing/experiment-change.ts";

/** A change of one experiment in the terms of its history: runs by number, variables by key. */
export type HistoryChange =
  | DescribedStep
  | { readonly kind: "store-parameters"; readonly set: string; readonly contents: readonly SharedContent[] }
  | Exclude<LedgerChange, DescribedChange | { readonly kind: "store-parameters" | "spend-numbers" | "mend" }>;

/** The whole description as it is afterwards, and the keys of its variables. */
export interface DescribedStep {
  readonly kind: "create-experiment" | "update-experiment";
  readonly description: Experiment;
  readonly keys: readonly string[];
}

export interface HistoryStep {
  /** The entry by which the change was made at first. */
  readonly origin: Digest;
  /** Microseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  readonly change: HistoryChange;
}

/** Steps with the same text leave the same contents behind, whatever the experiment is called. */
export function comparableStep({ origin, time, change }: HistoryStep): string {
  return JSON.stringify([origin, time, comparable(change)], sortedKeys);
}

function comparable(change: HistoryChange): unknown {
  switch (change.kind) {
    case "create-experiment":
    case "update-experiment":
      return [change.kind, experimentJson({ ...change.description, name: "" }), change.keys];
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
