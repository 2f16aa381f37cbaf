import type { BenchmarkReport, ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { prefixedNumber, printedNumber, scaledNumber } from "../../../formats/text/index.ts";
import { RepeatedResults, reportLines } from "../../../formats/benchmarks/index.ts";
import { reportImporter } from "../report-importer.ts";

const percentiles = ["50", "75", "90", "95", "99"];

const metrics: readonly ReportMetric[] = [
  { name: "rate", unit: "1/s", better: "higher", synopsis: "events, operations or transactions in a second" },
  { name: "queries", unit: "1/s", better: "higher" },
  { name: "transfer", unit: "Byte/s", better: "higher" },
  { name: "reads", unit: "1/s", better: "higher" },
  { name: "writes", unit: "1/s", better: "higher" },
  { name: "fsyncs", unit: "1/s", better: "higher" },
  { name: "read_transfer", unit: "Byte/s", better: "higher" },
  { name: "write_transfer", unit: "Byte/s", better: "higher" },
  { name: "total_time", unit: "s" },
  { name: "events", better: "higher", whole: true },
  { name: "latency_min", unit: "s", better: "lower" },
  { name: "latency_mean", unit: "s", better: "lower" },
  { name: "latency_max", unit: "s", better: "lower" },
  ...percentiles.map((each): ReportMetric => ({ name: `latency_p${each}`, unit: "s", better: "lower" })),
  { name: "interval_rate", unit: "1/s", better: "higher", synopsis: "rate in each interval of --report-interval" },
  ...percentiles.map((each): ReportMetric => ({ name: `interval_latency_p${each}`, unit: "s", better: "lower" })),
];

/** The metric of a line and a power of ten. */
const numbers: readonly (readonly [RegExp, string, number])[] = [
  [/^events per second: {1,40}([\d.]{1,30})$/, "rate", 0],
  [/^events\/s \(eps\): {1,40}([\d.]{1,30})$/, "rate", 0],
  [/^Operations performed: \d{1,20} \( {0,20}([\d.]{1,30}) ops\/sec\)$/, "rate", 0],
  [/^([\d.]{1,30}) Requests\/sec executed$/, "rate", 0],
  [/^read: {1,20}IOPS=([\d.]{1,30})(?: |$)/, "reads", 0],
  [/^write: {1,20}IOPS=([\d.]{1,30})(?: |$)/, "writes", 0],
  [/^fsync: {1,20}IOPS=([\d.]{1,30})$/, "fsyncs", 0],
  [/^Total operations: \d{1,20} \( {0,20}([\d.]{1,30}) per second\)$/, "rate", 0],
  [/^transactions: {1,40}\d{1,20} {1,20}\( {0,20}([\d.]{1,30}) per sec\.\)$/, "rate", 0],
  [/^queries: {1,40}\d{1,20} {1,20}\( {0,20}([\d.]{1,30}) per sec\.\)$/, "queries", 0],
  [/^reads\/s: {1,40}([\d.]{1,30})$/, "reads", 0],
  [/^writes\/s: {1,40}([\d.]{1,30})$/, "writes", 0],
  [/^fsyncs\/s: {1,40}([\d.]{1,30})$/, "fsyncs", 0],
  [/^(?:total time|time elapsed): {1,40}([\d.]{1,30})s$/, "total_time", 0],
  [/^total number of events: {1,40}(\d{1,15})$/, "events", 0],
  [/^min: {1,60}([\d.]{1,30})(?:ms)?$/, "latency_min", -3],
  [/^avg: {1,60}([\d.]{1,30})(?:ms)?$/, "latency_mean", -3],
  [/^max: {1,60}([\d.]{1,30})(?:ms)?$/, "latency_max", -3],
];

const mebibytes: readonly (readonly [RegExp, string])[] = [
  [/ Mi?B transferred \(([\d.]{1,30}) Mi?B\/sec\)$/, "transfer"],
  [/ Total transferred [\d.]{1,30}[KMG]b {1,4}\(([\d.]{1,30})Mb\/sec\)$/, "transfer"],
  [/^read: {1,20}IOPS=[\d.]{1,30} ([\d.]{1,30}) MiB\/s /, "read_transfer"],
  [/^write: {1,20}IOPS=[\d.]{1,30} ([\d.]{1,30}) MiB\/s /, "write_transfer"],
  [/^read, MiB\/s: {1,40}([\d.]{1,30})$/, "read_transfer"],
  [/^written, MiB\/s: {1,40}([\d.]{1,30})$/, "write_transfer"],
];

const settings: readonly (readonly [RegExp, string])[] = [
  [/^Number of threads: (\d{1,9})$/, "threads"],
  [/^(?:Prime numbers limit|Maximum prime number checked in CPU test): (\d{1,15})$/, "prime_limit"],
  [/^block size: (\S{1,20})$/i, "block_size"],
  [/^Block size (\S{1,20})$/, "block_size"],
  [/^operation: (\S{1,20})$/, "operation"],
  [/^scope: (\S{1,20})$/, "scope"],
  [/^Doing ((?:combined )?(?:sequential|random) .{1,40}) test$/, "mode"],
];

/** Lines that name the test; threads and mutex have none since 1.0. */
const tests: readonly (readonly [RegExp, string])[] = [
  [/^CPU speed:$/, "cpu"],
  [/^Running memory speed test /, "memory"],
  [/^File operations:$/, "fileio"],
  [/^(?:SQL|OLTP test) statistics:$/, "sql"],
  [/^Doing CPU performance benchmark$/, "cpu"],
  [/^Doing memory operations speed test$/, "memory"],
  [/^Operations performed: .{1,100} Other = /, "fileio"],
  [/^(?:read|write): {1,20}IOPS=/, "fileio"],
  [/^Doing thread subsystem performance test$/, "threads"],
  [/^Doing mutex performance test$/, "mutex"],
];

const begin = /^sysbench (\d{1,4}\.[\w.-]{1,40})/;

/** sysbench 0.4 to 1.1: cpu, memory, fileio, threads, mutex and the SQL benchmarks. */
export const sysbench = reportImporter({
  name: "sysbench",
  synopsis: "sysbench TEST run",
  marks: "a line `sysbench 1.0…`, and `General statistics:`, `Test execution summary:` or `Latency (ms):`",
  sniff: (head) => confidenceOf([...reportLines(head)]),
  reports: (bytes) => [report(reportLines(bytes))],
});

function confidenceOf(lines: readonly string[]): number {
  return lines.some((line) => begin.test(line)) &&
    lines.some((line) => /^(?:General statistics|Test execution summary|Latency \(ms\)):$/.test(line))
    ? 1
    : 0;
}

interface Open {
  name: string;
  readonly values: Map<string, number>;
  readonly parameters: Map<string, Value>;
  /** Lines of `--report-interval`. */
  readonly intervals: [string, number][][];
}

function report(lines: Iterable<string>): BenchmarkReport {
  const results = new RepeatedResults();
  const facts = new Map<string, Value>();
  let open: Open | undefined;
  for (const raw of lines) {
    const line = raw.trim();
    const version = begin.exec(line)?.[1];
    if (version !== undefined) {
      if (open) results.addWithIntervals(open.name, open.values, open.parameters, open.intervals);
      open = { name: "sysbench", values: new Map(), parameters: new Map(), intervals: [] };
      facts.set("sysbench", version);
    } else if (open) take(open, line);
  }
  if (open) results.addWithIntervals(open.name, open.values, open.parameters, open.intervals);
  return results.report(metrics, { facts });
}

function take(open: Open, line: string): void {
  open.name = tests.find(([pattern]) => pattern.test(line))?.[1] ?? open.name;
  for (const [pattern, metric, exponent] of numbers) {
    const text = pattern.exec(line)?.[1];
    if (text !== undefined) open.values.set(metric, scaledNumber(text, exponent));
  }
  for (const [pattern, metric] of mebibytes) {
    const text = pattern.exec(line)?.[1];
    if (text !== undefined) open.values.set(metric, prefixedNumber(text, "Mi"));
  }
  const [, percent = "", time = ""] =
    /^(?:approx\. {1,4})?(\d{1,3})(?:th)? percentile: {1,60}([\d.]{1,30})(?:ms)?$/.exec(line) ?? [];
  if (percentiles.includes(percent)) open.values.set(`latency_p${percent}`, scaledNumber(time, -3));
  const interval = intervalIn(line);
  if (interval.length > 0) open.intervals.push(interval);
  for (const [pattern, name] of settings) {
    const text = pattern.exec(line)?.[1];
    if (text !== undefined) open.parameters.set(name, /^\d{1,15}$/.test(text) ? printedNumber(text) : text);
  }
}

/** `[ 1s ] thds: 4 eps: 3017.14 lat (ms,95%): 0.36`; SQL benchmarks have `tps` and `qps`, fileio no rate. */
function intervalIn(line: string): [string, number][] {
  const [, rate] = /^\[ {0,6}\d{1,9}s ?\] thds: \d{1,9} (?:eps|tps): ([\d.]{1,30}) /.exec(line) ?? [];
  const [, percent = "", latency = ""] = / lat(?:ency)? \(ms, ?(\d{1,3})%\): ([\d.]{1,30})/.exec(line) ?? [];
  if (rate === undefined) return [];
  return [
    ["interval_rate", printedNumber(rate)],
    ...(percentiles.includes(percent)
      ? [[`interval_latency_p${percent}`, scaledNumber(latency, -3)] as [string, number]]
      : []),
  ];
}
