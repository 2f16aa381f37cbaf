import { sparkline, type Trend, type Trends } from "../../commands/trends.ts";
import { abbreviate, type VersionId } from "../../core/digest.ts";
import type { Block, ChartBlock, ChartSeries, Figure, TableBlock } from "../../core/figure.ts";
import { formatUnit } from "../../core/unit.ts";
import type { Verdict } from "../../core/verdict.ts";
import { isoTime } from "./date.ts";
import { changeText, sparkGlyphs, valueText } from "./trend-words.ts";

/** Characters of a sparkline in the table. */
const sparkColumns = 24;

export interface TrendsShape {
  /** At most so many lines in the table, and charts of the first so many. */
  readonly limit: number;
  readonly charts: number;
  readonly unicode: boolean;
  /** Of a version, the address of its page; empty: none. */
  readonly addressOf: (id: VersionId) => string;
}

/** Charts of the first trends with their changes below, then a line for each trend where there are several. */
export function trendsFigure({ trends, versionOf }: Trends, shape: TrendsShape): Figure {
  const { limit, charts } = shape;
  const drawn = trends.slice(0, charts).flatMap((trend) => trendBlocks(trend, versionOf, shape));
  const hidden = trends.length - Math.min(limit, trends.length);
  const table: Block[] = trends.length === 1 && charts > 0 ? [] : [trendsTable(trends.slice(0, limit), shape)];
  const rest: Block[] = hidden > 0 ? [{ kind: "text", text: `${hidden} more: --limit ${trends.length}` }] : [];
  return { title: "", blocks: [...drawn, ...table, ...rest] };
}

const tableHead = [
  { label: "benchmark", align: "left" },
  { label: "metric", align: "left" },
  { label: "trend", align: "left", whole: true },
  { label: "latest", align: "right" },
  { label: "last change", align: "right" },
  { label: "verdict", align: "left", whole: true },
] as const;

function trendsTable(trends: readonly Trend[], { unicode, addressOf }: TrendsShape): TableBlock {
  const glyphs = sparkGlyphs(unicode);
  const changes = trends.map(({ verdicts }) => lastChange(verdicts));
  const rows = trends.map(({ subject, points, verdicts }, at) => {
    const last = changes[at];
    const values = points.map(({ value }) => value);
    return [
      subject.benchmark,
      subject.metric,
      sparkline(values, sparkColumns, glyphs),
      valueText(values.at(-1), formatUnit(subject.unit)),
      changeText(last?.delta ?? null),
      last?.word ?? verdicts.at(-1)?.word ?? "",
      last?.since ? abbreviate(last.since.after) : "",
    ];
  });
  const since = { label: "since", align: "left", whole: true, spare: true, links: linksTo(changes, addressOf) } as const;
  return { kind: "table", head: [...tableHead, since], rows };
}

function linksTo(changes: readonly (Verdict | undefined)[], addressOf: TrendsShape["addressOf"]): string[] {
  return changes.map((change) => (change?.since ? addressOf(change.since.after) : ""));
}

function isChange({ word, since }: Verdict): boolean {
  return since !== null && (word === "worse" || word === "better");
}

function lastChange(verdicts: readonly Verdict[]): Verdict | undefined {
  return verdicts.findLast(isChange);
}

function trendBlocks(trend: Trend, versionOf: Trends["versionOf"], { addressOf }: TrendsShape): Block[] {
  const { subject, points, verdicts } = trend;
  if (!points.some(({ value }) => Number.isFinite(value))) return [];
  const changes = verdicts.filter(isChange);
  const found: Block[] =
    changes.length === 0 ? [{ kind: "text", text: verdictLine(verdicts) }] : [changesTable(changes, versionOf, addressOf)];
  return [{ ...trendChart(trend, changes), caption: `${subject.benchmark}: ${subject.metric}` }, ...found];
}

function verdictLine(verdicts: readonly Verdict[]): string {
  const { word = "", reason = null } = verdicts.at(-1) ?? {};
  return reason === null ? `no change: ${word}` : `${word}: ${reason}`;
}

function trendChart({ subject, points }: Trend, changes: readonly Verdict[]): ChartBlock {
  const categories = points.map(({ version }, at) => (version === null ? String(at + 1) : abbreviate(version)));
  const at = changes.map(({ since }) => points.findIndex(({ version }) => version === since?.after));
  const values = points.map(({ value }) => value);
  const marked = (["worse", "better"] as const).map((word) => {
    const own = at.filter((index, i) => index >= 0 && changes[i]?.word === word);
    return series(word, "points", own, (index) => values[index] ?? Number.NaN);
  });
  // Beside a level a line through all points would hide where it steps.
  const line = series(subject.metric, changes.length > 0 ? "points" : "line", [...values.keys()], (index) => values[index] ?? Number.NaN);
  return {
    kind: "chart",
    mark: "line",
    x: { label: "version", scale: "category", categories },
    y: [{ label: subject.metric, scale: "linear", ...(subject.unit === undefined ? {} : { unit: subject.unit }) }],
    series: [line, ...levels(values, at), ...marked].filter(({ x }) => x.length > 0),
  };
}

function series(label: string, mark: ChartSeries["mark"] & string, at: readonly number[], valueAt: (index: number) => number): ChartSeries {
  return { label, axis: 0, mark, x: Float64Array.from(at), y: Float64Array.from(at, valueAt) };
}

/** The median between changes, as one line of as many flat parts; none where nothing changed. */
function levels(values: readonly number[], changes: readonly number[]): ChartSeries[] {
  const cuts = [0, ...changes.filter((index) => index > 0), values.length].sort((a, b) => a - b);
  if (cuts.length < 3) return [];
  const parts = cuts.slice(1).map((to, i) => [cuts[i] as number, to] as const);
  const flat = parts.flatMap(([from, to]) => {
    const level = middle(values.slice(from, to));
    return [
      [from, level],
      [to - 1, level],
    ] as const;
  });
  return [{ label: "level", axis: 0, mark: "curve", x: Float64Array.from(flat, ([x]) => x), y: Float64Array.from(flat, ([, y]) => y) }];
}

function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[half] as number) : ((sorted[half - 1] as number) + (sorted[half] as number)) / 2;
}

const changesHead: TableBlock["head"] = [
  { label: "date", align: "left", whole: true },
  { label: "verdict", align: "left", whole: true },
  { label: "change", align: "right" },
  { label: "95 % interval", align: "right", spare: true },
  { label: "before", align: "right" },
  { label: "after", align: "right" },
  { label: "author", align: "left", spare: true },
  { label: "subject", align: "left" },
];

function changesTable(changes: readonly Verdict[], versionOf: Trends["versionOf"], addressOf: TrendsShape["addressOf"]): TableBlock {
  const rows = changes.map(({ subject, word, since, delta, deltaLow, deltaHigh, before, after }) => {
    const version = since === null ? undefined : versionOf(since.after);
    const unit = formatUnit(subject.unit);
    return [
      since === null ? "" : abbreviate(since.after),
      version === undefined ? "" : isoTime(version.date).slice(0, 10),
      word,
      changeText(delta),
      deltaLow === null || deltaHigh === null ? "" : `${changeText(deltaLow)} … ${changeText(deltaHigh)}`,
      valueText(before?.center, unit),
      valueText(after?.center, unit),
      version?.author ?? "",
      version?.description.split("\n", 1)[0] ?? "",
    ];
  });
  const since = { label: "since", align: "left", whole: true, links: linksTo(changes, addressOf) } as const;
  return { kind: "table", head: [since, ...changesHead], rows };
}
