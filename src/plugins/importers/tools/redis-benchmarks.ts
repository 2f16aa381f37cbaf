import type { BenchmarkReport, ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { JsonLocation, jsonOutline } from "../../../formats/json/index.ts";
import { printedNumber, scaledNumber } from "../../../formats/text/index.ts";
import { RepeatedResults, reportLines } from "../../../formats/benchmarks/index.ts";
import { numbersOf, LogResults, type LogReader, wordsOf } from "../log-importer.ts";
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
const latencyHead = /^ {1,20}avg {1,20}min {1,20}p50 {1,20}p95 {1,20}p99 {1,20}max$/;
const latencyRow = /^(?: {1,20}\d{1,12}\.\d{1,6}){1,6}$/;
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
    // Other lines may come between the heading and its row.
    isTable = latencyHead.test(line) || (isTable && name === undefined && !latencyRow.test(line));
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
  if (isTable && latencyRow.test(line))
    latencies.forEach((name, at) => values.set(`latency_${name}`, scaledNumber(words[at] ?? "", -3)));
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

/** Columns of memtier's table and members of its JSON: the metric and its factor. */
const memtierColumns: ReadonlyMap<string, readonly [metric: string, factor: number]> = new Map([
  ["Ops/sec", ["rate", 1]],
  ["Hits/sec", ["hits", 1]],
  ["Misses/sec", ["misses", 1]],
  ["MOVED/sec", ["moved", 1]],
  ["ASK/sec", ["ask", 1]],
  ["KB/sec", ["transfer", 1024]],
  ["Latency", ["latency_mean", 1e-3]],
  ["Avg. Latency", ["latency_mean", 1e-3]],
  ["Average Latency", ["latency_mean", 1e-3]],
  ["Min Latency", ["latency_min", 1e-3]],
  ["Max Latency", ["latency_max", 1e-3]],
  ["Count", ["requests", 1]],
]);

const perSecond = (name: string): ReportMetric => ({ name, unit: "1/s", better: "higher" });
const latency = (name: string): ReportMetric => ({ name: `latency_${name}`, unit: "s", better: "lower" });

const memtierMetrics: readonly ReportMetric[] = [
  { name: "rate", unit: "1/s", better: "higher", synopsis: "operations in a second" },
  perSecond("hits"),
  { name: "misses", unit: "1/s", better: "lower" },
  { name: "moved", unit: "1/s", better: "lower" },
  { name: "ask", unit: "1/s", better: "lower" },
  { name: "transfer", unit: "Byte/s", better: "higher" },
  ...["mean", "min", "max", "p50", "p90", "p95", "p99", "p99.9", "p99.99"].map(latency),
  { name: "requests", whole: true },
];

const memtierSection = /^(ALL STATS|BEST RUN RESULTS|WORST RUN RESULTS|AGGREGATED AVERAGE RESULTS \(\d{1,9} runs\))$/;
const memtierHead = /^Type {2,20}Ops\/sec {2,20}\S/;

/** memtier_benchmark 1.2 to 2.1: its table and `--json-out-file`. */
export const memtier = reportImporter({
  name: "memtier",
  aliases: ["memtier_benchmark"],
  synopsis: "memtier_benchmark, also with --json-out-file",
  marks: 'a line `Type  Ops/sec  Hits/sec  Misses/sec …` ; or JSON with "configuration" and "ALL STATS"',
  sniff(head) {
    const names = jsonOutline(head);
    if (names.has("configuration") && [...names].some((name) => memtierSection.test(name))) return 1;
    return [...reportLines(head)].some((line) => memtierHead.test(line)) ? 0.95 : 0;
  },
  reports(bytes, file) {
    if (jsonOutline(bytes.subarray(0, 1 << 16)).has("configuration"))
      return [memtierJson(JsonLocation.document(bytes, file))];
    const results = new LogResults(memtierMetrics);
    results.read(new MemtierReader(results), bytes);
    return [results.report()];
  },
});

class MemtierReader implements LogReader {
  readonly #results: LogResults;
  readonly #parameters = new Map<string, Value>();
  #section = "";
  #columns: readonly string[] = [];

  constructor(results: LogResults) {
    this.#results = results;
  }

  line(text: string, isCut: boolean): void {
    const line = text.trim();
    const [, count, what = ""] =
      /^(\d{1,12}) {1,12}(Threads|Connections per thread|Requests per client|Seconds)$/.exec(line) ?? [];
    if (count !== undefined) {
      if (what === "Threads") this.#parameters.clear();
      this.#parameters.set(parameterName(what), Number(count));
    } else if (memtierSection.test(line)) this.#section = line;
    else if (memtierHead.test(line)) this.#columns = line.split(/ {2,}/);
    else if (line === "") this.#columns = [];
    else if (this.#columns.length > 0 && !/^-+$/.test(line)) this.#row(wordsOf(line), isCut);
  }

  #row([name = "", ...cells]: readonly string[], isCut: boolean): void {
    const numbers = numbersOf(cells);
    if (isCut || numbers === undefined || cells.length !== this.#columns.length - 1)
      return this.#results.warn("skipped an incomplete row");
    const values = numbers.map((number, at) => columnValue(this.#columns[at + 1]!, number));
    addMemtier(this.#results, name, values, [...this.#parameters, ...sectionOf(this.#section)]);
  }
}

type MetricValue = readonly [metric: string, value: number];

/** Percentiles are `p99.9 Latency` in the table, `p99.90` in JSON. */
function columnValue(title: string, value: number): MetricValue {
  const [, percent] = /^p(\d{1,3}(?:\.\d{1,6})?)(?: Latency)?$/.exec(title) ?? [];
  if (percent !== undefined) return [`latency_p${Number(percent)}`, value * 1e-3];
  const [metric, factor] = memtierColumns.get(title) ?? [title, 1];
  return [metric, value * factor];
}

/** Commands that were never sent have a rate of 0 and no latency. */
function addMemtier(
  results: LogResults,
  name: string,
  values: readonly MetricValue[],
  parameters: readonly (readonly [string, Value])[],
): void {
  if (values.every(([, value]) => Number.isNaN(value) || value === 0)) return;
  for (const [metric] of values)
    results.metric(metric.startsWith("latency_") ? latency(metric.slice("latency_".length)) : { name: metric });
  results.add(name, values, parameters);
}

function sectionOf(section: string): [string, Value][] {
  return section === "" || section === "ALL STATS" ? [] : [["results", section.replace(/ RESULTS/, "").toLowerCase()]];
}

function parameterName(label: string): string {
  return label === "Connections per thread" ? "clients" : label.toLowerCase().replaceAll(" ", "_");
}

function memtierJson(document: JsonLocation): BenchmarkReport {
  const results = new LogResults(memtierMetrics);
  const settings = ["Threads", "Connections per thread", "Requests per client"].flatMap((name): [string, Value][] => {
    const count = document.maybe("run information")?.numberIn(name);
    return count === undefined || count < 0 ? [] : [[parameterName(name), count]];
  });
  for (const name of ["ratio", "pipeline", "data_size"]) {
    const value = document.get("configuration").maybe(name)?.scalar;
    if (value !== undefined) settings.push([name, value]);
  }
  let started = Number.NaN;
  for (const [section, statistics] of document.members()) {
    if (!memtierSection.test(section) || !statistics.isObject) continue;
    for (const [name, row] of statistics.members()) {
      if (!row.isObject) continue;
      if (name === "Runtime") started = row.numberIn("Start time") ?? started;
      if (row.maybe("Ops/sec") === undefined) continue;
      const percentiles = row.maybe("Percentile Latencies");
      const numbers = [...row.members(), ...(percentiles?.isObject === true ? percentiles.members() : [])];
      const values = numbers.flatMap(([title, value]) => {
        const isKnown = memtierColumns.has(title) || /^p\d/.test(title);
        return isKnown && value.isNumber ? [columnValue(title, value.number())] : [];
      });
      addMemtier(results, name, values, [...settings, ...sectionOf(section)]);
    }
  }
  const performed = Math.round(started * 1000);
  return { ...results.report(), ...(Number.isSafeInteger(performed) && performed > 0 ? { performed } : {}) };
}
