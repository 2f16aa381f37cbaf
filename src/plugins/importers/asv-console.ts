import type { BenchmarkReport, ReportMetric } from "../../core/benchmark-report.ts";
import type { Value } from "../../core/value.ts";
import { prefixedNumber, printedSeconds } from "../../formats/text/printed-amount.ts";
import { RepeatedResults } from "../../formats/benchmarks/repeated-results.ts";
import { reportLines } from "../../formats/benchmarks/report-lines.ts";
import { reportImporter } from "./report-importer.ts";

const metrics: readonly ReportMetric[] = [
  { name: "time", unit: "s", better: "lower", synopsis: "median wall time" },
  { name: "time_deviation", unit: "s", synopsis: "half of the range between the quartiles" },
  { name: "memory", unit: "Byte", better: "lower" },
  { name: "value", synopsis: "what a track_ benchmark returns" },
];

/** `[ 30.00%] ··· text`; without Unicode the dots are full stops. */
const progress = /^\[ {0,2}[\d.]{1,6}%\] (?:\u00b7{1,4}|\.{1,4}) (.+)$/;
const result = /^(\S{1,500}) {1,400}([\d.]{1,24})(?:\u00b1([\d.]{1,24}))?([a-zA-Z\u00b5\u03bc]{0,3})$/;

/** The log of `asv run` 0.2 to 0.6. Of benchmarks with parameters it has a table, which is not read: their numbers are in asv's own results. */
export const asvConsole = reportImporter({
  name: "asv-console",
  synopsis: "asv run",
  marks: "lines as `[ 35.00%] ··· suite.time_name 11.1±0.01μs`",
  sniff: (head) => ([...reportLines(head)].some((line) => valuesOf(messageOf(line)) !== undefined) ? 0.95 : 0),
  reports: (bytes) => reports(reportLines(bytes)),
});

function messageOf(line: string): string {
  return progress.exec(line.trimEnd())?.[1] ?? "";
}

/** One for each commit, in which each environment is a parameter. */
function reports(lines: Iterable<string>): BenchmarkReport[] {
  const byCommit = new Map<string, RepeatedResults>();
  let commit = "";
  let parameters = new Map<string, Value>();
  for (const line of lines) {
    const message = messageOf(line);
    commit = /^For \S{1,200} commit ([0-9a-f]{7,40})(?: |:)/.exec(message)?.[1] ?? commit;
    const [, environment] = /^Benchmarking (\S{1,500})$/.exec(message) ?? [];
    if (environment !== undefined) parameters = new Map([["environment", environment]]);
    const found = valuesOf(message);
    if (!found) continue;
    const results = byCommit.get(commit) ?? new RepeatedResults();
    byCommit.set(commit, results);
    results.add(found.name, found.values, parameters);
  }
  return [...byCommit].map(([hash, results]) => results.report(metrics, hash === "" ? {} : { commit: hash }));
}

/** The unit tells times; of the others the name of the benchmark tells what they are. */
function valuesOf(message: string): { name: string; values: [string, number][] } | undefined {
  const [, name, amount = "", deviation = "", unit = ""] = result.exec(message) ?? [];
  if (name === undefined || !name.includes(".")) return undefined;
  const time = printedSeconds(amount, unit);
  const isMemory = /(?:^|\.)(?:peak)?mem_[^.]*$/.test(name);
  if (unit !== "" && !isMemory && !Number.isNaN(time)) {
    return {
      name,
      values: [
        ["time", time],
        ["time_deviation", printedSeconds(deviation, unit)],
      ],
    };
  }
  const value = prefixedNumber(amount, unit);
  return Number.isNaN(value) ? undefined : { name, values: [[isMemory ? "memory" : "value", value]] };
}
