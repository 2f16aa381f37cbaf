import type { BenchmarkReport, ReportMetric } from "../../../core/measurements/index.ts";
import { printedNumber, prefixedNumber } from "../../../formats/text/index.ts";
import { RepeatedResults, reportLines, someLine, numbersIn } from "../../../formats/benchmarks/index.ts";
import { reportImporter } from "../report-importer.ts";
import { hasMembers, jsonHead, JsonLocation } from "../../../formats/json/index.ts";

const metrics: readonly ReportMetric[] = [
  { name: "time", unit: "s", better: "lower", synopsis: "wall time" },
  { name: "user", unit: "s", better: "lower", synopsis: "processor time of the program" },
  { name: "system", unit: "s", better: "lower", synopsis: "processor time of the kernel" },
  { name: "total", unit: "s", better: "lower", synopsis: "processor time, with that of child processes" },
];

/** Benchmark::CAPTION and Benchmark::FORMAT of Ruby's standard library. Rehearsal rows are skipped. */
export const rubyBenchmark = reportImporter({
  name: "ruby-benchmark",
  synopsis: "Benchmark.bm and bmbm of Ruby",
  marks: "a line with the words user, system, total and real, and lines with four times, the last in parentheses",
  sniff: (head) => confidenceOf([...reportLines(head)]),
  reports: (bytes) => [report(reportLines(bytes))],
});

/** `Benchmark.measure` alone prints no caption. */
function confidenceOf(lines: readonly string[]): number {
  if (!lines.some((line) => rowOf(line) !== undefined)) return 0;
  return lines.some(isCaption) ? 1 : 0.6;
}

function report(lines: Iterable<string>): BenchmarkReport {
  const results = new RepeatedResults();
  let isRehearsal = false;
  for (const line of lines) {
    if (isCaption(line)) isRehearsal = false;
    if (/^Rehearsal -*$/.test(line)) isRehearsal = true;
    const row = isRehearsal ? undefined : rowOf(line);
    if (row) results.add(row.label, row.values);
  }
  return results.report(metrics);
}

function isCaption(line: string): boolean {
  return /^user {1,20}system {1,20}total {1,20}real$/.test(line.trim());
}

/** `label  0.95  0.00  0.95 (  0.952)`; the label may be empty. */
function rowOf(line: string): { label: string; values: [string, number][] } | undefined {
  const from = line.endsWith(")") ? line.lastIndexOf("(") : -1;
  const words = from < 0 ? [] : line.slice(0, from).trim().split(/\s+/);
  const amounts = [line.slice(from + 1, -1).trim(), ...words.slice(-3)];
  if (amounts.length < 4 || !amounts.every((word) => /^\d{1,12}\.\d{1,9}$/.test(word))) return undefined;
  const label = words.slice(0, -3).join(" ");
  return { label, values: metrics.map(({ name }, at) => [name, printedNumber(amounts[at]!)]) };
}

const ipsMetrics: readonly ReportMetric[] = [
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
  return results.report(ipsMetrics);
}

/** The gem prints longer labels on a line of their own. */
const longestInline = 20;

/** A rate of warming up, after the label as in results. */
const warmUp = /(?:^|\s) {0,60}[\d.]{1,20}[kMBTQ]? {1,8}i\/100ms$/;

function textReport(lines: Iterable<string>): BenchmarkReport {
  const results = new RepeatedResults();
  const notices: string[] = [];
  /** Long labels that were warmed up and have no result yet: other programs may print below a label. */
  let awaited: string[] = [];
  let [last, number] = ["", 0];
  for (const line of lines) {
    number += 1;
    const above = last.length > longestInline ? last : undefined;
    const values = valuesOf(line);
    const inline = line.slice(0, (values ? measured : warmUp).exec(line)?.index).trim();
    if (values) {
      const name = inline !== "" ? inline : above !== undefined && !isForeign(above, awaited) ? above : awaited[0];
      if (name === undefined) notices.push(`line ${number} was skipped: no label is above this rate`);
      else results.add(name, values);
      awaited = awaited.filter((label) => label !== name);
    } else if (inline === "" && warmUp.test(line) && above !== undefined) awaited.push(above);
    last = line.trim();
  }
  return results.report(ipsMetrics, notices.length === 0 ? {} : { notices });
}

function isForeign(label: string, awaited: readonly string[]): boolean {
  return awaited.length > 0 && !awaited.includes(label);
}

function valuesOf(line: string): [string, number][] | undefined {
  const [, amount, prefix = "", margin = ""] = line.includes(" i/s") ? (measured.exec(line) ?? []) : [];
  if (amount === undefined) return undefined;
  return [
    ["rate", prefixedNumber(amount, prefixes.get(prefix) ?? prefix)],
    ["margin", printedNumber(margin)],
  ];
}
