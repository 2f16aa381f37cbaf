import type { BenchmarkReport, ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { cargoTarget, RepeatedResults, reportLines, someLine } from "../../../formats/benchmarks/index.ts";
import { printedNumber } from "../../../formats/text/index.ts";
import { reportImporter } from "../report-importer.ts";

/** By iai's label. */
const metrics: ReadonlyMap<string, ReportMetric> = new Map([
  ["Instructions", { name: "instructions", unit: "instruction", better: "lower", whole: true }],
  ["L1 Accesses", { name: "l1_accesses", whole: true, synopsis: "served by the first cache" }],
  ["L2 Accesses", { name: "l2_accesses", whole: true, synopsis: "served by the last cache" }],
  ["RAM Accesses", { name: "ram_accesses", better: "lower", whole: true, synopsis: "served by memory" }],
  ["Estimated Cycles", { name: "estimated_cycles", unit: "cycle", better: "lower", whole: true }],
]);

/** A count, with an optional change since the last run. */
const countLine = new RegExp(
  String.raw`^ {2}(${[...metrics.keys()].join("|")}): {1,60}(\d{1,15})(?: {1,4}\([^()]{1,40}\))?$`,
);

/** iai 0.1: a name, followed by Cachegrind's counts. */
export const iai = reportImporter({
  name: "iai",
  synopsis: "cargo bench, of iai",
  marks: "lines such as `  L1 Accesses: 123` below a name",
  sniff: (head) => (someLine(reportLines(head), (line) => countLine.test(line) && line.startsWith("  L1")) ? 0.95 : 0),
  reports: (bytes) => [report(reportLines(bytes))],
});

function report(lines: Iterable<string>): BenchmarkReport {
  const results = new RepeatedResults();
  let parameters = new Map<string, Value>();
  let name = "";
  let counts: [string, number][] = [];
  const close = (): void => {
    if (name !== "") results.add(name, counts, parameters);
    counts = [];
  };
  for (const line of lines) {
    const [, label, count = ""] = countLine.exec(line) ?? [];
    if (label !== undefined) counts.push([metrics.get(label)!.name, printedNumber(count)]);
    else {
      close();
      name = /^\S/.test(line) ? line.trim() : "";
      const target = cargoTarget(line);
      if (target !== undefined) parameters = new Map([["target", target]]);
    }
  }
  close();
  return results.report([...metrics.values()]);
}
