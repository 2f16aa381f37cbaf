import type { Comparison } from "../../../commands/verdicts/index.ts";
import { metricRank } from "../../../core/measurements/index.ts";
import { firstNames } from "../../../core/text/index.ts";
import type { Figure, TableBlock } from "../../../core/figures/index.ts";
import { metricsByUnit, type Side, type Verdict } from "../../../core/verdicts/index.ts";

type Row = Comparison["rows"][number];

/** Rows of the JSON document. */
export function compareRows({ rows }: Comparison): object[] {
  return rows.map(({ verdict, unit }) => {
    const { subject, before, after, outcome, threshold, morePairs, modes } = verdict;
    const { delta, deltaLow, deltaHigh, p, test, q, detectable, reason, since } = verdict;
    return {
      benchmark: subject.benchmark,
      metric: subject.metric,
      unit,
      better: subject.better,
      ...(subject.isDirectionAssumed === true ? { isDirectionAssumed: true } : {}),
      old: before,
      new: after,
      delta,
      deltaLow,
      deltaHigh,
      p,
      test,
      q,
      verdict: outcome,
      detectable,
      reason,
      since,
      key: subject.key,
      ...(delta === null ? {} : { estimator: estimatorOf(verdict) }),
      ...(modes === undefined ? {} : { modes }),
      ...(threshold === undefined ? {} : { threshold }),
      ...(morePairs === undefined ? {} : { morePairs }),
    };
  });
}

const ratioOfMedians = "ratio of medians";

/** How the change is estimated; all but one differ from the ratio of the printed centers. */
function estimatorOf({ test, effect }: Verdict): string {
  if (test === "signed-rank") return "median of the means of paired ratios";
  if (test === "sequential sign") return "median of paired ratios";
  if (effect === "shift-within-levels") return "median of all ratios within a level";
  return effect === "shift" ? "median of all ratios" : ratioOfMedians;
}

/** A line for each estimator of a printed change that is not the ratio of the printed centers. */
function estimatorLines(rows: readonly Row[]): string[] {
  const names = new Map<string, string[]>();
  for (const { verdict } of rows) {
    const estimator = estimatorOf(verdict);
    const isPrinted = verdict.effect !== "shift" || changeText(verdict) !== "~";
    if (verdict.delta === null || estimator === ratioOfMedians || !isPrinted) continue;
    const own = names.get(estimator) ?? [];
    names.set(estimator, own);
    if (!own.includes(verdict.subject.benchmark)) own.push(verdict.subject.benchmark);
  }
  return [...names].map(([estimator, own]) => `change of ${firstNames(own, 3)}: ${estimator}, not ${ratioOfMedians}`);
}

/** A table per unit in benchstat's layout: centers with intervals, change, p and n. */
export function compareFigure(comparison: Comparison): Figure {
  const all = [comparison, ...(comparison.others ?? [])];
  const rows = all.flatMap((each) => each.rows);
  const tableOf = tablesByMetric(rows);
  const tables = tablesOf(rows, tableOf);
  const blocks = tables.map((name) =>
    all.length > 1 ? wideBlock(all, name, tableOf) : block(comparison, name, tableOf),
  );
  const lines = [...reasonLines(rows), ...estimatorLines(rows)];
  return { title: "", blocks: lines.length === 0 ? blocks : [...blocks, { kind: "text", text: lines.join("\n") }] };
}

/** The names of the tables, metrics that people read first before the others. */
function tablesOf(rows: readonly Row[], tableOf: TableOf): string[] {
  const ranks = new Map<string, number>();
  for (const row of rows) {
    const name = tableOf(row);
    ranks.set(name, Math.min(ranks.get(name) ?? Infinity, metricRank(row.verdict.subject.metric, row.unit)));
  }
  return [...ranks].toSorted(([, a], [, b]) => a - b).map(([name]) => name);
}

/** The caption of the table of a row. */
type TableOf = (row: Row) => string;

/**
 * Tables of files by unit, unless several metrics have it: their rows would look alike. All others by metric and unit.
 */
