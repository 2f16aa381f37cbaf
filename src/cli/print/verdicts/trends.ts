import { sparkline, type Trend, type Trends } from "../../../commands/verdicts/index.ts";
import type { Block, ChartBlock, Figure, TableBlock } from "../../../core/figures/index.ts";
import { readableScale } from "../../../core/values/index.ts";
import type { Verdict } from "../../../core/verdicts/index.ts";
import { abbreviate, type VersionId } from "../../../core/versions/index.ts";
import { isoTime } from "../date.ts";
import { steppedChart } from "./stepped-chart.ts";
import { changeText, sparkGlyphs, valueText } from "./trend-text.ts";

/** Characters of a sparkline in the table. */
const sparkColumns = 24;

export interface TrendsLayout {
  /** Maximum number of rows and of charts. */
  readonly limit: number;
  readonly charts: number;
  readonly unicode: boolean;
  /** Scale each value to a readable unit. */
  readonly isScaled: boolean;
  /** The address of the page of a commit, or "". */
  readonly addressOf: (id: VersionId) => string;
}

/** Charts of the first trends with tables of their changes, then a row per trend if there are several. */
export function trendsFigure({ trends, versionOf }: Trends, shape: TrendsLayout): Figure {
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

function trendsTable(trends: readonly Trend[], { unicode, isScaled, addressOf }: TrendsLayout): TableBlock {
  const glyphs = sparkGlyphs(unicode);
  const changes = trends.map(({ verdicts }) => lastChange(verdicts));
  const rows = trends.map(({ subject, points, verdicts }, at) => {
    const last = changes[at];
    const values = points.map(({ value }) => value);
    return [
      subject.benchmark,
      subject.metric,
      sparkline(values, sparkColumns, glyphs),
      valueText(values.at(-1), subject.unit, isScaled),
      changeText(last?.delta ?? null),
      last?.outcome ?? verdicts.at(-1)?.outcome ?? "",
      last?.since ? abbreviate(last.since.after) : "",
    ];
  });
  const since = {
    label: "since",
    align: "left",
    whole: true,
    spare: true,
    links: linksTo(changes, addressOf),
  } as const;
  return { kind: "table", head: [...tableHead, since], rows };
}

function linksTo(changes: readonly (Verdict | undefined)[], addressOf: TrendsLayout["addressOf"]): string[] {
  return changes.map((change) => (change?.since ? addressOf(change.since.after) : ""));
}

function isChange({ outcome: word, since }: Verdict): boolean {
  return since !== null && (word === "worse" || word === "better");
}

function lastChange(verdicts: readonly Verdict[]): Verdict | undefined {
  return verdicts.findLast(isChange);
}

function trendBlocks(trend: Trend, versionOf: Trends["versionOf"], { addressOf }: TrendsLayout): Block[] {
  const { subject, points, verdicts } = trend;
  if (!points.some(({ value }) => Number.isFinite(value))) return [];
  const changes = verdicts.filter(isChange);
  const details: Block[] =
    changes.length === 0
      ? [{ kind: "text", text: verdictLine(verdicts) }]
      : [changesTable(changes, versionOf, addressOf)];
  return [{ ...trendChart(trend, changes), caption: `${subject.benchmark}: ${subject.metric}` }, ...details];
}

function verdictLine(verdicts: readonly Verdict[]): string {
  const { outcome: word = "", reason = null } = verdicts.at(-1) ?? {};
  return reason === null ? `no change: ${word}` : `${word}: ${reason}`;
}

function trendChart({ subject, points }: Trend, changes: readonly Verdict[]): ChartBlock {
  const marks = changes.map(({ outcome: word, since }) => ({
    word,
    at: points.findIndex(({ version }) => version === since?.after),
  }));
  const values = points.map(({ value }) => value);
  const { unit, factor } = readableScale([values], subject.unit);
  return steppedChart({
    name: subject.metric,
    ...(unit === undefined ? {} : { unit }),
    values: values.map((value) => value * factor),
    labels: points.map(({ version }, at) => (version === null ? String(at + 1) : abbreviate(version))),
    along: "commit",
    changes: marks.filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at),
  });
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

function changesTable(
  changes: readonly Verdict[],
  versionOf: Trends["versionOf"],
  addressOf: TrendsLayout["addressOf"],
): TableBlock {
  const rows = changes.map(({ subject, outcome: word, since, delta, deltaLow, deltaHigh, before, after }) => {
    const version = since === null ? undefined : versionOf(since.after);
    return [
      since === null ? "" : abbreviate(since.after),
      version === undefined ? "" : isoTime(version.date).slice(0, 10),
      word,
      changeText(delta),
      deltaLow === null || deltaHigh === null ? "" : `${changeText(deltaLow)} … ${changeText(deltaHigh)}`,
      valueText(before?.center, subject.unit),
      valueText(after?.center, subject.unit),
      version?.author ?? "",
      version?.description.split("\n", 1)[0] ?? "",
    ];
  });
  const since = { label: "since", align: "left", whole: true, links: linksTo(changes, addressOf) } as const;
  return { kind: "table", head: [since, ...changesHead], rows };
}
