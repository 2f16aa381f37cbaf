import type { BenchmarkReport, ReportMetric } from "../../../core/measurements/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { RepeatedResults, reportLines, reportXml, rootName } from "../../../formats/benchmarks/index.ts";
import {
  csvCells,
  prefixedNumber,
  printedNumber,
  printedSeconds,
  type XmlElement,
} from "../../../formats/text/index.ts";
import { LogResults, logImporter, type LogReader } from "../log-importer.ts";
import { reportImporter } from "../report-importer.ts";

const milliseconds = 1e3;

const time = (name: string): ReportMetric => ({ name, unit: "s", better: "lower" });

/** YCSB 0.1 to 0.17: the text exporter, also in the middle of status lines. */
export const ycsb = logImporter({
  name: "ycsb",
  synopsis: "YCSB (text measurements)",
  marks: "lines `[OVERALL], RunTime(ms), 10110`, `[READ], AverageLatency(us), 512.3`",
  metrics: [
    time("runtime"),
    { name: "throughput", unit: "1/s", better: "higher" },
    { name: "operations", whole: true },
    ...["latency_mean", "latency_min", "latency_max", "latency_p50", "latency_p95", "latency_p99"].map(time),
  ],
  reader: (results) => new YcsbReader(results),
});

const ycsbLine = /^\[([A-Z][\w -]{0,60})\], ([A-Za-z0-9][\w.=()/%-]{0,60}), (-?[\d.]{1,30}(?:E-?\d{1,3})?|NaN)\s*$/;

class YcsbReader implements LogReader {
  readonly #results: LogResults;
  #operations = new Map<string, Map<string, number>>();

  constructor(results: LogResults) {
    this.#results = results;
  }

