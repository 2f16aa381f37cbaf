import type { BenchmarkReport, ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { prefixedNumber, printedNumber, printedSeconds } from "../../../formats/text/index.ts";
import { RepeatedResults, reportLines } from "../../../formats/benchmarks/index.ts";
import { reportImporter } from "../report-importer.ts";

const percentiles = ["50", "75", "90", "99", "99.9", "99.99", "99.999", "100"];

const metrics: readonly ReportMetric[] = [
  { name: "rate", unit: "1/s", better: "higher", synopsis: "requests in a second" },
  { name: "transfer", unit: "Byte/s", better: "higher" },
  { name: "latency_mean", unit: "s", better: "lower" },
  { name: "latency_stddev", unit: "s" },
  { name: "latency_max", unit: "s", better: "lower" },
  ...percentiles.map((each): ReportMetric => ({ name: `latency_p${each}`, unit: "s", better: "lower" })),
  { name: "requests", better: "higher", whole: true },
  { name: "refused", better: "lower", whole: true, synopsis: "responses that are neither 2xx nor 3xx" },
  { name: "errors", better: "lower", whole: true, synopsis: "errors of sockets" },
];

const begin = /^Running (\S{1,12}) test @ (\S{1,2000})$/;
const rate = /^(Requests|Transfer)\/sec: {1,20}([\d.]{1,20})([KMGT]?)B?$/;
const latency =
  /^ {1,8}Latency {1,20}([\d.]{1,12})(us|ms|s|m|h) {1,20}([\d.]{1,12})(us|ms|s|m|h) {1,20}([\d.]{1,12})(us|ms|s|m|h) /;
const percentile = /^ {0,8}([\d.]{1,8})% {1,20}([\d.]{1,12})(us|ms|s|m|h)$/;

/** wrk 4, and wrk2 with corrected latencies. Its kilobytes are 1024 bytes. */
export const wrk = reportImporter({
  name: "wrk",
  aliases: ["wrk2"],
  synopsis: "wrk, wrk --latency",
  marks: "a line `Running 10s test @ URL`, and one as `Requests/sec: 1234.56`",
  sniff: (head) => confidenceOf([...reportLines(head)]),
  reports: (bytes) => [report(reportLines(bytes))],
});

function confidenceOf(lines: readonly string[]): number {
  return lines.some((line) => begin.test(line)) && lines.some((line) => rate.test(line)) ? 1 : 0;
}

function report(lines: Iterable<string>): BenchmarkReport {
  const results = new RepeatedResults();
  let open: { url: string; values: Map<string, number>; parameters: Map<string, Value> } | undefined;
  for (const line of lines) {
    const [, duration = "", url] = begin.exec(line) ?? [];
    if (url !== undefined) {
      if (open) results.add(open.url, open.values, open.parameters);
      open = { url, values: new Map(), parameters: new Map<string, Value>([["duration", duration]]) };
    }
    const [, threads, connections = ""] = /^ {1,8}(\d{1,9}) threads? and (\d{1,9}) connections?$/.exec(line) ?? [];
    if (threads !== undefined) open?.parameters.set("threads", Number(threads)).set("connections", Number(connections));
    for (const [metric, value] of valuesOf(line))
      if (open?.values.has(metric) === false) open.values.set(metric, value);
  }
  if (open) results.add(open.url, open.values, open.parameters);
  return results.report(metrics);
}

function valuesOf(line: string): [string, number][] {
  const [, what, amount = "", prefix = ""] = rate.exec(line) ?? [];
  if (what === "Requests") return [["rate", printedNumber(amount)]];
  if (what !== undefined) return [["transfer", prefixedNumber(amount, prefix === "" ? "" : `${prefix}i`)]];
  const times = latency.exec(line);
  if (times) {
    const names = ["latency_mean", "latency_stddev", "latency_max"];
    return names.map((name, at) => [name, printedSeconds(times[2 * at + 1]!, times[2 * at + 2]!)]);
  }
  const [, percent = "", time = "", unit = ""] = percentile.exec(line.trimEnd()) ?? [];
  if (percentiles.includes(String(Number(percent))))
    return [[`latency_p${Number(percent)}`, printedSeconds(time, unit)]];
  return countsOf(line);
}

function countsOf(line: string): [string, number][] {
  const [, requests] = /^ {1,8}(\d{1,15}) requests in /.exec(line) ?? [];
  if (requests !== undefined) return [["requests", Number(requests)]];
  const [, refused] = /^ {1,8}Non-2xx or 3xx responses: (\d{1,15})$/.exec(line) ?? [];
  if (refused !== undefined) return [["refused", Number(refused)]];
  const counts = /^ {1,8}Socket errors: connect (\d{1,15}), read (\d{1,15}), write (\d{1,15}), timeout (\d{1,15})$/
    .exec(line)
    ?.slice(1);
  return counts ? [["errors", counts.reduce((sum, count) => sum + Number(count), 0)]] : [];
}
