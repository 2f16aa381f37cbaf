import type { VersionId } from "../../core/versions/digest.ts";
import type { ChangeLine } from "../../core/pages/overview.ts";
import type { TriagedVerdict } from "../../core/verdicts/triage.ts";
import type { Verdict } from "../../core/verdicts/verdict.ts";
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
  places: ReadonlyMap<string, number>,
  subjectOf: (version: VersionId) => string,
  most: number,
): ChangeLine[] {
  return toldChanges(judged, places)
    .slice(0, most)
    .map(({ verdict, triage }) => {
      const { subject, word, delta, deltaLow, deltaHigh, p, q, since } = verdict;
      const at = places.get(subject.key) as number;
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
export function toldChanges(
  judged: readonly TriagedVerdict[],
  places: ReadonlyMap<string, number>,
): readonly TriagedVerdict[] {
  return judged.filter(({ verdict }) => isTold(verdict) && places.has(verdict.subject.key));
}

/** Of what is uncertain, what could be compared: too few values are no news. */
function isTold({ word, before }: Verdict): boolean {
  return word === "worse" || word === "better" || (word === "inconclusive" && before !== null);
}
