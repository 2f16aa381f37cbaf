import type { ChangeColumns } from "../../core/pages/columns.ts";
import type { ChangeLine } from "../../core/pages/overview.ts";
import type { TriagedVerdict } from "../../core/verdicts/triage.ts";
import { type Verdict, verdictOutcomes } from "../../core/verdicts/verdict.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import type { PagedSeries } from "./paged-series.ts";
import { unitText } from "./series-columns.ts";

/** Values that a small picture has room for. */
const sparkPoints = 60;

/**
 * The most important changes, as the overview lists them. `judged`: worst first; `places`: of series by their keys;
 * `subjectOf`: the first line of the message of a version.
 */
export function changeLines(
  judged: readonly TriagedVerdict[],
  series: readonly PagedSeries[],
  positions: ReadonlyMap<string, number>,
  subjectOf: (version: VersionId) => string,
  most: number,
): ChangeLine[] {
  return reportedChanges(judged, positions)
    .slice(0, most)
    .map(({ verdict, triage }) => {
      const { subject, word, delta, deltaLow, deltaHigh, p, q, since } = verdict;
      const at = positions.get(subject.key) as number;
      return {
        series: at,
        key: subject.key,
        benchmark: subject.benchmark,
        metric: subject.metric,
        unit: unitText(subject.unit),
        word,
        delta,
        deltaLow,
        deltaHigh,
        p,
        q,
        since:
          since === null
            ? null
            : {
                before: since.before,
                after: since.after,
                suspects: since.suspects.length,
                subject: subjectOf(since.after),
              },
        triage: triage?.state ?? null,
        spark: [...(series[at]?.line.values.slice(-sparkPoints) ?? [])],
      };
    });
}

/** What is news, of series that pages show. */
export function reportedChanges(
  judged: readonly TriagedVerdict[],
  positions: ReadonlyMap<string, number>,
): readonly TriagedVerdict[] {
  return judged.filter(({ verdict }) => isReported(verdict) && positions.has(verdict.subject.key));
}

/** Of what is uncertain, what could be compared: too few values are no news. */
function isReported({ word, before }: Verdict): boolean {
  return word === "worse" || word === "better" || (word === "inconclusive" && before !== null);
}

/** All changes. `judged`: worst first; `places`: of series by their keys; `order`: places of versions in history. */
export function changeColumns(
  judged: readonly TriagedVerdict[],
  positions: ReadonlyMap<string, number>,
  order: ReadonlyMap<VersionId, number>,
): ChangeColumns {
  const told = reportedChanges(judged, positions);
  const numbers = (of: (verdict: Verdict) => number | null): Float64Array =>
    Float64Array.from(told, ({ verdict }) => of(verdict) ?? Number.NaN);
  const whole = (of: (verdict: Verdict) => number): Int32Array => Int32Array.from(told, ({ verdict }) => of(verdict));
  const placeOf = (version: VersionId | null | undefined): number => (version ? (order.get(version) ?? -1) : -1);
  return {
    facts: {
      words: verdictOutcomes,
      triage: told.flatMap(({ triage }, position) => (triage === null ? [] : [[position, triage.state] as const])),
    },
    arrays: {
      series: whole(({ subject }) => positions.get(subject.key) as number),
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
