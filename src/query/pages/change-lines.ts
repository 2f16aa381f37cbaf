import type { ChangeColumns, ChangeLine, ChangeRange, Overview } from "../../core/pages/index.ts";
import { type TriagedVerdict, type Verdict, verdictOutcomes } from "../../core/verdicts/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import { median } from "../../math/descriptive/index.ts";
import { type ChangeGroup, changeGroups, groupCounts, inGroups } from "../series/index.ts";
import type { PagedSeries } from "./paged-series.ts";
import { unitText } from "./series-columns.ts";

/** Most values of a sparkline, and those of them before the change. */
const [sparkPoints, sparkBefore] = [60, 20];

/** What lists of changes are made of. */
interface ChangeContext {
  /** Worst first. */
  readonly judged: readonly TriagedVerdict[];
  readonly series: readonly PagedSeries[];
  /** Indices of series by key. */
  readonly positions: ReadonlyMap<string, number>;
  /** The first line of the message of a commit, and its date. */
  commitOf(version: VersionId): Pick<ChangeRange, "subject" | "date">;
}

/** The most important changes, for the overview; those of a group together. */
export function changeList(context: ChangeContext, most: number): Pick<Overview, "changes" | "groups"> {
  const groups = changeGroups(context.judged.map(({ verdict }) => verdict));
  return {
    changes: changeLines(context, groups, most),
    groups: groups.map((group) => ({ ...groupCounts(group), subject: context.commitOf(group.after).subject })),
  };
}

function changeLines(context: ChangeContext, groups: readonly ChangeGroup[], most: number): ChangeLine[] {
  const { judged, series, positions, commitOf } = context;
  const reported = new Map(reportedChanges(judged, positions).map((one) => [one.verdict, one]));
  const groupOf = new Map(groups.flatMap(({ verdicts }, at) => verdicts.map((verdict) => [verdict, at] as const)));
  return inGroups([...reported.keys()], groups)
    .flatMap((verdict) => reported.get(verdict) ?? [])
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
                ...commitOf(since.after),
              },
        group: groupOf.get(verdict) ?? null,
        triage: triage?.state ?? null,
        latest: series[at]?.line.values.at(-1) ?? null,
        spark: series[at] === undefined ? [] : sparkOf(series[at], since?.after ?? null),
      };
    });
}

/**
 * The values around a change up to the newest: 20 before it, and all after it, or medians of as many neighbours as fit;
 * without a change the newest ones.
 */
function sparkOf({ line: { values, origins } }: PagedSeries, change: VersionId | null): number[] {
  const at = change === null ? -1 : origins.findIndex(({ version }) => version === change);
  const from = Math.max(0, Math.min(values.length - sparkPoints, at < 0 ? Infinity : at - sparkBefore));
  if (values.length - from <= sparkPoints) return Array.from(values.subarray(from));
  const [before, after] = [values.slice(from, at), values.slice(at)];
  const count = sparkPoints - before.length;
  const medians = Array.from({ length: count }, (_, bucket) => {
    const [first, end] = [bucket, bucket + 1].map((edge) => Math.floor((edge * after.length) / count));
    return median(after.slice(first, end));
  });
  return [...before, ...medians];
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
