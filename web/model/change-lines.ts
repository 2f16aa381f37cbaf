import type { ChangeColumns, SeriesColumns } from "../../src/core/pages/index.ts";
import type { VerdictOutcome } from "../../src/core/verdicts/index.ts";
import { seriesLine, type SeriesLine } from "./series-lines.ts";

/** A detected change of a series. */
export interface DetectedChange {
  readonly series: SeriesLine;
  readonly word: VerdictOutcome;
  /** null: not available. */
  readonly delta: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly p: number | null;
  readonly q: number | null;
  /** Indexes of commits, -1 if unknown. */
  readonly before: number;
  readonly after: number;
  readonly suspects: number;
  /** The triage state and note. */
  readonly triage: string | null;
}

export function detectedChange({ facts, arrays }: ChangeColumns, series: SeriesColumns, at: number): DetectedChange {
  const number = (column: "delta" | "low" | "high" | "p" | "q"): number | null => {
    const value = arrays[column][at] ?? Number.NaN;
    return Number.isNaN(value) ? null : value;
  };
  return {
    series: seriesLine(series, arrays.series[at] ?? -1),
    word: facts.words[arrays.word[at] ?? -1] ?? "inconclusive",
    delta: number("delta"),
    low: number("low"),
    high: number("high"),
    p: number("p"),
    q: number("q"),
    before: arrays.before[at] ?? -1,
    after: arrays.after[at] ?? -1,
    suspects: arrays.suspects[at] ?? 0,
    triage: facts.triage.find(([index]) => index === at)?.[1] ?? null,
  };
}

/** Indexes of the changes of a commit or a series, worst first. */
export function changesOf({ arrays }: ChangeColumns, of: "after" | "series", index: number): number[] {
  const indexes: number[] = [];
  for (let at = arrays[of].indexOf(index); at >= 0; at = arrays[of].indexOf(index, at + 1)) indexes.push(at);
  return indexes;
}

/** Number of changes of each commit, by its index. */
export function changeCounts({ arrays }: ChangeColumns): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const version of arrays.after) if (version >= 0) counts.set(version, (counts.get(version) ?? 0) + 1);
  return counts;
}