function tablesByMetric(rows: readonly Row[]): TableOf {
  const metrics = metricsByUnit(rows);
  return ({ verdict: { subject }, unit }) => {
    if (unit === "") return subject.metric;
    if (subject.metric === unit || (subject.source === "file" && metrics.get(unit)?.size === 1)) return unit;
    return `${subject.metric} [${unit}]`;
  };
}

/** Several sides: a row per subject, and three columns per side. */
function wideBlock(all: readonly Comparison[], name: string, tableOf: TableOf): TableBlock {
  const sides = all.map(({ rows }) => new Map(rows.map((row) => [row.verdict.subject.key, row])));
  const own = all.flatMap(({ rows }) => rows.filter((row) => tableOf(row) === name));
  const keys = [...new Set(own.map(({ verdict }) => verdict.subject.key))];
  return {
    kind: "table",
    caption: name,
    head: [
      { label: "benchmark", align: "left" },
      { label: all[0]!.old, align: "right" },
      ...all.flatMap(({ new: side }) => [
        { label: side, align: "right" } as const,
        { label: "change", align: "right" } as const,
        { label: "verdict", align: "left", whole: true } as const,
      ]),
    ],
    rows: keys.map((key) => wideCells(sides.map((side) => side.get(key)))),
  };
}

function wideCells(rows: readonly (Row | undefined)[]): string[] {
  const found = rows.flatMap((row) => (row === undefined ? [] : [row]));
  const { verdict, unit } = found[0]!;
  const centers = found.flatMap(({ verdict: { before, after } }) => [before?.center ?? [], after?.center ?? []].flat());
  const scale = found.every((row) => isExactCount(row.verdict)) ? plain : scaleOf(centers, unit);
  const first = found.find((row) => row.verdict.before !== null)?.verdict ?? verdict;
  return [
    verdict.subject.benchmark,
    sideText(first, "before", scale),
    ...rows.flatMap((row) =>
      row === undefined
        ? ["", "", ""]
        : [sideText(row.verdict, "after", scale), changeText(row.verdict), row.verdict.outcome],
    ),
  ];
}

function block(comparison: Comparison, name: string, tableOf: TableOf): TableBlock {
  const rows = comparison.rows.filter((row) => tableOf(row) === name);
  const unit = rows[0]?.unit;
  const metric = rows[0]?.verdict.subject.metric;
  const means = comparison.means.find(
    (each) => each.unit === unit && rows.length > 1 && (each.metric === undefined || each.metric === metric),
  );
  const scale = means === undefined ? plain : scaleOf([means.old, means.new], unit ?? "");
  const last =
    means === undefined
      ? []
      : [["geomean", scaled(means.old, scale), scaled(means.new, scale), signed(means.delta), "", "", ""]];
  return {
    kind: "table",
    caption: name,
    head: [
      { label: "benchmark", align: "left" },
      { label: comparison.old, align: "right" },
      { label: comparison.new, align: "right" },
      { label: "change", align: "right" },
      { label: "95 % interval", align: "right", spare: true },
      { label: "p, n", align: "left", whole: true },
      { label: "verdict", align: "left", whole: true },
    ],
    rows: [...rows.map(({ verdict }) => cells(verdict, rowScale(verdict, unit ?? ""))), ...last],
  };
}

function cells(verdict: Verdict, scale: Scale): string[] {
  const { subject, before, after, deltaLow, deltaHigh, p, outcome: word } = verdict;
  return [
    subject.benchmark,
    sideText(verdict, "before", scale),
    sideText(verdict, "after", scale),
    changeText(verdict),
    deltaLow === null || deltaHigh === null ? "" : `${signed(deltaLow)} … ${signed(deltaHigh)}`,
    p === null ? "" : `p=${p.toFixed(3)} n=${counts(before, after)}`,
    word,
  ];
}

function changeText({ before, after, delta, outcome }: Verdict): string {
  if (outcome === "worse" || outcome === "better") return delta === null ? "from 0" : signed(delta);
  return before === null || after === null ? "" : "~";
}

