import { type CheckedSeries, groupCounts, groupText, inGroups, noiseRemedy } from "../../../commands/verdicts/index.ts";
import type { Figure, TableBlock } from "../../../core/figures/index.ts";
import type { Growth } from "../../../core/measurements/index.ts";
import { counted } from "../../../core/text/index.ts";
import type { DerivedChange, Since, SinceRange, Verdict } from "../../../core/verdicts/index.ts";
import { abbreviate, type VersionId } from "../../../core/versions/index.ts";
import { changeText, valueText } from "./trend-text.ts";

const head = [
  { label: "verdict", align: "left", whole: true },
  { label: "benchmark", align: "left" },
  { label: "metric", align: "left" },
  { label: "change", align: "right" },
  { label: "95 % interval", align: "right", spare: true },
  { label: "before", align: "right" },
  { label: "after", align: "right" },
  { label: "n", align: "right", spare: true },
  { label: "q", align: "right", spare: true },
  { label: "since", align: "left", whole: true },
  { label: "suspects", align: "right", spare: true },
] as const satisfies TableBlock["head"];

/**
 * The figure of `check series`: a row per change or possible change, at most `limit`. Changes up to `resolution` that
 * noise may hide have no row. `addressOf` returns the page of a commit, or "".
 */
export function seriesVerdictsFigure(
  checked: CheckedSeries,
  { limit, resolution }: { readonly limit: number; readonly resolution: number },
  addressOf: (id: VersionId) => string,
): Figure {
  const { groups } = checked;
  const reported = checked.verdicts.filter(
    (verdict) => verdict.outcome !== "same" && verdict.before !== null && !isHiddenByNoise(verdict, resolution),
  );
  const shown = inGroups(reported, groups);
  const rows = shown.slice(0, limit).map(cellsOf);
  const links = shown.slice(0, limit).map(({ since }) => (since === null ? "" : addressOf(since.after)));
  const blocks: Figure["blocks"] = [
    ...(rows.length > 0
      ? [
          {
            kind: "table",
            head: head.map((column) => (column.label === "since" ? { ...column, links } : column)),
            rows,
          } as const,
        ]
      : []),
    {
      kind: "text",
      text: [
        ...groups.map((group) => groupText(groupCounts(group))),
        ...reasonsOf(shown.slice(0, limit)),
        summaryOf(checked, shown.length - rows.length, resolution),
      ].join("\n"),
    },
  ];
  return { title: "", blocks };
}

function cellsOf({
  outcome: word,
  subject,
  before,
  after,
  delta,
  deltaLow,
  deltaHigh,
  q,
  since,
  growth,
  doubt,
}: Verdict): string[] {
  const value = (center: number | undefined): string => valueText(center, subject.unit);
  return [
    doubt === "drift" ? doubt : word,
    subject.benchmark,
    subject.metric,
    changeText(delta),
    deltaLow === null || deltaHigh === null ? "" : `${changeText(deltaLow)} … ${changeText(deltaHigh)}`,
    growth === undefined ? value(before?.center) : grownText(growth.before),
    growth === undefined ? value(after?.center) : grownText(growth.after),
    `${before?.n ?? 0}+${after?.n ?? 0}`,
    q === null ? "" : q < 0.001 ? "<0.001" : q.toFixed(3),
    since === null ? "" : abbreviate(since.after),
    since === null ? "" : String(since.suspects.length),
  ];
}

/** `O(n log n), n^1.14, r² 0.998`. */
function grownText({ name, exponent, rSquared }: Growth): string {
  return `O(${name}), n^${exponent.toFixed(2)}, r² ${rSquared.toFixed(3)}`;
}

