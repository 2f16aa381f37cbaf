import type { ChangeColumns, SeriesColumns } from "../../src/core/pages/columns.ts";
import type { VerdictOutcome } from "../../src/core/verdicts/verdict.ts";
import { seriesLine, type SeriesLine } from "./series-lines.ts";

/** A change of a series, as lists show it. */
export interface FoundChange {
  readonly series: SeriesLine;
  readonly word: VerdictOutcome;
  /** null: there is none. */
  readonly delta: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly p: number | null;
  readonly q: number | null;
  /** Places in the list of versions, -1 where it is not known. */
  readonly before: number;
  readonly after: number;
  readonly suspects: number;
  /** What somebody decided about it. */
  readonly triage: string | null;
}

export function foundChange({ facts, arrays }: ChangeColumns, series: SeriesColumns, at: number): FoundChange {
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
    triage: facts.triage.find(([place]) => place === at)?.[1] ?? null,
  };
}

/** Places of the changes of a version, or of a series, worst first. */
export function changesOf({ arrays }: ChangeColumns, of: "after" | "series", place: number): number[] {
  const found: number[] = [];
  for (let at = arrays[of].indexOf(place); at >= 0; at = arrays[of].indexOf(place, at + 1)) found.push(at);
  return found;
}

/** How many changes each version made, by its place in the list. */
export function changeCounts({ arrays }: ChangeColumns): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const version of arrays.after) if (version >= 0) counts.set(version, (counts.get(version) ?? 0) + 1);
  return counts;
}
