import type { ChartBlock, ChartSeries } from "../../core/figures/index.ts";
import type { Drift, Finding, Jump, Spread } from "./finding.ts";
import { valueText, setText } from "./text.ts";
import type { MineReport } from "./report.ts";

/** Most findings of a chart, and most distinguishable series. */
const mostFindings = 16;
const mostSeries = 6;

/**
 * A chart of the largest changes and spreads with their intervals, and a chart of the runs of the changes; either only
 * if it has values.
 */
export function changesChart(parts: readonly MineReport[], order: "time" | "history"): ChartBlock[] {
  return parts.flatMap((part) => [...sizesChart(part), ...coursesChart(part, order)]);
}

type Sized = Jump | Drift | Spread;

function sizesChart(part: MineReport): ChartBlock[] {
  const all = part.findings.filter(
    (finding): finding is Sized => finding.kind !== "outlier" && Number.isFinite(sizeOf(finding)),
  );
  const shown = all.slice(0, mostFindings);
  if (shown.length === 0) return [];
  const kinds = [
    ["jump", "jump"],
    ["drift", "drift"],
    ["spread", "spread"],
  ] as const;
  return [
    {
      kind: "chart",
      caption:
        shown.length < all.length
          ? `The first ${shown.length} of ${all.length} changes and spreads`
          : "Changes and spreads",
      mark: "points",
      x: { label: namesOf(part), scale: "category", categories: shown.map((finding) => shortLabel(finding, part)) },
      y: [{ label: "% of the level", scale: "linear" }],
      series: kinds.map(([kind, label]) => sizes(label, shown, kind)).filter(({ x }) => x.length > 0),
    },
  ];
}

function sizes(label: string, shown: readonly Sized[], kind: Finding["kind"]): ChartSeries {
  const own = shown.flatMap((finding, at) => (finding.kind === kind ? [{ finding, at }] : []));
  const pick = (of: (finding: Sized) => number): Float64Array =>
    Float64Array.from(own, ({ finding }) => of(finding) * 100);
  return {
    label,
    axis: 0,
    x: Float64Array.from(own, ({ at }) => at),
    y: pick(sizeOf),
    low: pick((finding) => finding.interval.low / shareOf(finding)),
    high: pick((finding) => finding.interval.high / shareOf(finding)),
  };
}

function sizeOf(finding: Sized): number {
  return finding.kind === "spread" ? finding.spread : finding.relative;
}

/** The reference of the interval: for a drift, its slope over all runs. */
function shareOf(finding: Sized): number {
  if (finding.kind === "spread") return 1;
  return finding.kind === "jump" ? Math.abs(finding.before) : Math.abs(finding.before) / (finding.count - 1);
}

/** Space below a chart is limited: the axis names the parameters, its categories show the values only. */
function namesOf({ results, parameters }: MineReport): string {
  return [...(results.length === 1 ? [] : ["result"]), ...parameters.map(({ name }) => name)].join(", ");
}

function shortLabel(finding: Sized, { results, parameters }: MineReport): string {
  const values = [...finding.set].map(([name, value]) => valueText(name, value, parameters));
  const what = [...(results.length === 1 ? [] : [finding.result]), ...values].join(", ") || "all";
  return [what, ...runsOf(finding)].join(", ");
}

/** The position of a change: one set may have several. */
function runsOf(finding: Sized): string[] {
  if (finding.kind === "spread") return [];
  return [
    finding.kind === "jump" ? `run ${finding.at.number}` : `runs ${finding.since.number} … ${finding.until.number}`,
  ];
}

function labelOf({ result, set }: Sized, { results, parameters }: MineReport): string {
  return results.length === 1 ? setText(set, parameters) : `${result}: ${setText(set, parameters)}`;
}

function coursesChart(part: MineReport, order: "time" | "history"): ChartBlock[] {
  const labels = new Set<string>();
  const series = part.findings.flatMap((finding): ChartSeries[] => {
    if (finding.kind !== "jump" && finding.kind !== "drift") return [];
    const label = labelOf(finding, part);
    const course = part.changed.get(finding);
    if (course === undefined || labels.has(label) || labels.size === mostSeries) return [];
    labels.add(label);
    const share = Math.abs(course.levels[0] ?? 1) / 100;
    return [
      {
        label,
        axis: 0,
        x: Float64Array.from(course.runs, (position) => position + 1),
        y: course.medians.map((value) => value / share),
      },
    ];
  });
  if (series.length === 0) return [];
  return [
    {
      kind: "chart",
      caption: "Medians of the runs of the changes",
      mark: "points",
      x: { label: order === "time" ? "run, in order of time" : "run, in order of history", scale: "linear" },
      y: [{ label: "% of the first level", scale: "linear" }],
      series,
    },
  ];
}
