import type { BenchmarkReport, ReportMetric } from "../../../core/measurements/index.ts";
import { printedNumber, printedSeconds } from "../../../formats/text/index.ts";
import { RepeatedResults, reportLines, someLine } from "../../../formats/benchmarks/index.ts";
import { reportImporter } from "../report-importer.ts";

const metrics: readonly ReportMetric[] = [
  { name: "mean", unit: "s", better: "lower" },
  { name: "min", unit: "s", better: "lower" },
  { name: "variation", unit: "%", synopsis: "standard deviation as a part of the mean" },
];

/** Columns of the table of results, by quantity. */
const columns: ReadonlyMap<string, string> = new Map([
  ["Min", "min"],
  ["Average", "mean"],
  ["StdDev%", "variation"],
]);

/** `bench.py` of Luau: the table at the end of its output. */
export const benchmarkLuau = reportImporter({
  name: "benchmark-luau",
  synopsis: "bench.py of Luau",
  marks: "a table with the columns Test, Min, Average, StdDev% and Driver between `|`",
  sniff: (head) => (someLine(reportLines(head), (line) => headOf(line) !== undefined) ? 1 : 0),
  reports: (bytes) => [report(reportLines(bytes))],
});

function report(lines: Iterable<string>): BenchmarkReport {
  const results = new RepeatedResults();
  let head: readonly string[] | undefined;
  for (const line of lines) {
    const found = headOf(line);
    if (found) head = found;
    const cells = cellsOf(line);
    const name = cells[head?.indexOf("Test") ?? -1];
    if (
      found !== undefined ||
      head === undefined ||
      cells.length !== head.length ||
      name === undefined ||
      name === "Total"
    )
      continue;
    const values = [...columns].map(
      ([title, metric]) => [metric, numberIn(cells[head!.indexOf(title)] ?? "")] as const,
    );
    results.add(name, values, new Map([["driver", cells[head.indexOf("Driver")] ?? ""]]));
  }
  return results.report(metrics);
}

function headOf(line: string): readonly string[] | undefined {
  const cells = cellsOf(line);
  return ["Test", "Min", "Average", "StdDev%", "Driver"].every((title) => cells.includes(title)) ? cells : undefined;
}

function cellsOf(line: string): string[] {
  return line.includes(" | ") ? line.split("|").map((cell) => cell.trim()) : [];
}

function numberIn(cell: string): number {
  const [, amount = "", unit = ""] = /^([\d.]{1,30})(ms|us|s|%)$/.exec(cell) ?? [];
  return unit === "%" ? printedNumber(amount) : printedSeconds(amount, unit);
}
