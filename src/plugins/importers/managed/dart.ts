import type { ReportMetric } from "../../../core/measurements/index.ts";
import { printedSeconds } from "../../../formats/text/index.ts";
import { RepeatedResults, reportLines, someLine } from "../../../formats/benchmarks/index.ts";
import { reportImporter } from "../report-importer.ts";

const metrics: readonly ReportMetric[] = [
  { name: "time", unit: "s", better: "lower", synopsis: "mean wall time of ten calls of `run`" },
];

/** Follows the name. Older versions omit the full stop. */
const score = /^\(RunTime\): ([\d.]{1,30}(?:e[+-]?\d{1,3})?) (us|ms|ns|s)\.?$/;

/** The PrintEmitter of Dart's benchmark_harness 1 and 2. */
export const dart = reportImporter({
  name: "dart",
  synopsis: "benchmark_harness of Dart",
  marks: "lines such as `Name(RunTime): 12.3 us.`",
  sniff: (head) => (someLine(reportLines(head), (line) => resultOf(line) !== undefined) ? 1 : 0),
  reports: (bytes) => {
    const results = new RepeatedResults();
    for (const line of reportLines(bytes)) {
      const result = resultOf(line);
      if (result) results.add(result.name, [["time", result.time]]);
    }
    return [results.report(metrics)];
  },
});

function resultOf(line: string): { name: string; time: number } | undefined {
  const end = line.lastIndexOf("(RunTime): ");
  const [, amount, unit = ""] = end < 1 ? [] : (score.exec(line.slice(end).trimEnd()) ?? []);
  const time = amount === undefined ? Number.NaN : printedSeconds(amount, unit);
  return Number.isNaN(time) ? undefined : { name: line.slice(0, end).trim(), time };
}
