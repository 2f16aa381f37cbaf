import type { CheckedSeries } from "../../commands/check-series.ts";
import { counted } from "../../core/counted.ts";
import { abbreviate, type VersionId } from "../../core/digest.ts";
import type { Figure, TableBlock } from "../../core/figure.ts";
import type { Growth } from "../../core/series.ts";
import type { Verdict } from "../../core/verdict.ts";
import { changeText, valueText } from "./trend-words.ts";

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

/** A line for each change, and for what might be one; at most `limit`. `addressOf`: of a version, the address of its page, or nothing. */
export function seriesVerdictsFigure(
  checked: CheckedSeries,
  limit: number,
  addressOf: (id: VersionId) => string,
): Figure {
  const told = checked.verdicts.filter(({ word, before }) => word !== "same" && before !== null);
  const rows = told.slice(0, limit).map(cellsOf);
  const links = told.slice(0, limit).map(({ since }) => (since === null ? "" : addressOf(since.after)));
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
      text: [...reasonsOf(told.slice(0, limit)), summaryOf(checked, told.length - rows.length)].join("\n"),
    },
  ];
  return { title: "", blocks };
}

function cellsOf({ word, subject, before, after, delta, deltaLow, deltaHigh, q, since, growth }: Verdict): string[] {
  const value = (center: number | undefined): string => valueText(center, subject.unit);
  return [
    word,
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
  return verdicts.flatMap(({ subject, reason, threshold }) => {
    const own = threshold === undefined ? [] : [thresholdText(threshold)];
    return [...(reason === null ? [] : [reason]), ...own].map(
      (each) => `${subject.benchmark} ${subject.metric}: ${each}`,
    );
  });
}

function thresholdText({ level, minEffect }: NonNullable<Verdict["threshold"]>): string {
  const of = level === null ? "" : `level ${level}, `;
  return `judged by its threshold: ${of}least effect ${Number((minEffect * 100).toPrecision(3))} %`;
}

/** Why series could not be judged, the most frequent reason first. */
function summaryOf({ verdicts, series, judged, counts }: CheckedSeries, hidden: number): string {
  const reasons = new Map<string, number>();
  for (const { before, reason } of verdicts)
    if (before === null && reason !== null) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const why = [...reasons]
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `not judged: ${counted(count, "series", "series")}: ${reason}`);
  return [
    ...(hidden > 0 ? [`${hidden} more: --limit ${hidden + verdicts.length}`] : []),
    `${counts.worse} worse, ${counts.better} better, ${counts.same} the same, ${counts.inconclusive} inconclusive; ${judged} of ${counted(series, "series", "series")} judged`,
    ...why,
  ].join("\n");
}
