import type { BenchmarkReport, BenchmarkResult } from "../../../core/measurements/index.ts";
import { hasMembers, jsonHead, JsonLocation } from "../../../formats/json/index.ts";
import { MetricList, statisticOf, toBaseUnit, reportUnit, type ReportUnit } from "../../../formats/benchmarks/index.ts";
import { reportImporter } from "../report-importer.ts";

/** Criterion's files are in nanoseconds. */
const nanoseconds = reportUnit("ns");

/** A number with its confidence interval. */
interface Estimate {
  readonly value: JsonLocation;
  readonly lower?: JsonLocation | undefined;
  readonly upper?: JsonLocation | undefined;
}

/**
 * `cargo criterion --message-format=json`, and `estimates.json` and `sample.json` of
 * `target/criterion/BENCHMARK/new/`, which are named after their folder.
 */
export const criterionJson = reportImporter({
  name: "criterion-json",
  synopsis: "cargo criterion --message-format=json; Criterion's estimates.json, sample.json",
  marks: 'lines of JSON with "reason": "benchmark-complete", or an object with estimates or samples of Criterion',
  sniff: (head) => {
    const text = new TextDecoder().decode(head);
    if (/"reason"\s*:\s*"benchmark-complete"/.test(text)) return 1;
    const single = jsonHead(head, "{");
    return hasMembers(single, "confidence_interval", "point_estimate", "standard_error") ||
      hasMembers(single, "sampling_mode", "iters", "times")
      ? 1
      : 0;
  },
  reports: (bytes, file) => [report(bytes, file)],
});

function report(bytes: Uint8Array, file: string): BenchmarkReport {
  const metrics = new MetricList();
  const text = new TextDecoder().decode(bytes);
  const messages = text.includes('"reason"') ? messagesIn(text, file) : [];
  const results =
    messages.length > 0
      ? messages.map((message) => messageResult(message, metrics))
      : [folderResult(JsonLocation.document(bytes, file), metrics)];
  return { metrics: metrics.metrics, results: results.filter(({ values }) => values.size > 0) };
}

/** Skips messages of cargo and lines that are not messages. */
function messagesIn(text: string, file: string): JsonLocation[] {
  const lines = text.split("\n").filter((line) => line.includes('"benchmark-complete"'));
  const messages = lines.map((line) => JsonLocation.within(line, file));
  return messages
    .filter((message) => message !== undefined)
    .filter((message) => message.maybe("reason")?.scalar === "benchmark-complete");
}

function messageResult(message: JsonLocation, metrics: MetricList): BenchmarkResult {
  const unit = reportUnit(message.get("unit").text());
  const counts = message.get("iteration_count").numbers();
  const values = new Map<string, number | Float64Array>(
    samples(message.get("measured_values").numbers(), counts, unit, metrics),
  );
  const statistics = ["mean", "median", "median_abs_dev", "slope"].flatMap((name) =>
    estimate(name, message.maybe(name)),
  );
  for (const [name, value] of estimates(
    [...estimate("typical", message.maybe("typical")), ...statistics],
    unit,
    metrics,
  ))
    values.set(name, value);
  return { benchmark: message.get("id").text(), values };
}

function estimate(name: string, location: JsonLocation | undefined): [string, Estimate][] {
  if (!location) return [];
  const interval = location.maybe("confidence_interval") ?? location;
  const value = location.maybe("point_estimate") ?? location.get("estimate");
  return [[name, { value, lower: interval.maybe("lower_bound"), upper: interval.maybe("upper_bound") }]];
}

/** Times of one iteration. */
function* samples(
  measured: Float64Array,
  counts: Float64Array,
  unit: ReportUnit,
  metrics: MetricList,
): Generator<[string, Float64Array]> {
  const each = measured
    .map((value, at) => toBaseUnit(value / (counts[at] ?? Number.NaN), unit))
    .map((value) => (Number.isFinite(value) ? value : Number.NaN));
  if (each.length === 0) return;
  yield [metrics.add({ name: unit.quantity, unit: unit.unit, ...directionOf(unit) }), each];
  yield [metrics.add({ name: "iterations", better: "higher", synopsis: "iterations in a sample" }), counts];
}

/** The first estimate is the one Criterion prints; its interval is `lower` and `upper`. */
function* estimates(
  found: readonly [string, Estimate][],
  unit: ReportUnit,
  metrics: MetricList,
): Generator<[string, number]> {
  const better = directionOf(unit);
  for (const [at, [name, { value, lower, upper }]] of found.entries()) {
    const metric = (statistic: string, way = better): string =>
      metrics.add({ name: statisticOf(unit.quantity, statistic), unit: unit.unit, ...way });
    yield [metric(name, name.includes("dev") ? {} : better), toBaseUnit(value.number(), unit)];
    if (at > 0) continue;
    if (lower) yield [metric("lower"), toBaseUnit(lower.number(), unit)];
    if (upper) yield [metric("upper"), toBaseUnit(upper.number(), unit)];
  }
}

function directionOf({ unit }: ReportUnit): { better?: "lower" } {
  return unit === "s" || unit === "cycle" || unit === "instruction" ? { better: "lower" } : {};
}

function folderResult(document: JsonLocation, metrics: MetricList): BenchmarkResult {
  const benchmark = folderName(document.file);
  const counts = document.maybe("iters");
  if (counts)
    return {
      benchmark,
      values: new Map(samples(document.get("times").numbers(), counts.numbers(), nanoseconds, metrics)),
    };
  // The slope if the numbers of iterations vary, as in Criterion.
  const typical = estimate("typical", document.maybe("slope") ?? document.maybe("mean"));
  const named = { mean: "mean", median: "median", stddev: "std_dev", median_abs_dev: "median_abs_dev", slope: "slope" };
  const statistics = Object.entries(named).flatMap(([name, member]) => estimate(name, document.maybe(member)));
  return { benchmark, values: new Map(estimates([...typical, ...statistics], nanoseconds, metrics)) };
}

/** `target/criterion/sort/1000/new/estimates.json` is `sort/1000`; other paths give the name of the file. */
function folderName(file: string): string {
  const parts = file.split(/[\\/]/);
  const from = parts.lastIndexOf("criterion", parts.length - 4) + 1;
  return from > 0 ? parts.slice(from, -2).join("/") : parts.at(-1)!.replace(/\.json$/, "");
}
