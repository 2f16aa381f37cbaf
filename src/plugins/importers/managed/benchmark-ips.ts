import type { BenchmarkReport, ReportMetric } from "../../../core/measurements/index.ts";
import { RepeatedResults, reportLines, someLine, numbersIn } from "../../../formats/benchmarks/index.ts";
import { hasMembers, jsonHead, JsonLocation } from "../../../formats/json/index.ts";
import { prefixedNumber, printedNumber } from "../../../formats/text/index.ts";
import { reportImporter } from "../report-importer.ts";

const metrics: readonly ReportMetric[] = [
  { name: "rate", unit: "1/s", better: "higher", synopsis: "iterations in a second" },
  { name: "rate_stddev", unit: "1/s" },
  { name: "margin", unit: "%", synopsis: "how far the rate varies" },
  { name: "iterations", better: "higher", whole: true },
];

/** Follows the label, which has its own line if it is long. */
const measured = /(?:^|\s) {0,60}([\d.]{1,20})([kMBTQ]?) {1,8}\(\u00b1 {0,4}([\d.]{1,10})%\) i\/s(?: |$)/;

/** The gem writes B for billions. */
const prefixes: ReadonlyMap<string, string> = new Map([
  ["B", "G"],
  ["Q", "P"],
]);

/** Output of the gem benchmark-ips 2, and its `json!`. */
export const benchmarkIps = reportImporter({
  name: "benchmark-ips",
  synopsis: "Benchmark.ips of Ruby, also json!",
  marks: [
    "lines such as `label 15.080M (±28.7%) i/s - …`, ",
    'or JSON: a list whose elements have "central_tendency" and "ips"',
  ].join(""),
  sniff: (head) => (isJson(head) || someLine(reportLines(head), (line) => valuesOf(line) !== undefined) ? 1 : 0),
  reports: (bytes, file) => [
    isJson(bytes) ? jsonReport(JsonLocation.document(bytes, file)) : textReport(reportLines(bytes)),
  ],
});

function isJson(bytes: Uint8Array): boolean {
  return hasMembers(jsonHead(bytes.subarray(0, 1 << 16), "["), "central_tendency", "ips", "microseconds");
}

function jsonReport(document: JsonLocation): BenchmarkReport {
  const results = new RepeatedResults();
  const members = [
    ["rate", "ips"],
    ["rate_stddev", "stddev"],
    ["iterations", "iterations"],
  ] as const;
  for (const entry of document.list()) results.add(entry.get("name").text(), numbersIn(entry, members));
  return results.report(metrics);
}

function textReport(lines: Iterable<string>): BenchmarkReport {
  const results = new RepeatedResults();
  let last = "";
  for (const line of lines) {
    const values = valuesOf(line);
    if (values) results.add(line.slice(0, measured.exec(line)?.index).trim() || last, values);
    last = line.trim();
  }
  return results.report(metrics);
}

function valuesOf(line: string): [string, number][] | undefined {
  const [, amount, prefix = "", margin = ""] = line.includes(" i/s") ? (measured.exec(line) ?? []) : [];
  if (amount === undefined) return undefined;
  return [
    ["rate", prefixedNumber(amount, prefixes.get(prefix) ?? prefix)],
    ["margin", printedNumber(margin)],
  ];
}
