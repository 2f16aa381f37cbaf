import type { BenchmarkReport, BenchmarkResult } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { hasMembers, jsonHead, JsonLocation } from "../../../formats/json/index.ts";
import {
  isJmhText,
  jmhHead,
  jmhTextRows,
  type JmhRow,
  linesByRun,
  reportLines,
  MetricList,
  statisticOf,
  factsIn,
  parameterValue,
  type FactPath,
  toBaseUnit,
  reportUnit,
  type ReportUnit,
} from "../../../formats/benchmarks/index.ts";
import { reportImporter } from "../report-importer.ts";

/** Larger histograms are reported by their percentiles only: a few bytes may represent any number of samples. */
const mostSamples = 1_000_000;

const facts: readonly FactPath[] = [
  ["jmh", "jmhVersion"],
  ["jdk", "jdkVersion"],
  ["vm", "vmName"],
  ["vm_version", "vmVersion"],
  ["jvm", "jvm"],
];

/**
 * `-rf json` of JMH 1.0 to 1.37: all samples of all forks, histograms of mode `sample`, secondary metrics; and the
 * table at the end of its output.
 */
export const jmh = reportImporter({
  name: "jmh",
  synopsis: "JMH -rf json, or its console",
  marks: [
    'JSON: a list whose elements have "benchmark", "mode" and "primaryMetric", ',
    "or a table with `Benchmark Mode Cnt Score Error Units`",
  ].join(""),
  sniff: (head) =>
    hasMembers(jsonHead(head, "["), "benchmark", "mode", "primaryMetric") || isJmhText(reportLines(head)) ? 1 : 0,
  reports: (bytes, file) =>
    isJmhText(reportLines(bytes))
      ? linesByRun(reportLines(bytes), jmhHead).map(textReport)
      : [report(JsonLocation.document(bytes, file))],
});

/** Reads the table, whose numbers are rounded; percentiles and secondary metrics have rows of their own. */
function textReport(lines: Iterable<string>): BenchmarkReport {
  const metrics = new MetricList();
  const results = new Map<string, BenchmarkResult & { readonly values: Map<string, number> }>();
  for (const { benchmark, parameters, ...row } of jmhTextRows(lines)) {
    const key = JSON.stringify([benchmark, ...parameters]);
    const result = results.get(key) ?? { benchmark, parameters, values: new Map<string, number>() };
    results.set(key, result);
    for (const [metric, value] of rowValues(row, metrics)) if (Number.isFinite(value)) result.values.set(metric, value);
  }
  return { metrics: metrics.metrics, results: [...results.values()].filter(({ values }) => values.size > 0) };
}

function* rowValues(
  { label, score, error, unit: unitName }: Omit<JmhRow, "benchmark" | "parameters">,
  metrics: MetricList,
): Generator<[string, number]> {
  const unit = reportUnit(unitName);
  const statistic = (name: string, value: number, way = directionOf(unit)): [string, number] => [
    metrics.add({ name: statisticOf(unit.quantity, name), unit: unit.unit, ...way }),
    toBaseUnit(value, unit),
  ];
  const percentile = /^p[01]\./.test(label) ? percentiles.get((Number(label.slice(1)) * 100).toFixed(1)) : undefined;
  if (percentile !== undefined) yield statistic(percentile, score);
  else if (label === "") {
    yield statistic("mean", score);
    if (!Number.isNaN(error)) yield statistic("error", error, {});
  } else if (!/^p[01]\./.test(label))
    yield [metrics.add({ name: label, unit: unit.unit, synopsis: "secondary metric" }), toBaseUnit(score, unit)];
}

function report(document: JsonLocation): BenchmarkReport {
  const entries = document.list();
  const metrics = new MetricList();
  const results = entries.map((entry) => resultOf(entry, metrics));
  return { facts: factsIn(entries[0], facts), metrics: metrics.metrics, results };
}

