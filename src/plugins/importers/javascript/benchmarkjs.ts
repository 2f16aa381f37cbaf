import type { ReportMetric } from "../../../core/measurements/index.ts";
import { printedNumber } from "../../../formats/text/index.ts";
import { RepeatedResults, reportLines, someLine } from "../../../formats/benchmarks/index.ts";
import { reportImporter } from "../report-importer.ts";

const metrics: readonly ReportMetric[] = [
  { name: "rate", unit: "1/s", better: "higher", synopsis: "mean number of operations in a second" },
  { name: "margin", unit: "%", synopsis: "relative margin of error of the mean, at 95 %" },
  { name: "samples", better: "higher", whole: true },
];

const measured = /^ x ([\d,.]{1,40}) ops\/sec \u00b1([\d,.]{1,20})% \((\d{1,9}) runs? sampled\)$/;

/** Benchmark.js 1 and 2 (`Benchmark.prototype.toString`), and benny, which has the same output. */
export const benchmarkjs = reportImporter({
  name: "benchmarkjs",
  synopsis: "String(benchmark) of Benchmark.js",
  marks: "lines such as `name x 1,234 ops/sec ±0.74% (93 runs sampled)`",
  sniff: (head) => (someLine(reportLines(head), (line) => resultOf(line) !== undefined) ? 1 : 0),
  reports: (bytes) => {
    const results = new RepeatedResults();
    for (const line of reportLines(bytes)) {
      const result = resultOf(line);
      if (result) results.add(result.name, result.values);
    }
    return [results.report(metrics)];
  },
});

function resultOf(line: string): { name: string; values: [string, number][] } | undefined {
  const end = line.lastIndexOf(" x ");
  const [, rate, margin = "", samples = ""] = end < 1 ? [] : (measured.exec(line.slice(end).trimEnd()) ?? []);
  if (rate === undefined || Number.isNaN(printedNumber(rate))) return undefined;
  const values: [string, number][] = [
    ["rate", printedNumber(rate)],
    ["margin", printedNumber(margin)],
    ["samples", printedNumber(samples)],
  ];
  return { name: line.slice(0, end).trim(), values };
}
