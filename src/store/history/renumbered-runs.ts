import type { HistoryStep } from "./history-step.ts";

/** A run that has another number than before. */
export interface RenumberedRun {
  readonly before: number;
  /** Absent: its file gave another run, which stays. */
  readonly after?: number;
}

export function renumberedRuns(before: readonly HistoryStep[], after: readonly HistoryStep[]): RenumberedRun[] {
  if (after[0]?.change.kind === "purge-experiment") return [];
  const [was, is] = [numbersByRun(before), numbersByRun(after)];
  return [...was].flatMap(([run, number]): RenumberedRun[] => {
    const now = is.get(run);
    if (now === number) return [];
    return [now === undefined ? { before: number } : { before: number, after: now }];
  });
}

function numbersByRun(steps: readonly HistoryStep[]): Map<string, number> {
  return new Map(
    steps.flatMap(({ origin, change }) =>
      change.kind === "import"
        ? change.runs.map(({ number, was = number }) => [`${origin} ${was}`, number] as const)
        : [],
    ),
  );
}
