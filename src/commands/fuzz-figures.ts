import type { Axis, ChartBlock, ChartSeries, Figure } from "../core/figure.ts";
import { parseUnit } from "../core/unit.ts";
import type { CampaignState, FindKind } from "../workspace/fuzz/campaign-state.ts";
import type { Gauge } from "../workspace/fuzz/gauge.ts";

/** A picture of a campaign, and the name of its file. */
export interface FuzzFigure {
  readonly name: string;
  readonly figure: Figure;
}

const time: Axis = { label: "time", unit: parseUnit("s"), scale: "linear", from: 0 };

/** Pictures of a campaign: effort and finds against time, and what each rule brought. Those without a point are left out. */
export function fuzzFigures(state: CampaignState, gauge: Gauge): FuzzFigure[] {
  return [
    { name: "effort", figure: { title: "The busiest sample so far", blocks: [effortChart(state, gauge)] } },
    { name: "finds", figure: { title: "Finds", blocks: [findsChart(state)] } },
    { name: "rules", figure: { title: "Mutations worth measuring, by rule", blocks: [rulesChart(state)] } },
  ].filter(({ figure }) => figure.blocks.some((block) => block.series.some(({ y }) => y.length > 0)));
}

function effortChart({ curve, base, seconds }: CampaignState, { kind, unit }: Gauge): ChartBlock {
  const points = [{ seconds: 0, effort: base }, ...curve];
  const last = points.at(-1);
  // The stair goes on to the end of the campaign.
  const all = last && last.seconds < seconds ? [...points, { seconds, effort: last.effort }] : points;
  const values = { x: all.map((point) => point.seconds), y: all.map(({ effort }) => effort) };
  const y: Axis = {
    label: kind === "coverage" ? unit : "CPU time",
    scale: "log",
    ...(kind === "time" ? { unit: parseUnit(unit) } : {}),
  };
  return {
    kind: "chart",
    mark: "steps",
    legend: false,
    x: time,
    y: [y],
    series: curve.length > 0 ? [series("greatest", values)] : [],
  };
}

function findsChart({ finds, seconds }: CampaignState): ChartBlock {
  const kinds: readonly (readonly [FindKind, string])[] = [
    ["degradation", "degradations"],
    ["hang", "hangs"],
    ["fault", "faults"],
  ];
  const counted = kinds.flatMap(([kind, label]) => {
    const moments = finds.filter((find) => find.kind === kind).map((find) => find.seconds);
    if (moments.length === 0) return [];
    return [series(label, { x: [0, ...moments, seconds], y: [0, ...moments.map((_, at) => at + 1), moments.length] })];
  });
  return { kind: "chart", mark: "steps", x: time, y: [{ label: "found", scale: "linear", from: 0 }], series: counted };
}

function rulesChart({ rules }: CampaignState): ChartBlock {
  const used = rules.filter(({ hits }) => hits > 0).toSorted((a, b) => b.hits - a.hits);
  const x: Axis = { label: "rule", scale: "category", categories: used.map(({ name }) => name) };
  const values = { x: used.map((_, at) => at), y: used.map(({ hits }) => hits) };
  const bars = used.length > 0 ? [series("mutations", values)] : [];
  return {
    kind: "chart",
    mark: "bars",
    legend: false,
    x,
    y: [{ label: "mutations", scale: "linear", from: 0 }],
    series: bars,
  };
}

function series(
  label: string,
  { x, y }: { readonly x: readonly number[]; readonly y: readonly number[] },
): ChartSeries {
  return { label, axis: 0, x: Float64Array.from(x), y: Float64Array.from(y) };
}
