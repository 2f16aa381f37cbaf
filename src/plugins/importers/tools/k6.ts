import type { BenchmarkReport, BenchmarkResult, ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { hasMembers, jsonHead, JsonLocation } from "../../../formats/json/index.ts";
import {
  isK6Text,
  type K6Metric,
  k6TextMetrics,
  reportLines,
  someLine,
  MetricList,
  statisticOf,
  factsIn,
  parameterValue,
} from "../../../formats/benchmarks/index.ts";
import { reportImporter } from "../report-importer.ts";

/** What a metric of k6 contains. */
type ValueKind = "time" | "data" | "default";

const milliseconds = 1e3;

/** Built-in metrics that are times; an exported summary does not say so. */
const timed = new RegExp(
  [
    "^(?:http_req_(?!failed)|(?:iteration|group)_duration$",
    "|ws_(?:connecting|session_duration|ping)$|grpc_req_duration|browser_)",
  ].join(""),
);

/**
 * `--summary-export`, the data of `handleSummary`, and the summary at the end of a test of k6 0.30 to 1.3: one row
 * per metric and tag; `--out json`: the points of each metric and its tags.
 */
export const k6 = reportImporter({
  name: "k6",
  synopsis: "k6 --summary-export, handleSummary, --out json, or its console",
  marks: [
    'JSON with "root_group" and "metrics", among them "iterations" or "vus", ',
    "or lines such as `iterations.....: 45 1.09/s`; ",
    'or lines `{"metric":…,"type":"Point",…}`',
  ].join(""),
  sniff: (head) => {
    if (isPoints(reportLines(head))) return 1;
    const text = jsonHead(head, "{");
    if (text === "") return isK6Text(reportLines(head)) ? 1 : 0;
    return hasMembers(text, "metrics") &&
      (hasMembers(text, "iterations") || hasMembers(text, "vus")) &&
      /"(?:root_group|rate|passes)"\s*:/.test(text)
      ? 0.9
      : 0;
  },
  reports(bytes, file) {
    if (isPoints(reportLines(bytes))) return [pointsReport(bytes, file)];
    const isText = isK6Text(reportLines(bytes));
    return (isText ? textDocuments(bytes, file) : [JsonLocation.document(bytes, file)]).map(report);
  },
});

/** The summary of each test; a metric that appears again is of the next one. */
function textDocuments(bytes: Uint8Array, file: string): JsonLocation[] {
  const tests: Map<string, K6Metric>[] = [new Map()];
  for (const [name, metric] of k6TextMetrics(reportLines(bytes))) {
    if (tests.at(-1)!.has(name)) tests.push(new Map());
    tests.at(-1)!.set(name, metric);
  }
  return tests.map((metrics) => JsonLocation.members([["metrics", Object.fromEntries(metrics)]], file));
}

function report(document: JsonLocation): BenchmarkReport {
  const metrics = new MetricList();
  const members = document.get("metrics").members();
  const results = members.map(([name, location]): BenchmarkResult => ({
    ...named(name),
    values: valuesOf(name, location, metrics),
  }));
  const duration = document.maybe("state")?.maybe("testRunDurationMs")?.scalar;
  const facts = factsIn(document, [["description", "setup_data", "description"]]);
  if (typeof duration === "number") facts.set("duration", duration / milliseconds);
  return { facts, metrics: metrics.metrics, results: results.filter(({ values }) => values.size > 0) };
}

/** `http_req_duration{expected_response:true,name:login}`: the braces hold parameters. */
function named(text: string): Pick<BenchmarkResult, "benchmark" | "parameters"> {
  const at = text.endsWith("}") ? text.indexOf("{") : -1;
  if (at < 0) return { benchmark: text };
  const parameters = new Map<string, Value>();
  for (const tag of text.slice(at + 1, -1).split(",")) {
    const colon = tag.indexOf(":");
    const name = tag.slice(0, Math.max(0, colon)).trim();
    // A comma within the value of a tag would split it and make different metrics equal.
    if (name === "" || parameters.has(name)) return { benchmark: text };
    parameters.set(name, parameterValue(tag.slice(colon + 1).trim()));
  }
  return { benchmark: text.slice(0, at), parameters };
}

function valuesOf(name: string, location: JsonLocation, metrics: MetricList): Map<string, number> {
  const given = location.maybe("values") ?? location;
  const base = name.split("{", 1)[0] ?? "";
  const valueKind = valueKindOf(location.maybe("contains")?.scalar, base);
  const values = new Map<string, number>();
  for (const [member, number] of given.members()) {
    const value = number.scalar;
    const metric = metricOf(member, kindOf(location, given), valueKind, base);
    if (typeof value !== "number" || !metric) continue;
    values.set(metrics.add(metric), metric.unit === "s" ? value / milliseconds : value);
  }
  return values;
}

function valueKindOf(contains: unknown, base: string): ValueKind {
  if (contains === "time" || contains === "data" || contains === "default") return contains;
  if (timed.test(base)) return "time";
  return base.startsWith("data_") ? "data" : "default";
}

/** An exported summary shows the kind of a metric only by its members. */
function kindOf(location: JsonLocation, given: JsonLocation): string {
  const reported = location.maybe("type")?.scalar;
  if (typeof reported === "string") return reported;
  if (given.maybe("avg")) return "trend";
  if (given.maybe("passes")) return "rate";
  return given.maybe("count") ? "counter" : "gauge";
}

function metricOf(member: string, kind: string, valueKind: ValueKind, base: string): ReportMetric | undefined {
  if (kind === "trend") return trendMetric(member, valueKind);
  if (kind === "counter") return counterMetric(member, valueKind);
  if (kind === "rate") return shareMetric(member, base);
  if (member === "value") return { name: "value" };
  return member === "min" || member === "max" ? { name: `value_${member}` } : undefined;
}

const statistics: ReadonlyMap<string, string> = new Map([
  ["avg", "mean"],
  ["med", "median"],
  ["min", "min"],
  ["max", "max"],
  ["count", "count"],
]);

function trendMetric(member: string, valueKind: ValueKind): ReportMetric | undefined {
  const statistic = statistics.get(member);
  const percentile = /^p\((\d{1,3}(?:\.\d{1,10})?)\)$/.exec(member)?.[1];
  const name = statistic ?? (percentile === undefined ? undefined : `p${percentile.replace(".", "")}`);
  if (name === undefined) return undefined;
  if (name === "count") return { name };
  if (valueKind === "time") return { name, unit: "s", better: "lower" };
  return valueKind === "data"
    ? { name: statisticOf("bytes", name), unit: "Byte" }
    : { name: statisticOf("value", name) };
}

function counterMetric(member: string, valueKind: ValueKind): ReportMetric | undefined {
  if (member !== "count" && member !== "rate") return undefined;
  if (valueKind !== "data")
    return member === "count" ? { name: "count" } : { name: "rate", unit: "1/s", better: "higher" };
  return member === "count" ? { name: "bytes", unit: "Byte" } : { name: "bandwidth", unit: "Byte/s" };
}

/** For checks the passed ones count, for requests those that did not fail. */
function shareMetric(member: string, base: string): ReportMetric | undefined {
  if (member === "value" || member === "rate")
    return { name: "share", ...(base === "checks" ? { better: "higher" } : {}) };
  return member === "passes" || member === "fails" ? { name: member } : undefined;
}

/** Tags of a point that say what was measured; others, such as addresses and errors, are of single requests. */
const pointTags = ["name", "method", "status", "scenario", "group", "check", "expected_response"];

function isPoints(lines: Iterable<string>): boolean {
  return someLine(lines, (line) =>
    /^\{(?:"type":"(?:Metric|Point)"|"metric":"[^"]{1,200}","type":"(?:Metric|Point)")[,}]/.test(line),
  );
}

interface Points {
  readonly benchmark: string;
  readonly parameters: Map<string, Value>;
  readonly values: number[];
}

/** `--out json`: a line declares each metric, and one holds each measurement. Lines that are cut are left out. */
function pointsReport(bytes: Uint8Array, file: string): BenchmarkReport {
  const declared = new Map<string, JsonLocation>();
  const found = new Map<string, Points>();
  let unreadable = 0;
  for (const line of reportLines(bytes)) {
    const entry = line.startsWith("{") ? JsonLocation.within(line, file) : undefined;
    const [data, name] = [entry?.maybe("data"), entry?.maybe("metric")?.scalar];
    if (line.startsWith("{") && entry === undefined) unreadable += 1;
    if (data === undefined || typeof name !== "string") continue;
    if (entry?.maybe("type")?.scalar === "Metric") declared.set(name, data);
    else addPoint(found, name, data);
  }
  const metrics = new MetricList();
  const results = [...found.values()].map(({ benchmark, parameters, values }): BenchmarkResult => ({
    benchmark,
    parameters,
    values: new Map(pointValues(benchmark, declared.get(benchmark), values, metrics)),
  }));
  const notices = unreadable === 0 ? {} : { notices: [`skipped ${unreadable} incomplete lines`] };
  return { facts: new Map(), metrics: metrics.metrics, results, ...notices };
}

function addPoint(found: Map<string, Points>, benchmark: string, data: JsonLocation): void {
  const value = data.maybe("value")?.scalar;
  if (typeof value !== "number") return;
  const tags = data.maybe("tags");
  const parameters = new Map<string, Value>();
  for (const tag of pointTags) {
    const text = tags?.maybe(tag)?.scalar;
    if (text !== undefined && text !== "") parameters.set(tag, parameterValue(String(text)));
  }
  const key = JSON.stringify([benchmark, ...parameters]);
  const points = found.get(key) ?? { benchmark, parameters, values: [] };
  found.set(key, points);
  points.values.push(value);
}

/** Trends keep all points as samples; counters are summed, shares averaged, and gauges keep their extremes. */
function pointValues(
  benchmark: string,
  declared: JsonLocation | undefined,
  values: readonly number[],
  metrics: MetricList,
): [string, number | Float64Array][] {
  const kind = declared?.maybe("type")?.scalar;
  const valueKind = valueKindOf(declared?.maybe("contains")?.scalar, benchmark);
  const total = values.reduce((sum, value) => sum + value, 0);
  if (kind === "counter") return [[metrics.add(counterMetric("count", valueKind)!), total]];
  if (kind === "rate") return [[metrics.add(shareMetric("rate", benchmark)!), total / values.length]];
  if (kind === "gauge") {
    const [least, most] = values.reduce(
      ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
      [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
    );
    return [
      [metrics.add({ name: "value_min" }), least],
      [metrics.add({ name: "value_max" }), most],
    ];
  }
  if (valueKind === "time")
    return [
      [
        metrics.add({ name: "time", unit: "s", better: "lower" }),
        Float64Array.from(values, (value) => value / milliseconds),
      ],
    ];
  return [[metrics.add({ name: valueKind === "data" ? "bytes" : "value" }), Float64Array.from(values)]];
}
