import type { Comparison } from "../../../commands/verdicts/index.ts";
import type { Figure, TableBlock } from "../../../core/figures/index.ts";
import type { Side, Verdict } from "../../../core/verdicts/index.ts";

type Row = Comparison["rows"][number];

/** Rows of the JSON document. */
export function compareRows({ rows }: Comparison): object[] {
  return rows.map(({ verdict, unit }) => {
    const {
      threshold,
      subject,
      outcome: word,
      before,
      after,
      delta,
      deltaLow,
      deltaHigh,
      p,
      test,
      q,
      detectable,
      reason,
      since,
    } = verdict;
    return {
      benchmark: subject.benchmark,
      metric: subject.metric,
      unit,
      better: subject.better,
      old: before,
      new: after,
      delta,
      deltaLow,
      deltaHigh,
      p,
      test,
      q,
      verdict: word,
      detectable,
      reason,
      since,
      key: subject.key,
      ...(threshold === undefined ? {} : { threshold }),
    };
  });
}

/** A table per unit in benchstat's layout: centers with intervals, change, p and n. */
export function compareFigure(comparison: Comparison): Figure {
  const tables = [...new Set(comparison.rows.map(tableOf))];
  const blocks = tables.map((name) => block(comparison, name));
  const reasons = reasonLines(comparison.rows);
  return { title: "", blocks: reasons.length === 0 ? blocks : [...blocks, { kind: "text", text: reasons.join("\n") }] };
}

/** The table of a row: by unit for files, else by metric and unit. */
function tableOf({ verdict: { subject }, unit }: Row): string {
  if (subject.source === "file" || unit === "") return unit || subject.metric;
  return subject.metric === unit ? unit : `${subject.metric} [${unit}]`;
}

function block(comparison: Comparison, name: string): TableBlock {
  const rows = comparison.rows.filter((row) => tableOf(row) === name);
  const unit = rows[0]?.unit;
  const means = comparison.means.find(
    (each) =>
      each.unit === unit &&
      rows.length > 1 &&
      comparison.rows.filter((row) => row.unit === unit).length === rows.length,
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
  const { subject, before, after, delta, deltaLow, deltaHigh, p, outcome: word } = verdict;
  const isDecided = word === "worse" || word === "better";
  return [
    subject.benchmark,
    sideText(before, scale),
    sideText(after, scale),
    isDecided ? (delta === null ? "from 0" : signed(delta)) : before === null || after === null ? "" : "~",
    deltaLow === null || deltaHigh === null ? "" : `${signed(deltaLow)} … ${signed(deltaHigh)}`,
    p === null ? "" : `p=${p.toFixed(3)} n=${counts(before, after)}`,
    word,
  ];
}

function counts(before: Side | null, after: Side | null): string {
  return before?.n === after?.n ? String(before?.n ?? 0) : `${before?.n ?? 0}+${after?.n ?? 0}`;
}

/** The larger distance to an end of the interval, as in benchstat; `∞` for too few values. */
function sideText(side: Side | null, scale: Scale): string {
  if (side === null) return "";
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

const plain: Scale = { factor: 1, prefix: "" };

function rowScale({ before, after }: Verdict, unit: string): Scale {
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
  const [factor, prefix] = prefixes.find(([size]) => least >= size) ?? [1e-9, "n"];
  return { factor, prefix };
}

function scaled(value: number, { factor, prefix }: Scale): string {
  const number = value / factor;
  const text = Math.abs(number) >= 1000 ? String(Math.round(number)) : String(Number(number.toPrecision(4)));
  return prefix === "" ? text : `${text}${prefix}`;
}

function signed(share: number): string {
  return `${share >= 0 ? "+" : ""}${(share * 100).toFixed(2)}%`;
}

/** Reasons of inconclusive rows and of differences that do not count, each once. */
function reasonLines(rows: readonly Row[]): string[] {
  const reasons = new Map<string, { readonly verdict: Verdict; readonly names: string[] }>();
  for (const { verdict } of rows) {
    if (verdict.reason === null) continue;
    const key = `${verdict.outcome} ${verdict.reason}`;
    const same = reasons.get(key) ?? { verdict, names: [] };
    reasons.set(key, same);
    if (!same.names.includes(verdict.subject.benchmark)) same.names.push(verdict.subject.benchmark);
  }
  return [...reasons.values()].map(({ verdict: { outcome: word, reason }, names }) => {
    const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
    return `${word}: ${names.slice(0, 3).join(", ")}${more}: ${reason}`;
  });
}
