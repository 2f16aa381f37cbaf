import type { BenchmarkReport, ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { printedNumber, scaledNumber } from "../../../formats/text/index.ts";
import { RepeatedResults, reportLines } from "../../../formats/benchmarks/index.ts";
import { reportImporter } from "../report-importer.ts";

const latencies = ["mean", "min", "p50", "p95", "p99", "max"] as const;

const metrics: readonly ReportMetric[] = [
  { name: "rate", unit: "1/s", better: "higher", synopsis: "requests in a second" },
  ...latencies.map((each): ReportMetric => ({ name: `latency_${each}`, unit: "s", better: "lower" })),
  { name: "requests", better: "higher", whole: true },
];

const heading = /^====== (.{1,500}) ======$/;
const completed = /^ {1,8}(\d{1,15}) requests completed in [\d.]{1,20} seconds$/;
const quick = /^(\S.{0,500}): ([\d.]{1,20}) requests per second(?:, p50=([\d.]{1,20}) msec)?$/;
const cells = /^"[^"]{1,500}","[\d.]{1,20}"(?:,"[\d.]{1,20}"){0,6}$/;
const csvHead = '"test","rps",';

/** redis-benchmark (and valkey-benchmark) 2.6 to 8: its text, `-q` and `--csv`. */
export const redisBenchmark = reportImporter({
  name: "redis-benchmark",
  aliases: ["valkey-benchmark"],
  synopsis: "redis-benchmark, also with --csv or -q",
  marks: [
    "a heading `====== SET ======` before `100000 requests completed in`, ",
    'lines such as `SET: 123.4 requests per second`, or a CSV header `"test","rps"`',
  ].join(""),
  sniff: (head) => confidenceOf([...reportLines(head)]),
  reports: (bytes) => [report(reportLines(bytes))],
});

function confidenceOf(lines: readonly string[]): number {
  if (lines.some((line) => line.startsWith(csvHead) || completed.test(line))) return 1;
  return lines.some((line) => quick.test(line.trimEnd())) ? 0.9 : 0;
}

interface Open {
  readonly name: string;
  readonly values: Map<string, number>;
  readonly parameters: Map<string, Value>;
}

function report(lines: Iterable<string>): BenchmarkReport {
  const results = new RepeatedResults();
  let open: Open | undefined;
  let isTable = false;
  for (const raw of lines) {
    const line = raw.trimEnd();
    const name = heading.exec(line.trimStart())?.[1];
    if (name !== undefined) {
      if (open) results.add(open.name, open.values, open.parameters);
      open = { name, values: new Map(), parameters: new Map() };
    }
    const single = cells.test(line) ? csvResult(line) : quickResult(line);
    if (single) results.add(single.name, single.values);
    else if (open) take(open, line, isTable);
    isTable = /^ {1,20}avg {1,20}min {1,20}p50 {1,20}p95 {1,20}p99 {1,20}max$/.test(line);
  }
  if (open) results.add(open.name, open.values, open.parameters);
  return results.report(metrics);
}

function take({ values, parameters }: Open, line: string, isTable: boolean): void {
  const [, requests] = completed.exec(line) ?? [];
  if (requests !== undefined) values.set("requests", Number(requests));
  const [, clients] = /^ {1,8}(\d{1,9}) parallel clients$/.exec(line) ?? [];
  if (clients !== undefined) parameters.set("clients", Number(clients));
  const [, payload] = /^ {1,8}(\d{1,12}) bytes payload$/.exec(line) ?? [];
  if (payload !== undefined) parameters.set("payload", Number(payload));
  const [, rate] = /^(?: {1,8}throughput summary: )?([\d.]{1,20}) requests per second$/.exec(line) ?? [];
  if (rate !== undefined) values.set("rate", printedNumber(rate));
  const words = line.trim().split(/\s+/);
  if (isTable) latencies.forEach((name, at) => values.set(`latency_${name}`, scaledNumber(words[at] ?? "", -3)));
}

function quickResult(line: string): { name: string; values: [string, number][] } | undefined {
  const [, name, rate = "", median = ""] = quick.exec(line) ?? [];
  if (name === undefined) return undefined;
  const values: [string, number][] = [
    ["rate", printedNumber(rate)],
    ["latency_p50", scaledNumber(median, -3)],
  ];
  return { name, values };
}

/** `"test","rps","avg_latency_ms",…`; older versions have only the first two. */
function csvResult(line: string): { name: string; values: [string, number][] } {
  const [name = "", rate = "", ...times] = line.slice(1, -1).split('","');
  const latency = latencies.map((each, at): [string, number] => [`latency_${each}`, scaledNumber(times[at] ?? "", -3)]);
  return { name, values: [["rate", printedNumber(rate)], ...latency] };
}
