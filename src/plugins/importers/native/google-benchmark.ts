import type { BenchmarkReport } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import {
  googleReport,
  perSecond,
  type GoogleEntry,
  googleTextEntries,
  isGoogleText,
  performedAt,
  reportLines,
} from "../../../formats/benchmarks/index.ts";
import { hasMembers, type JsonLocation, embeddedDocuments } from "../../../formats/json/index.ts";
import { reportImporter } from "../report-importer.ts";

/** Numbers of an entry that are neither measurements nor user counters. */
const notMeasured = new Set([
  "family_index",
  "per_family_instance_index",
  "repetitions",
  "repetition_index",
  "threads",
  "real_time",
  "cpu_time",
]);

/** JSON, CSV and the console of Google Benchmark 1.0 to 1.9. */
export const googleBenchmark = reportImporter({
  name: "google-benchmark",
  synopsis: "Google Benchmark: --benchmark_format=json, csv, or its console",
  marks: [
    'JSON with a list "benchmarks" whose elements have "real_time", "cpu_time" and "time_unit", ',
    "a header `Benchmark Time CPU Iterations`, or `name,iterations,real_time,cpu_time,time_unit`",
  ].join(""),
  sniff: (head) => (isJson(head) || isGoogleText(reportLines(head)) ? 1 : 0),
  reports: (bytes, file) =>
    isGoogleText(reportLines(bytes))
      ? [googleReport(googleTextEntries([...reportLines(bytes)]))]
      : embeddedDocuments(bytes, file, "context", "benchmarks").map(report),
});

function isJson(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head);
  return /^\s{0,100}\{/m.test(text) && hasMembers(text, "benchmarks", "real_time", "cpu_time", "time_unit");
}

function report(document: JsonLocation): BenchmarkReport {
  const context = document.maybe("context")?.members() ?? [];
  const entries = document.get("benchmarks").list();
  const regular = entriesOf(entries, false);
  const facts = context.flatMap(([name, value]): [string, Value][] =>
    value.scalar === undefined || name === "date" || name === "json_schema_version" ? [] : [[name, value.scalar]],
  );
  const rest = { facts: new Map(facts), ...performedAt(document.maybe("context")?.maybe("date")?.scalar) };
  // Without regular entries, aggregates of other kinds are used.
  return googleReport(regular.length > 0 ? regular : entriesOf(entries, true), rest);
}

function entriesOf(entries: readonly JsonLocation[], takesAggregates: boolean): GoogleEntry[] {
  return entries.flatMap((entry): GoogleEntry[] => {
    if (
      entry.maybe("error_occurred")?.scalar === true ||
      entry.maybe("skipped")?.scalar === true ||
      !entry.maybe("real_time")
    )
      return [];
    const isAggregate = entry.maybe("run_type")?.scalar === "aggregate" && !takesAggregates;
    const statistic = isAggregate ? statisticIn(entry) : undefined;
    if (isAggregate && statistic === undefined) return [];
    const name = (takesAggregates ? undefined : entry.maybe("run_name")?.text()) ?? entry.get("name").text();
    const over = statistic === "cv" ? 1 : divisorOf(entry);
    const [real, cpu] = [
      entry.get("real_time").number() / over,
      (entry.maybe("cpu_time")?.number() ?? Number.NaN) / over,
    ];
    return [
      { name, ...(statistic === undefined ? { numbers: countersIn(entry) } : { statistic, numbers: [] }), real, cpu },
    ];
  });
}

function countersIn(entry: JsonLocation): [string, number][] {
  return entry
    .members()
    .flatMap(([name, location]): [string, number][] =>
      location.isNumber && !notMeasured.has(name) ? [[name, location.number()]] : [],
    );
}

/**
 * The name of a statistic over repetitions; undefined for complexity fits and for ratios other than the coefficient
 * of variation.
 */
function statisticIn(entry: JsonLocation): string | undefined {
  const name = entry.maybe("aggregate_name")?.scalar;
  if (typeof name !== "string" || name === "BigO" || name === "RMS") return undefined;
  return name !== "cv" && entry.maybe("aggregate_unit")?.scalar === "percentage" ? undefined : name;
}

function divisorOf(entry: JsonLocation): number {
  const unit = entry.maybe("time_unit")?.text() ?? "ns";
  const over = perSecond.get(unit);
  if (over !== undefined) return over;
  const problem = `${entry.path}.time_unit: '${unit.slice(0, 40)}' is not ns, us, ms or s`;
  throw new Failure("damaged-report", { file: entry.file, problem });
}
