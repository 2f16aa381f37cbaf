import type { BenchmarkReport, BenchmarkResult, ReportMetric } from "../../../core/measurements/index.ts";
import { jsonHead, JsonLocation } from "../../../formats/json/index.ts";
import { MetricList } from "../../../formats/benchmarks/index.ts";
import { scaledNumber } from "../../../formats/text/index.ts";
import { reportImporter } from "../report-importer.ts";

interface Measure extends Omit<ReportMetric, "name"> {
  /** Numbers are multiplied by ten to this power, correctly rounded. */
  readonly exponent: number;
}

/** Measures with units fixed by Bencher, by slug; others are plain numbers. */
const measures: ReadonlyMap<string, Measure> = new Map<string, Measure>([
  ["latency", { unit: "s", better: "lower", exponent: -9 }],
  ["throughput", { unit: "1/s", better: "higher", exponent: 0 }],
  ["build-time", { unit: "s", better: "lower", exponent: 0 }],
  ["file-size", { unit: "Byte", better: "lower", exponent: 0 }],
]);
const plain: Measure = { exponent: 0 };

const bounds = [
  ["", "value"],
  ["_lower", "lower_value"],
  ["_upper", "upper_value"],
] as const;

const text = String.raw`"(?:[^"\\]|\\.)*"\s*:\s*`;
const begins = new RegExp(String.raw`^\s*\{\s*${text}\{\s*${text}\{\s*"(?:lower_|upper_)?value"\s*:`);

/** Bencher Metric Format: `{benchmark: {measure: {value, lower_value, upper_value}}}`, latencies in nanoseconds. */
export const bmf = reportImporter({
  name: "bmf",
  synopsis: "Bencher Metric Format",
  marks: 'JSON: an object of benchmarks, each an object of measures with "value"',
  sniff: (head) => (begins.test(jsonHead(head, "{")) ? 0.4 : 0),
  reports: (bytes, file) => [report(JsonLocation.document(bytes, file))],
});

function report(document: JsonLocation): BenchmarkReport {
  const metrics = new MetricList();
  const results = document
    .members()
    .map(([benchmark, location]): BenchmarkResult => ({ benchmark, values: valuesOf(location, metrics) }));
  return { metrics: metrics.metrics, results: results.filter(({ values }) => values.size > 0) };
}

function valuesOf(location: JsonLocation, metrics: MetricList): Map<string, number> {
  const values = new Map<string, number>();
  for (const [measure, metric] of location.members()) {
    const { exponent, ...rest } = measures.get(measure) ?? plain;
    for (const [suffix, member] of bounds) {
      const value = member === "value" ? metric.get(member) : metric.maybe(member);
      if (value) values.set(metrics.add({ name: measure + suffix, ...rest }), scaled(value.number(), exponent));
    }
  }
  return values;
}

function scaled(value: number, exponent: number): number {
  return exponent === 0 ? value : scaledNumber(String(value), exponent);
}