  line(text: string, isCut: boolean): void {
    const [, operation = "", name = "", number = ""] = ycsbLine.exec(text) ?? [];
    if (operation === "") {
      if (isCut && /^\[[A-Z][^\]]{0,60}\], [A-Z]/.test(text)) this.#results.warn("skipped an incomplete row");
      return;
    }
    // A cut number looks like a number.
    if (isCut) return this.#results.warn("skipped an incomplete row");
    if (operation === "OVERALL" && name.startsWith("RunTime")) this.end();
    // Garbage collections of the client, and buckets of histograms and time series.
    if (operation.startsWith("TOTAL_GC") || /^\d+$/.test(name)) return;
    const metric = ycsbMetric(name);
    if (metric === undefined) return;
    this.#results.metric(metric);
    const values = this.#operations.get(operation) ?? new Map<string, number>();
    this.#operations.set(operation, values);
    if (values.has(metric.name)) this.#results.warn("repeats a measurement of the same run; the first is used");
    else values.set(metric.name, printedNumber(number) / partsOf(name));
  }

  end(): void {
    for (const [operation, values] of this.#operations) this.#results.add(operation, values);
    if (this.#operations.size > 0 && !this.#operations.has("OVERALL"))
      this.#results.warn("the lines of [OVERALL] are missing");
    this.#operations = new Map();
  }
}

function ycsbMetric(name: string): ReportMetric | undefined {
  if (name.startsWith("RunTime(")) return time("runtime");
  if (name === "Throughput(ops/sec)") return { name: "throughput", unit: "1/s", better: "higher" };
  if (name === "Operations") return { name: "operations", whole: true };
  const [, statistic] = /^(Average|Min|Max)Latency\([mun]s\)$/.exec(name) ?? [];
  if (statistic !== undefined) return time(`latency_${statistic === "Average" ? "mean" : statistic.toLowerCase()}`);
  const [, percentile] = /^(\d{1,2}(?:\.\d{1,4})?)(?:st|nd|rd|th)?PercentileLatency\([mun]s\)$/.exec(name) ?? [];
  if (percentile !== undefined) return time(`latency_p${percentile.replace(".", "")}`);
  const [, status] = /^Return=(-?\w{1,40})$/.exec(name) ?? [];
  return status === undefined ? undefined : { name: `return_${status.toLowerCase()}`, whole: true };
}

/** The number of units of a measurement in one second; 1 for others. */
function partsOf(name: string): number {
  const unit = /\(([mun])s\)$/.exec(name)?.[1];
  return unit === undefined ? 1 : { m: 1e3, u: 1e6, n: 1e9 }[unit]!;
}

const jmeterMetrics: readonly ReportMetric[] = [
  ...["elapsed", "latency", "connect", "idle_time"].map(time),
  { name: "bytes", unit: "Byte" },
  { name: "sent_bytes", unit: "Byte" },
];

/** Columns of a JTL file and attributes of a sample: the metric, and the divisor to its unit. */
const jmeterColumns: ReadonlyMap<string, readonly [metric: string, over: number]> = new Map([
  ["elapsed", ["elapsed", milliseconds]],
  ["Latency", ["latency", milliseconds]],
  ["Connect", ["connect", milliseconds]],
  ["IdleTime", ["idle_time", milliseconds]],
  ["bytes", ["bytes", 1]],
  ["sentBytes", ["sent_bytes", 1]],
]);

/** Attributes of a sample, by the titles of columns. */
const xmlNames: ReadonlyMap<string, string> = new Map([
  ["t", "elapsed"],
  ["lt", "Latency"],
  ["ct", "Connect"],
  ["it", "IdleTime"],
  ["by", "bytes"],
  ["sby", "sentBytes"],
  ["lb", "label"],
  ["s", "success"],
  ["rc", "responseCode"],
]);

/** JMeter 2.3 to 5.6: JTL files with samples, as CSV with a header and as XML. */
export const jmeter = reportImporter({
  name: "jmeter",
  aliases: ["jtl"],
  synopsis: "JMeter (.jtl, CSV with a header or XML)",
  marks: "a header with `timeStamp`, `elapsed`, `label`; or XML whose root element is <testResults>",
  sniff: (head) => (rootName(head) === "testResults" ? 1 : csvResults(head).count > 0 ? 0.95 : 0),
  reports: (bytes, file) => [rootName(bytes) === "testResults" ? xmlReport(bytes, file) : csvResults(bytes).report()],
});

function csvResults(bytes: Uint8Array): LogResults {
  const results = new LogResults(jmeterMetrics);
  results.read(new JtlReader(results), bytes);
  return results;
}

const jtlHead = /^"?timeStamp"?([,;\t|])"?elapsed"?\1/;

class JtlReader implements LogReader {
  readonly #results: LogResults;
  #separator = ",";
  #titles: readonly string[] = [];
  /** The beginning of a row with a line break within quotes. */
  #started = "";
  #length = 0;

  constructor(results: LogResults) {
    this.#results = results;
  }

  line(text: string, isCut: boolean): void {
    const [, separator] = jtlHead.exec(text) ?? [];
    if (separator !== undefined) {
      this.end();
      [this.#separator, this.#length] = [separator, 0];
      this.#titles = csvCells(text, separator);
      if (!this.#titles.includes("label")) this.#titles = [];
    } else if (this.#titles.length > 0) this.#row(this.#started === "" ? text : `${this.#started}\n${text}`, isCut);
  }

  end(): void {
    if (this.#started !== "") this.#results.warn("skipped an incomplete row");
    this.#started = "";
  }

  #row(text: string, isCut: boolean): void {
    // The first column is a time: a number, or a date of the format that was set.
    if (!/^"?\d/.test(text)) return;
    const isOpen = (text.split('"').length - 1) % 2 === 1;
    this.#started = isOpen && text.length < 10_000 ? text : "";
    if (isOpen) return isCut || this.#started === "" ? this.#results.warn("skipped an incomplete row") : undefined;
    const cells = csvCells(text, this.#separator);
    const isWhole = cells.length === this.#titles.length && (!isCut || text.length >= this.#length);
    const values = new Map(this.#titles.map((title, at) => [title, cells[at] ?? ""] as const));
    if (!isWhole || !addSample(this.#results, values)) return this.#results.warn("skipped an incomplete row");
    this.#length = text.length;
  }
}

/** Returns false, without adding the sample, if its time or its name is missing. */
function addSample(results: LogResults, cells: ReadonlyMap<string, string>): boolean {
  const label = cells.get("label") ?? "";
  if (label === "" || !/^\d{1,15}$/.test(cells.get("elapsed") ?? "")) return false;
  const values = [...jmeterColumns].map(([title, [metric, over]]): [string, number] => {
    const text = cells.get(title) ?? "";
    return [metric, /^\d{1,18}$/.test(text) ? Number(text) / over : Number.NaN];
  });
  const success = cells.get("success");
  const parameters: [string, Value | undefined][] = [
    ["success", success === "true" ? true : success === "false" ? false : undefined],
    ["response_code", cells.get("responseCode")?.slice(0, 100) || undefined],
  ];
  results.add(label, values, parameters);
  return true;
}

function xmlReport(bytes: Uint8Array, file: string): BenchmarkReport {
  const root = reportXml(bytes, file);
  const results = new LogResults(jmeterMetrics);
  const version = root.attributes.get("version");
  if (version !== undefined) results.fact("testResults", version);
  for (const sample of root.children) addSamples(results, sample);
  return results.report();
}

/** Samples of embedded resources and of transactions are nested. */
function addSamples(results: LogResults, element: XmlElement): void {
  if (!/^(?:httpSample|sample)$/.test(element.name)) return;
  const cells = [...element.attributes].map(([name, text]) => [xmlNames.get(name) ?? name, text] as const);
  if (!addSample(results, new Map(cells))) {
    const problem = `<${element.name}> has no name (lb) or no time in milliseconds (t)`;
    throw new Failure("damaged-report", { file: element.file, line: element.line, problem });
  }
  for (const child of element.children) addSamples(results, child);
}

const percentiles = ["50", "75", "90", "99", "99.9", "99.99", "99.999", "100"];

const wrkMetrics: readonly ReportMetric[] = [
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
  return results.report(wrkMetrics);
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
