import type { HistoryStep } from "./history-step.ts";

/** What others deleted of an experiment. */
export interface DeletedElsewhere {
  /** The experiment itself: so that it can be brought back, or for good. */
  readonly whole?: "hidden" | "dropped";
  /** Numbers of runs, ascending. */
  readonly runs: readonly number[];
}

/** What is deleted once all of these steps are done that was not before. */
export function deletedBy(steps: readonly HistoryStep[]): DeletedElsewhere {
  let whole: DeletedElsewhere["whole"];
  const runs = new Set<number>();
  for (const { change } of steps) {
    if (change.kind === "purge-experiment") whole = "dropped";
    else if (change.kind === "delete-experiment") whole = "hidden";
    else if (change.kind === "undelete-experiment") whole = undefined;
    else if (change.kind === "delete-runs") for (const run of change.runs) runs.add(run);
    else if (change.kind === "undelete-runs") for (const run of change.runs) runs.delete(run);
  }
  return { ...(whole === undefined ? {} : { whole }), runs: [...runs].toSorted((a, b) => a - b) };
}
