import type { BenchmarkReport, ReportMetric } from "../../../core/measurements/index.ts";
import { printedNumber } from "../../../formats/text/index.ts";
import { RepeatedResults, reportLines } from "../../../formats/benchmarks/index.ts";
import { reportImporter } from "../report-importer.ts";

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