function counts(before: Side | null, after: Side | null): string {
  return before?.n === after?.n ? String(before?.n ?? 0) : `${before?.n ?? 0}+${after?.n ?? 0}`;
}

/** The larger distance to an end of the interval, as in benchstat; `∞` for too few values, none for exact counts. */
function sideText(verdict: Verdict, at: "before" | "after", scale: Scale): string {
  const side = verdict[at];
  if (side === null) return "";
  if (isExactCount(verdict)) return scaled(side.center, scale);
  const { center, low, high } = side;
  const off = Math.max(high - center, center - low) / Math.abs(center);
  const range = Number.isNaN(low) ? "∞" : Number.isFinite(off) ? `${Math.round(off * 100)}%` : "?";
  return `${scaled(center, scale)} ± ${range}`;
}

interface Scale {
  readonly factor: number;
  readonly prefix: string;
}

const prefixes: readonly (readonly [number, string])[] = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
  [1e-9, "n"],
];

/** Numbers from here on are printed with an exponent instead of a prefix, and so are their reciprocals. */
const beyondPrefixes = 1e15;

const plain: Scale = { factor: 1, prefix: "" };

/** Counts that repeat exactly are printed with all digits. */
function isExactCount({ test, before, after }: Verdict): boolean {
  return test === "exact" && [before, after].every((side) => side === null || Number.isSafeInteger(side.center));
}

function rowScale(verdict: Verdict, unit: string): Scale {
  const { before, after } = verdict;
  if (isExactCount(verdict)) return plain;
  return scaleOf(
    [before, after].flatMap((side) => side?.center ?? []),
    unit,
  );
}

/** A common SI prefix for seconds and bytes, so that the smallest value is at least 1; none for other units. */
function scaleOf(numbers: readonly number[], unit: string): Scale {
  const sizes = numbers.map(Math.abs).filter((size) => size > 0);
  if (sizes.length === 0 || !/^(?:s|sec|B|Byte)(?:\/|$)/.test(unit)) return plain;
  const least = Math.min(...sizes);
  if (least >= beyondPrefixes || least < 1 / beyondPrefixes) return plain;
  const [factor, prefix] = prefixes.find(([size]) => least >= size) ?? [1e-9, "n"];
  return { factor, prefix };
}

function scaled(value: number, { factor, prefix }: Scale): string {
  const number = value / factor;
  if (prefix === "" && Number.isSafeInteger(value)) return String(value);
  if (Math.abs(number) >= beyondPrefixes) return String(Number(value.toPrecision(4)));
  const text = Math.abs(number) >= 1000 ? String(Math.round(number)) : String(Number(number.toPrecision(4)));
  return prefix === "" ? text : `${text}${prefix}`;
}

function signed(share: number): string {
  return `${share >= 0 ? "+" : ""}${(share * 100).toFixed(2)}%`;
}

/**
 * Reasons of inconclusive rows and of differences that do not count, each once. A benchmark is named with its metric if
 * its other metrics do not have the same reason.
 */
function reasonLines(rows: readonly Row[]): string[] {
  const metrics = new Map<string, number>();
  const reasons = new Map<string, { readonly verdict: Verdict; readonly names: Map<string, string[]> }>();
  for (const { verdict } of rows) {
    const { benchmark, metric } = verdict.subject;
    metrics.set(benchmark, (metrics.get(benchmark) ?? 0) + 1);
    if (verdict.reason === null) continue;
    const key = `${verdict.outcome} ${verdict.reason}`;
    const same = reasons.get(key) ?? { verdict, names: new Map<string, string[]>() };
    reasons.set(key, same);
    same.names.set(benchmark, [...(same.names.get(benchmark) ?? []), metric]);
  }
  return [...reasons.values()].map(({ verdict: { outcome: word, reason }, names }) => {
    const own = [...names].flatMap(([benchmark, of]) =>
      of.length === metrics.get(benchmark) ? [benchmark] : of.map((metric) => `${benchmark} (${metric})`),
    );
    return `${word}: ${firstNames(own, 3)}: ${reason}`;
  });
}
