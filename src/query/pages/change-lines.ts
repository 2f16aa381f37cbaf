import type { ChangeColumns, ChangeLine } from "../../core/pages/index.ts";
import { type TriagedVerdict, type Verdict, verdictOutcomes } from "../../core/verdicts/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import type { PagedSeries } from "./paged-series.ts";
import { unitText } from "./series-columns.ts";

/** Most values of a sparkline, and how many of them precede the change. */
const [sparkPoints, pointsBefore] = [60, 20];

/**
 * The values of a sparkline from before its change to the newest one, and the index of the first value after the
 * change (null: none). A window that is too long keeps the values around the change and thins the others evenly.
 */
function sparkOf(
  { values, origins }: PagedSeries["line"],
  after: VersionId | undefined,
): Pick<ChangeLine, "spark" | "sparkChange"> {
  const last = values.length - 1;
  const change = after === undefined ? -1 : origins.findIndex(({ version }) => version === after);
  const from = Math.max(0, Math.min(last + 1 - sparkPoints, change < 0 ? last : change - pointsBefore));
  const step = Math.max(1, (last - from) / (sparkPoints - 1));
  const shown = Array.from({ length: Math.min(sparkPoints, last + 1 - from) }, (_, at) => from + Math.round(at * step));
  const at = shown.findIndex((point) => point >= change);
  if (change > 0 && at > 0) [shown[at - 1], shown[at]] = [change - 1, change];
  return { spark: shown.map((point) => values[point]!), sparkChange: change < 0 ? null : at };
}

/**
 * The most important changes, for the overview. `judged`: worst first; `positions`: indices of series by key;
 * `subjectOf`: the first line of a commit message.
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
      const { subject, outcome, delta, deltaLow, deltaHigh, p, q, since } = verdict;
      const at = positions.get(subject.key) as number;
      return {
        series: at,
        key: subject.key,
        benchmark: subject.benchmark,
        metric: subject.metric,
        unit: unitText(subject.unit),
        outcome,
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
        ...sparkOf(series[at]!.line, since?.after),
      };
    });
}

/** The reported changes of series on pages. */
function reportedChanges(
  judged: readonly TriagedVerdict[],
  positions: ReadonlyMap<string, number>,
): readonly TriagedVerdict[] {
  return judged.filter(({ verdict }) => isReported(verdict) && positions.has(verdict.subject.key));
}

/** Whether to report a verdict: changes, and inconclusive comparisons unless values are too few. */
function isReported({ outcome, before }: Verdict): boolean {
  return outcome === "worse" || outcome === "better" || (outcome === "inconclusive" && before !== null);
}

/**
 * All changes. `judged`: worst first; `positions`: indices of series by key; `order`: positions of versions in history.
 */
export function changeColumns(
  judged: readonly TriagedVerdict[],
  positions: ReadonlyMap<string, number>,
  order: ReadonlyMap<VersionId, number>,
): ChangeColumns {
  const reported = reportedChanges(judged, positions);
  const numbers = (of: (verdict: Verdict) => number | null): Float64Array =>
    Float64Array.from(reported, ({ verdict }) => of(verdict) ?? Number.NaN);
  const whole = (of: (verdict: Verdict) => number): Int32Array =>
    Int32Array.from(reported, ({ verdict }) => of(verdict));
  const positionOf = (version: VersionId | null | undefined): number => (version ? (order.get(version) ?? -1) : -1);
  return {
    facts: {
      words: verdictOutcomes,
      triage: reported.flatMap(({ triage }, position) => (triage === null ? [] : [[position, triage.state] as const])),
    },
    arrays: {
      series: whole(({ subject }) => positions.get(subject.key) as number),
      word: Uint8Array.from(reported, ({ verdict }) => verdictOutcomes.indexOf(verdict.outcome)),
      delta: numbers(({ delta }) => delta),
      low: numbers(({ deltaLow }) => deltaLow),
      high: numbers(({ deltaHigh }) => deltaHigh),
      p: numbers(({ p }) => p),
      q: numbers(({ q }) => q),
      before: whole(({ since }) => positionOf(since?.before)),
      after: whole(({ since }) => positionOf(since?.after)),
      suspects: whole(({ since }) => since?.suspects.length ?? 0),
    },
  };
}
