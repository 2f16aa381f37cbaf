import type { BenchmarkReport, BenchmarkResult } from "../../../core/measurements/index.ts";
import { MetricList, reportUnit, statisticOf, toBaseUnit } from "../../../formats/benchmarks/index.ts";
import { hasMembers, jsonHead, JsonLocation } from "../../../formats/json/index.ts";
import { printedNumber } from "../../../formats/text/index.ts";
import { reportImporter } from "../report-importer.ts";

/**
 * `customBiggerIsBetter` of github-action-benchmark. The file does not name its kind: detection uses typical words.
 */
export const customBigger = reportImporter({
  name: "custom-bigger",
  synopsis: "github-action-benchmark customBiggerIsBetter",
  marks: 'JSON: a list of "name", "unit", "value", with rates or words such as bigger or throughput',
  sniff: (head) => (isBiggerBetter(customReportHead(head)) ? 0.5 : 0),
  reports: (bytes, file) => [customReport(JsonLocation.document(bytes, file), "higher")],
});

/**
 * `customSmallerIsBetter` of github-action-benchmark. The file does not name its kind: detection uses typical words.
 */
export const customSmaller = reportImporter({
  name: "custom-smaller",
  synopsis: "github-action-benchmark customSmallerIsBetter",
  marks: 'JSON: a list of "name", "unit", "value", without words such as bigger or throughput',
  sniff: (head) => {
    const text = customReportHead(head);
    return text === "" || isBiggerBetter(text) ? 0 : 0.5;
  },
  reports: (bytes, file) => [customReport(JsonLocation.document(bytes, file), "lower")],
});

/**
 * Detects `[{name, unit, value, range?, extra?}]`, the custom JSON of github-action-benchmark. Returns the text of the
 * head, or an empty text for other formats.
 */
function customReportHead(head: Uint8Array): string {
  const text = jsonHead(head, "[");
  return /^\s*\[\s*\{\s*"(?:name|unit|value|range|extra)"\s*:/.test(text) && hasMembers(text, "name", "unit", "value")
    ? text
    : "";
}

/** Whether a text suggests that higher values are better: units of rates, or words such as `throughput`. */
function isBiggerBetter(text: string): boolean {
  return /"unit"\s*:\s*"[^"]{0,40}(?:\/ ?s(?:ec|econd)?|hz|fps|ps)"|bigger|higher|throughput/i.test(text);
}

/** The report of a document. Values of one quantity share a metric: `time`, `rate`, `bytes`, `value`. */
function customReport(document: JsonLocation, better: "lower" | "higher"): BenchmarkReport {
  const metrics = new MetricList();
  const results = document.list().map((entry) => resultOf(entry, metrics, better));
  return { metrics: metrics.metrics, results };
}

function resultOf(entry: JsonLocation, metrics: MetricList, better: "lower" | "higher"): BenchmarkResult {
  const unit = reportUnit(entry.maybe("unit")?.text() ?? "");
  const value = entry.get("value");
  const amount = value.isText ? printedNumber(value.text()) : value.number();
  const values = new Map([[metrics.add({ name: unit.quantity, unit: unit.unit, better }), toBaseUnit(amount, unit)]]);
  const range = rangeOf(entry.maybe("range")?.scalar, amount);
  if (range !== undefined)
    values.set(
      metrics.add({ name: statisticOf(unit.quantity, "range"), unit: unit.unit, synopsis: "how far it varies" }),
      toBaseUnit(range, unit),
    );
  return { benchmark: entry.get("name").text(), values };
}

/** `3`, `± 3`, `5%` of the value. */
function rangeOf(range: unknown, amount: number): number | undefined {
  const [, number, percent] =
    /^(?:±|\+-|\+\/-)? ?([\d.,]{1,30}(?:[eE][+-]?\d{1,3})?) ?(%)?$/.exec(
      (typeof range === "string" || typeof range === "number" ? String(range) : "").slice(0, 100).trim(),
    ) ?? [];
  const value = printedNumber(number ?? "");
  if (Number.isNaN(value)) return undefined;
  return percent === undefined ? value : Math.abs(amount * value) / 100;
}