function resultOf(entry: JsonLocation, metrics: MetricList): BenchmarkResult {
  const parameters = new Map<string, Value>();
  for (const [name, value] of entry.maybe("params")?.members() ?? [])
    parameters.set(name, parameterValue(value.text()));
  for (const name of ["mode", "threads"]) {
    const value = entry.maybe(name)?.scalar;
    if (value !== undefined && !parameters.has(name)) parameters.set(name, value);
  }
  const primary = entry.get("primaryMetric");
  const unit = reportUnit(primary.get("scoreUnit").text());
  const values = new Map(primaryValues(primary, unit, metrics));
  for (const [name, location] of entry.maybe("secondaryMetrics")?.members() ?? [])
    for (const [metric, value] of secondaryValues(name, location, unit, metrics)) values.set(metric, value);
  return { benchmark: entry.get("benchmark").text(), parameters, values };
}

function* primaryValues(
  primary: JsonLocation,
  unit: ReportUnit,
  metrics: MetricList,
): Generator<[string, number | number[]]> {
  const better = directionOf(unit);
  const samples = samplesOf(primary, unit);
  if (samples.length > 0) yield [metrics.add({ name: unit.quantity, unit: unit.unit, ...better }), samples];
  const statistic = (name: string, value: string | number | boolean | undefined, way = better): [string, number][] => {
    // JMH writes "NaN" as a string.
    if (typeof value !== "number") return [];
    return [
      [metrics.add({ name: statisticOf(unit.quantity, name), unit: unit.unit, ...way }), toBaseUnit(value, unit)],
    ];
  };
  yield* statistic("mean", primary.get("score").scalar);
  yield* statistic("error", primary.maybe("scoreError")?.scalar, {});
  const [lower, upper] = primary.maybe("scoreConfidence")?.list() ?? [];
  yield* statistic("lower", lower?.scalar);
  yield* statistic("upper", upper?.scalar);
  for (const [percent, value] of primary.maybe("scorePercentiles")?.members() ?? []) {
    const name = percentiles.get(percent);
    if (name !== undefined) yield* statistic(name, value.scalar);
  }
}

/** Those of JMH's percentiles that are also meaningful for few samples. */
const percentiles: ReadonlyMap<string, string> = new Map([
  ["0.0", "min"],
  ["50.0", "median"],
  ["90.0", "p90"],
  ["99.0", "p99"],
  ["100.0", "max"],
]);

function* secondaryValues(
  label: string,
  location: JsonLocation,
  primary: ReportUnit,
  metrics: MetricList,
): Generator<[string, number | number[]]> {
  const unit = reportUnit(location.maybe("scoreUnit")?.text() ?? "");
  // Profilers prefix their names with a middle dot.
  const name = label.replace(/^[^\p{L}\p{N}]+/u, "") || "secondary";
  const samples = samplesOf(location, unit);
  const score = location.maybe("score")?.scalar;
  if (samples.length === 0 && typeof score !== "number") return;
  const better = unit.unit === primary.unit ? directionOf(unit) : {};
  const metric = metrics.add({ name, unit: unit.unit, ...better, synopsis: "secondary metric" });
  yield [metric, samples.length > 0 ? samples : toBaseUnit(score as number, unit)];
}

function directionOf({ unit }: ReportUnit): { better?: "lower" | "higher" } {
  if (unit === "s") return { better: "lower" };
  return unit === "1/s" ? { better: "higher" } : {};
}

/** Samples of all forks, concatenated. */
function samplesOf(location: JsonLocation, unit: ReportUnit): number[] {
  const histogram = location.maybe("rawDataHistogram");
  if (histogram) return histogramSamples(histogram, unit);
  const samples: number[] = [];
  for (const fork of location.maybe("rawData")?.list() ?? [])
    for (const value of fork.numbers()) samples.push(toBaseUnit(value, unit));
  return samples;
}

/** `[value, count]` in iterations in forks. */
function histogramSamples(histogram: JsonLocation, unit: ReportUnit): number[] {
  const samples: number[] = [];
  for (const fork of histogram.list())
    for (const iteration of fork.list())
      for (const pair of iteration.list()) {
        const [value = Number.NaN, count = 0] = pair.numbers();
        if (!(count >= 0 && samples.length + count <= mostSamples)) return [];
        for (let at = 0; at < count; at++) samples.push(toBaseUnit(value, unit));
      }
  return samples;
}
