import type { BenchmarkReport, BenchmarkResult } from "../../core/measurements/benchmark-report.ts";
import { hasMembers, jsonHead } from "../json/json-head.ts";
import type { JsonLocation } from "../json/json-location.ts";
import { MetricList, statisticOf } from "./report/metric-list.ts";
import { printedNumber } from "../text/parse-quantity.ts";
import { inBaseUnit, reportUnit } from "./report/report-unit.ts";

/**
 * Whether a text may be `[{name, unit, value, range?, extra?}]`, the custom JSON of github-action-benchmark; its
 * beginning is given back.
 */
export function customJsonHead(head: Uint8Array): string {
  const text = jsonHead(head, "[");
  return /^\s*\[\s*\{\s*"(?:name|unit|value|range|extra)"\s*:/.test(text) && hasMembers(text, "name", "unit", "value")
    ? text
    : "";
}

/** Whether what is said there reads as if more were better: rates, and words for it. */
export function isBiggerBetter(text: string): boolean {
  return /"unit"\s*:\s*"[^"]{0,40}(?:\/ ?s(?:ec|econd)?|hz|fps|ps)"|bigger|higher|throughput/i.test(text);
}

/** What each names and says of its unit. Values of one kind have one metric: `time`, `rate`, `bytes`, `value`. */
export function customReport(document: JsonLocation, better: "lower" | "higher"): BenchmarkReport {
  const metrics = new MetricList();
  const results = document.list().map((entry) => resultOf(entry, metrics, better));
  return { metrics: metrics.metrics, results };
}

function resultOf(entry: JsonLocation, metrics: MetricList, better: "lower" | "higher"): BenchmarkResult {
  const unit = reportUnit(entry.maybe("unit")?.text() ?? "");
  const value = entry.get("value");
  const amount = value.isText ? printedNumber(value.text()) : value.number();
  const values = new Map([[metrics.add({ name: unit.quantity, unit: unit.unit, better }), inBaseUnit(amount, unit)]]);
  const range = rangeOf(entry.maybe("range")?.scalar, amount);
  if (range !== undefined)
    values.set(
      metrics.add({ name: statisticOf(unit.quantity, "range"), unit: unit.unit, synopsis: "how far it varies" }),
      inBaseUnit(range, unit),
    );
  return { benchmark: entry.get("name").text(), values };
}

/** `3`, `± 3`, `5%` of the value. */
function rangeOf(range: unknown, amount: number): number | undefined {
  const [, number, percent] =
    /^(?:±|\+-|\+\/-)? ?([\d.,]{1,30}(?:[eE][+-]?\d{1,3})?) ?(%)?$/.exec(
      (typeof range === "string" || typeof range === "number" ? String(range) : "").slice(0, 100).trim(),
    ) ?? [];
  const found = printedNumber(number ?? "");
  if (Number.isNaN(found)) return undefined;
  return percent === undefined ? found : Math.abs(amount * found) / 100;
}
