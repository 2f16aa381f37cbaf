import type { ChartBlock, ChartSeries } from "../../core/figures/figure.ts";
import type { Drift, Finding, Jump, Spread } from "./finding.ts";
import { contentText, setText } from "./text.ts";
import type { MineReport } from "./report.ts";

/** Findings that one picture has room for, and series that can be told apart. */
const mostFindings = 16;
const mostSeries = 6;

/**
 * A chart of the greatest changes and spreads with their intervals, and one of the runs behind the changes; of each
 * only what there is.
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

/** What the interval is a share of: a drift's is one of the slope. */
function shareOf(finding: Sized): number {
  if (finding.kind === "spread") return 1;
  return finding.kind === "jump" ? Math.abs(finding.before) : Math.abs(finding.before) / (finding.count - 1);
}

/** There is little room under a chart: the axis names the parameters, its categories have their contents alone. */
function namesOf({ results, parameters }: MineReport): string {
  return [...(results.length === 1 ? [] : ["result"]), ...parameters.map(({ name }) => name)].join(", ");
}

function shortLabel(finding: Sized, { results, parameters }: MineReport): string {
  const contents = [...finding.set].map(([name, value]) => contentText(name, value, parameters));
  const what = [...(results.length === 1 ? [] : [finding.result]), ...contents].join(", ") || "all";
  return [what, ...runsOf(finding)].join(", ");
}

/** Where a change is: one set may have several. */
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
        x: Float64Array.from(course.runs, (place) => place + 1),
        y: course.medians.map((value) => value / share),
      },
    ];
  });
  if (series.length === 0) return [];
  return [
    {
      kind: "chart",
      caption: "Medians of the runs behind the changes",
      mark: "points",
      x: { label: order === "time" ? "run, in order of time" : "run, in order of history", scale: "linear" },
      y: [{ label: "% of the first level", scale: "linear" }],
      series,
    },
  ];
}
