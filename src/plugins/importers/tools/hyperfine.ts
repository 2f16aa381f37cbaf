import type { BenchmarkReport, BenchmarkResult, ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import {
  hyperfineTextResults,
  isHyperfineText,
  parameterNumber,
  RepeatedResults,
  reportLines,
  reportOf,
} from "../../../formats/benchmarks/index.ts";
import { type JsonLocation, embeddedDocuments } from "../../../formats/json/index.ts";
import { reportImporter } from "../report-importer.ts";

/** Metrics of each command in seconds: samples and hyperfine's statistics. */
const metrics: readonly ReportMetric[] = [
  { name: "time", unit: "s", better: "lower", synopsis: "wall time of one run of the command" },
  { name: "mean", unit: "s", better: "lower" },
  { name: "stddev", unit: "s" },
  { name: "median", unit: "s", better: "lower" },
  { name: "min", unit: "s", better: "lower" },
  { name: "max", unit: "s", better: "lower" },
  { name: "user", unit: "s", better: "lower", synopsis: "mean processor time of the program" },
  { name: "system", unit: "s", better: "lower", synopsis: "mean processor time of the kernel" },
  { name: "memory", unit: "Byte", better: "lower", synopsis: "peak resident memory of one run" },
  { name: "exit_code", whole: true, synopsis: "exit status of one run" },
];

const single = metrics.map(({ name }) => name).filter((name) => !["time", "memory", "exit_code"].includes(name));

/**
 * JSON and CSV of hyperfine 1.0 to 1.20, and its console, whose numbers are rounded; `memory_usage_byte` since 1.19.
 */
export const hyperfine = reportImporter({
  name: "hyperfine",
  synopsis: "hyperfine --export-json, --export-csv, or its console",
  marks: [
    'JSON with a list "results" whose elements have "command" and "mean", ',
    "a CSV header `command,mean,stddev,…`, or lines such as `Time (mean ± σ): …`",
  ].join(""),
  sniff: (head) => (isJson(head) || isHyperfineText(reportLines(head)) ? 1 : 0),
  reports: (bytes, file) => [
    !isJson(bytes) && isHyperfineText(reportLines(bytes))
      ? textReport([...reportLines(bytes)])
      : report(embeddedDocuments(bytes, file, "results")),
  ],
});

/** The results come first, optionally after the program's output. */
function isJson(bytes: Uint8Array): boolean {
  return /(?:^|\n)\s{0,100}\{\s{0,100}"results"\s{0,100}:\s{0,100}\[\s{0,100}\{\s{0,100}"command"\s{0,100}:/.test(
    new TextDecoder().decode(bytes.subarray(0, 1 << 16)),
  );
}

function report(documents: readonly JsonLocation[]): BenchmarkReport {
  return reportOf(
    metrics,
    documents.flatMap((document) => document.get("results").list().map(resultOf)),
  );
}

function textReport(lines: readonly string[]): BenchmarkReport {
  const results = new RepeatedResults();
  for (const { command, parameters, values } of hyperfineTextResults(lines)) results.add(command, values, parameters);
  return results.report(metrics);
}

function resultOf(result: JsonLocation): BenchmarkResult {
  const values = new Map<string, number | Float64Array>();
  const lists = [
    ["time", "times"],
    ["memory", "memory_usage_byte"],
    ["exit_code", "exit_codes"],
  ] as const;
  for (const [metric, member] of lists) {
    const list = result.maybe(member);
    if (list) values.set(metric, list.numbers());
  }
  // A single run has no deviation: null.
  for (const name of single) {
    const number = result.maybe(name);
    if (number) values.set(name, number.number());
  }
  return { benchmark: result.get("command").text(), parameters: parametersOf(result), values };
}

function parametersOf(result: JsonLocation): Map<string, Value> {
  const parameters = result.maybe("parameters")?.members() ?? [];
  return new Map(parameters.map(([name, value]) => [name, parameterNumber(value.text())]));
}
