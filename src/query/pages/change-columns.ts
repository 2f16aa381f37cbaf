import type { VersionId } from "../../core/versions/digest.ts";
import type { ChangeColumns } from "../../core/pages/columns.ts";
import type { TriagedVerdict } from "../../core/verdicts/triage.ts";
import { type Verdict, verdictOutcomes } from "../../core/verdicts/verdict.ts";
import { toldChanges } from "./change-lines.ts";

/** All changes. `judged`: worst first; `places`: of series by their keys; `order`: places of versions in history. */
export function changeColumns(
  judged: readonly TriagedVerdict[],
  places: ReadonlyMap<string, number>,
  order: ReadonlyMap<VersionId, number>,
): ChangeColumns {
  const told = toldChanges(judged, places);
  const numbers = (of: (verdict: Verdict) => number | null): Float64Array =>
    Float64Array.from(told, ({ verdict }) => of(verdict) ?? Number.NaN);
  const whole = (of: (verdict: Verdict) => number): Int32Array => Int32Array.from(told, ({ verdict }) => of(verdict));
  const placeOf = (version: VersionId | null | undefined): number => (version ? (order.get(version) ?? -1) : -1);
  return {
    facts: {
      words: verdictOutcomes,
      triage: told.flatMap(({ triage }, place) => (triage === null ? [] : [[place, triage.state] as const])),
    },
    arrays: {
      series: whole(({ subject }) => places.get(subject.key) as number),
      word: Uint8Array.from(told, ({ verdict }) => verdictOutcomes.indexOf(verdict.word)),
      delta: numbers(({ delta }) => delta),
      low: numbers(({ deltaLow }) => deltaLow),
      high: numbers(({ deltaHigh }) => deltaHigh),
      p: numbers(({ p }) => p),
      q: numbers(({ q }) => q),
      before: whole(({ since }) => placeOf(since?.before)),
      after: whole(({ since }) => placeOf(since?.after)),
      suspects: whole(({ since }) => since?.suspects.length ?? 0),
    },
  };
}
