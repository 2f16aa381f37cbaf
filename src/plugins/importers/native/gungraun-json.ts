import type { BenchmarkReport, BenchmarkResult, ReportMetric } from "../../../core/measurements/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { hasMembers, type JsonLocation, embeddedJson } from "../../../formats/json/index.ts";
import { MetricList, factsIn } from "../../../formats/benchmarks/index.ts";
import { reportImporter } from "../report-importer.ts";

/** Metrics of these tools have unique names; those of others are prefixed with the tool. */
const plainTools = new Set(["Callgrind", "DHAT"]);

/** Version of the schema of summaries; others name and nest the counts differently. */
const schemaVersion = "6";

/** `--output-format=json` and `pretty-json` of gungraun 0.17 and newer (schema version 6), also in output of cargo. */
export const gungraunJson = reportImporter({
  name: "gungraun-json",
  synopsis: "gungraun, iai-callgrind --output-format=json, pretty-json",
  marks: 'JSON objects with "benchmark_exe", "module_path" and "profiles", within any text',
  sniff: (head) => (hasMembers(new TextDecoder().decode(head), "baselines", "benchmark_exe", "module_path") ? 1 : 0),
  reports: (bytes, file) => [report(new TextDecoder().decode(bytes), file)],
});

function report(text: string, file: string): BenchmarkReport {
  const metrics = new MetricList();
  const summaries = embeddedJson(text, file).filter((each) => each.maybe("module_path") && each.maybe("package_dir"));
  for (const summary of summaries) checkVersion(summary, file);
  const results = summaries.map((summary) => resultOf(summary, metrics)).filter(({ values }) => values.size > 0);
  const facts = factsIn(summaries[0], [
    ["summary_version", "version"],
    ["package", "package_dir"],
  ]);
  return { facts, metrics: metrics.metrics, results };
}

function checkVersion(summary: JsonLocation, file: string): void {
  const version = summary.maybe("version")?.scalar;
  if (version === schemaVersion) return;
  const found = typeof version === "string" ? `version ${JSON.stringify(version.slice(0, 20))}` : "no version";
  const problem = `a summary has ${found}; only version "${schemaVersion}" can be read (gungraun 0.17 or newer)`;
  throw new Failure("damaged-report", { file, problem });
}

/** The `id` distinguishes the cases of a benchmark function. */
function resultOf(summary: JsonLocation, metrics: MetricList): BenchmarkResult {
  const parameters = new Map<string, Value>();
  const id = summary.maybe("id")?.scalar;
  if (id !== undefined) parameters.set("id", String(id));
  const values = new Map<string, number>();
  for (const profile of summary.get("profiles").list()) {
    const tool = profile.maybe("tool")?.scalar;
    for (const [, counts] of profile.maybe("summaries")?.maybe("total")?.maybe("summary")?.members() ?? [])
      for (const [name, count] of counts.isObject ? counts.members() : []) {
        const value = newValue(count.maybe("metrics"));
        if (value !== undefined) values.set(metrics.add(metricOf(String(tool), name)), value);
      }
  }
  return { benchmark: summary.get("module_path").text(), parameters, values };
}

/** `{Left: new}`, `{Both: [new, old]}`, `{Right: old}`, each `{Int: n}` or `{Float: n}`. */
function newValue(metrics: JsonLocation | undefined): number | undefined {
  const value = metrics?.maybe("Left") ?? metrics?.maybe("Both")?.list()[0];
  const number = (value?.maybe("Int") ?? value?.maybe("Float"))?.scalar;
  return typeof number === "number" ? number : undefined;
}

function metricOf(tool: string, event: string): ReportMetric {
  const isPlain = plainTools.has(tool);
  const name = isPlain ? event : `${tool}.${event}`;
  if (event === "Ir") return { name, unit: "instruction", better: "lower" };
  if (event === "EstimatedCycles") return { name, unit: "cycle", better: "lower" };
  if (event.endsWith("Rate")) return { name, unit: "%", better: event.endsWith("HitRate") ? "higher" : "lower" };
  if (tool === "DHAT") return { name, better: "lower", ...(event.endsWith("Bytes") ? { unit: "Byte" } : {}) };
  return isPlain || tool === "Cachegrind" ? { name } : { name, better: "lower" };
}