function reasonsOf(verdicts: readonly Verdict[]): string[] {
  return verdicts.flatMap(({ subject, reason, threshold, machine, scaled, estimator, since, doubt, derived }) => {
    const own = [
      ...(doubt === undefined && since?.range !== undefined ? [rangeText(since, since.range)] : []),
      ...(derived?.some(({ delta }) => delta !== 0) === true ? [derivedText(derived)] : []),
      ...(machine === undefined ? [] : [`measured on ${machine}${scaledText(scaled)}`]),
      ...(threshold === undefined ? [] : [thresholdText(threshold)]),
      ...(estimator === undefined || estimator === "median" ? [] : [estimatorTexts[estimator]]),
    ];
    return [...(reason === null ? [] : [reason]), ...own].map(
      (each) => `${subject.benchmark} ${subject.metric}: ${each}`,
    );
  });
}

/** `, and on cpu=b times 0.769` */
function scaledText(scaled: Verdict["scaled"] = []): string {
  return scaled
    .map(({ machine, factor, bridge }) => {
      const by = bridge === undefined ? "" : ` (by ${bridge})`;
      return `, and on ${machine} times ${Number(factor.toPrecision(3))}${by}`;
    })
    .join("");
}

/** `mean +19.8 %, min +20.1 %` */
function derivedText(derived: readonly DerivedChange[]): string {
  const changed = derived.filter(({ delta }) => delta !== 0);
  return changed.map(({ metric, delta }) => `${metric} ${delta === null ? "from 0" : changeText(delta)}`).join(", ");
}

function rangeText({ suspects }: Since, { before, after }: SinceRange): string {
  const search = before === null ? "" : `; search with bisect ${abbreviate(before)} ${abbreviate(after)}`;
  return `one of ${counted(suspects.length, "commit")} is the cause, with at least 95 %${search}`;
}

const estimatorTexts: Readonly<Record<Exclude<NonNullable<Verdict["estimator"]>, "median">, string>> = {
  minimum: "a point is the minimum of its runs, which is the steadiest for this series",
  maximum: "a point is the maximum of its runs, which is the steadiest for this series",
  "trimmed-mean": "a point is the mean of the middle half of its runs, which is the steadiest for this series",
};

function thresholdText({ level, minEffect }: NonNullable<Verdict["threshold"]>): string {
  const of = level === null ? "" : `level ${level}, `;
  return `judged by its threshold: ${of}minimum effect ${Number((minEffect * 100).toPrecision(3))} %`;
}

/** Whether nothing changed visibly, and only noise keeps it from being the same. */
function isHiddenByNoise({ doubt, delta }: Verdict, resolution: number): boolean {
  return doubt === "noise" && Math.abs(delta ?? 0) <= resolution;
}

/** How large changes are that noise hides in series which look unchanged. */
function noiseLines(verdicts: readonly Verdict[], resolution: number): string[] {
  const hidden = verdicts
    .filter((verdict) => isHiddenByNoise(verdict, resolution))
    .map(({ detectable }) => Math.round((detectable ?? 0) * 100));
  if (hidden.length === 0) return [];
  const [least, greatest] = [Math.min(...hidden), Math.max(...hidden)];
  const sizes = least === greatest ? `${least} %` : `${least} to ${greatest} %`;
  return [`${counted(hidden.length, "series", "series")}: noise hides changes of less than ${sizes}; ${noiseRemedy}`];
}

/** Counts, and why series were not judged, the most frequent reason first. */
function summaryOf({ verdicts, series, judged, counts }: CheckedSeries, hidden: number, resolution: number): string {
  const reasons = new Map<string, number>();
  for (const { before, reason } of verdicts)
    if (before === null && reason !== null) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const why = [...reasons]
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `not judged: ${counted(count, "series", "series")}: ${reason}`);
  return [
    ...(hidden > 0 ? [`${hidden} more: --limit ${hidden + verdicts.length}`] : []),
    [
      `${counts.worse} worse, ${counts.better} better, ${counts.same} the same, ${counts.inconclusive} inconclusive;`,
      `${judged} of ${counted(series, "series", "series")} judged`,
    ].join(" "),
    ...noiseLines(verdicts, resolution),
    ...why,
  ].join("\n");
}
