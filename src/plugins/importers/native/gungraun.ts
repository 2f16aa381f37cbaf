import { Failure } from "../../../core/failures/index.ts";
import type { BenchmarkReport, BenchmarkResult, ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import {
  cargoTarget,
  factsIn,
  MetricList,
  RepeatedResults,
  reportLines,
  someLine,
} from "../../../formats/benchmarks/index.ts";
import { embeddedJson, hasMembers, type JsonLocation } from "../../../formats/json/index.ts";
import { printedNumber } from "../../../formats/text/index.ts";
import { reportImporter } from "../report-importer.ts";

/** `Label:  new|old (change)`: the new number counts. Missing ones are N/A. */
const metricLine = /^ {2}([A-Za-z][\w +-]{0,39}): {1,60}([\d.]{1,24}|N\/A)\|(?:[\d.]{1,24}|N\/A) {1,60}\(/;
const toolLine = /^ {2}=======? ([A-Z][\w-]{1,30})(?: \([^()]{1,40}\))? ={3,200}$/;

/**
 * The first line of a name, `module::group::function id:arguments`; arguments with line breaks continue on further
 * lines.
 */
const nameLine = /^[\p{L}_]\w{0,200}(?:::\w{1,200}){1,40}(?= |$)/u;

/** Tools with labels that need no prefix. */
const plainTools: ReadonlySet<string> = new Set(["CALLGRIND", "DHAT", "MEMCHECK"]);

/** The console output of gungraun and of iai-callgrind, its older name, since 0.3. */
export const gungraun = reportImporter({
  name: "gungraun",
  aliases: ["iai-callgrind"],
  synopsis: "cargo bench, of gungraun (iai-callgrind)",
  marks: "lines such as `  Instructions: 1234|N/A (*********)` below a name with `::`",
  sniff: (head) => (someLine(reportLines(head), (line) => metricLine.test(line)) ? 0.95 : 0),
  reports: (bytes) => [report(reportLines(bytes))],
});

function report(lines: Iterable<string>): BenchmarkReport {
  const results = new RepeatedResults();
  const metrics = new Map<string, ReportMetric>();
  for (const { name, values } of benchmarksIn(lines, metrics)) {
    const { benchmark, parameters } = partsOf(name);
    results.add(benchmark, values, parameters);
  }
  return results.report([...metrics.values()]);
}

interface Measured {
  readonly name: string;
  /** The first number of a label counts: comparisons with other benchmarks follow. */
  readonly values: Map<string, number>;
}

function* benchmarksIn(lines: Iterable<string>, metrics: Map<string, ReportMetric>): Generator<Measured> {
  let before: string[] = [];
  let tool = "CALLGRIND";
  let open: Measured | undefined;
  for (const line of lines) {
    const [, label, count = ""] = metricLine.exec(line) ?? [];
    const section = label === undefined ? toolLine.exec(line)?.[1] : undefined;
    if (label === undefined && section === undefined) {
      before.push(line);
      continue;
    }
    const name = nameIn(before);
    before = [];
    if (name !== undefined) {
      if (open) yield open;
      [open, tool] = [{ name, values: new Map() }, "CALLGRIND"];
    }
    if (section !== undefined) tool = section;
    else if (open && label !== undefined) keep(open, metricOf(label, tool), printedNumber(count), metrics);
  }
  if (open) yield open;
}

function keep({ values }: Measured, metric: ReportMetric, value: number, metrics: Map<string, ReportMetric>): void {
  if (Number.isNaN(value) || values.has(metric.name)) return;
  values.set(metric.name, value);
  metrics.set(metric.name, metric);
}

function nameIn(lines: readonly string[]): string | undefined {
  const first = lines.findIndex((line) => nameLine.test(line));
  if (first < 0) return undefined;
  let name = lines[first]!;
  // Programs may print below the name: only unfinished arguments continue.
  for (const line of lines.slice(first + 1)) {
    if (!isUnfinished(name)) break;
    name += `\n${line}`;
  }
  return name.trim();
}

/** Whether arguments have an open bracket or text, end with an operator, or are several words. */
function isUnfinished(name: string): boolean {
  const code = name.replaceAll(/"(?:[^"\\]|\\.)*"/gs, "");
  if (/^\S+ [^\s:]+:[^([{"]* /.test(code)) return true;
  const count = (brackets: RegExp): number => code.match(brackets)?.length ?? 0;
  return code.includes('"') || count(/[([{]/g) > count(/[)\]}]/g) || /[-+*/&|=,.]\s*$/.test(code);
}

/** `id:argument` are parameters if the argument is one word; otherwise they stay in the name. */
function partsOf(name: string): { benchmark: string; parameters: ReadonlyMap<string, Value> } {
  const [benchmark = ""] = nameLine.exec(name) ?? [];
  const [, id, word] = /^ ([^\s:]{1,200})(?::([^\s/[\](){}:,"]{1,200}))?$/.exec(name.slice(benchmark.length)) ?? [];
  if (id === undefined) return { benchmark: name, parameters: new Map() };
  return { benchmark, parameters: new Map([["id", id], ...(word === undefined ? [] : [["args", word] as const])]) };
}

function metricOf(label: string, tool: string): ReportMetric {
  const word = label.toLowerCase().replaceAll(/[^\w-]+/g, "_");
  const name = plainTools.has(tool) ? word : `${tool.toLowerCase()}_${word}`;
  if (label === "Instructions") return { name, unit: "instruction", better: "lower" };
  if (label === "Estimated Cycles") return { name, unit: "cycle", better: "lower" };
  if (label.endsWith("Rate")) return { name, unit: "%", better: label.includes("Hit") ? "higher" : "lower" };
  if (label.endsWith("bytes")) return { name, unit: "Byte", better: "lower" };
  return /blocks$|Errors$|Contexts$|^(?:I1|D1|IL|DL)m|^(?:Bcm|Bim)$|^RAM Hits$/.test(label)
    ? { name, better: "lower" }
    : { name };
}

/** Metrics of these tools have unique names; those of others are prefixed with the tool. */
const unprefixedTools = new Set(["Callgrind", "DHAT"]);

/** Version of the schema of summaries; others name and nest the counts differently. */
const schemaVersion = "6";

/** `--output-format=json` and `pretty-json` of gungraun 0.17 and newer (schema version 6), also in output of cargo. */
export const gungraunJson = reportImporter({
  name: "gungraun-json",
  synopsis: "gungraun, iai-callgrind --output-format=json, pretty-json",
  marks: 'JSON objects with "benchmark_exe", "module_path" and "profiles", within any text',
  sniff: (head) => (hasMembers(new TextDecoder().decode(head), "baselines", "benchmark_exe", "module_path") ? 1 : 0),
  reports: (bytes, file) => [jsonReport(new TextDecoder().decode(bytes), file)],
});

function jsonReport(text: string, file: string): BenchmarkReport {
  const metrics = new MetricList();
  const notices: string[] = [];
  const objects = embeddedJson(text, file, (damaged, line) => {
    if (/"(?:module_path|benchmark_exe)"/.test(damaged)) notices.push(`a summary was skipped: line ${line}: no JSON`);
  });
  const summaries = objects.filter((each) => each.maybe("module_path") && each.maybe("package_dir"));
  for (const summary of summaries) checkVersion(summary, file);
  const results = summaries.map((summary) => resultOf(summary, metrics)).filter(({ values }) => values.size > 0);
  const facts = factsIn(summaries[0], [
    ["summary_version", "version"],
    ["package", "package_dir"],
  ]);
  return { facts, metrics: metrics.metrics, results, ...(notices.length === 0 ? {} : { notices }) };
}

function checkVersion(summary: JsonLocation, file: string): void {
  const version = summary.maybe("version")?.scalar;
  if (version === schemaVersion) return;
  const found = typeof version === "string" ? `version ${JSON.stringify(version.slice(0, 20))}` : "no version";
  const problem = `a summary has ${found}; only version "${schemaVersion}" can be read (gungraun 0.17 or newer)`;
  throw new Failure("damaged-report", { file, problem });
}

/** The `id` distinguishes the cases of a benchmark function. */
function resultOf(summary: JsonLocation, metrics: MetricList): BenchmarkResult {
  const parameters = new Map<string, Value>();
  const id = summary.maybe("id")?.scalar;
  if (id !== undefined) parameters.set("id", String(id));
  const values = new Map<string, number>();
  for (const profile of summary.get("profiles").list()) {
    const tool = profile.maybe("tool")?.scalar;
    for (const [, counts] of profile.maybe("summaries")?.maybe("total")?.maybe("summary")?.members() ?? [])
      for (const [name, count] of counts.isObject ? counts.members() : []) {
        const value = newValue(count.maybe("metrics"));
        if (value !== undefined) values.set(metrics.add(eventMetric(String(tool), name)), value);
      }
  }
  return { benchmark: summary.get("module_path").text(), parameters, values };
}

/** `{Left: new}`, `{Both: [new, old]}`, `{Right: old}`, each `{Int: n}` or `{Float: n}`. */
function newValue(metrics: JsonLocation | undefined): number | undefined {
  const value = metrics?.maybe("Left") ?? metrics?.maybe("Both")?.list()[0];
  const number = (value?.maybe("Int") ?? value?.maybe("Float"))?.scalar;
  return typeof number === "number" ? number : undefined;
}

function eventMetric(tool: string, event: string): ReportMetric {
  const isPlain = unprefixedTools.has(tool);
  const name = isPlain ? event : `${tool}.${event}`;
  if (event === "Ir") return { name, unit: "instruction", better: "lower" };
  if (event === "EstimatedCycles") return { name, unit: "cycle", better: "lower" };
  if (event.endsWith("Rate")) return { name, unit: "%", better: event.endsWith("HitRate") ? "higher" : "lower" };
  if (tool === "DHAT") return { name, better: "lower", ...(event.endsWith("Bytes") ? { unit: "Byte" } : {}) };
  return isPlain || tool === "Cachegrind" ? { name } : { name, better: "lower" };
}

/** By iai's label. */
const iaiMetrics: ReadonlyMap<string, ReportMetric> = new Map([
  ["Instructions", { name: "instructions", unit: "instruction", better: "lower", whole: true }],
  ["L1 Accesses", { name: "l1_accesses", whole: true, synopsis: "served by the first cache" }],
  ["L2 Accesses", { name: "l2_accesses", whole: true, synopsis: "served by the last cache" }],
  ["RAM Accesses", { name: "ram_accesses", better: "lower", whole: true, synopsis: "served by memory" }],
  ["Estimated Cycles", { name: "estimated_cycles", unit: "cycle", better: "lower", whole: true }],
]);

/** A count, with an optional change since the last run. */
const countLine = new RegExp(
  String.raw`^ {2}(${[...iaiMetrics.keys()].join("|")}): {1,60}(\d{1,15})(?: {1,4}\([^()]{1,40}\))?$`,
);

/** iai 0.1: a name, followed by Cachegrind's counts. */
export const iai = reportImporter({
  name: "iai",
  synopsis: "cargo bench, of iai",
  marks: "lines such as `  L1 Accesses: 123` below a name",
  sniff: (head) => (someLine(reportLines(head), (line) => countLine.test(line) && line.startsWith("  L1")) ? 0.95 : 0),
  reports: (bytes) => [iaiReport(reportLines(bytes))],
});

/** Names of iai are those of functions; other lines are printed by other programs. */
const functionName = /^[\p{L}_]\w{0,200}(?: ?:: ?\w{1,200}){0,40}$/u;

function iaiReport(lines: Iterable<string>): BenchmarkReport {
  const results = new RepeatedResults();
  const notices: string[] = [];
  let number = 0;
  let parameters = new Map<string, Value>();
  let [name, next] = ["", ""];
  let counts: [string, number][] = [];
  const close = (): void => {
    if (name !== "") results.add(name, counts, parameters);
    else if (counts.length > 0) notices.push(`counts that end above line ${number} were skipped: they have no name`);
    counts = [];
  };
  for (const line of lines) {
    number += 1;
    const [, label, count = ""] = countLine.exec(line) ?? [];
    if (label !== undefined) {
      // Each benchmark begins with its instructions; a name elsewhere is the output of another program.
      if (label === "Instructions") close();
      if (counts.length === 0) [name, next] = [next, ""];
      counts.push([iaiMetrics.get(label)!.name, printedNumber(count)]);
    } else if (line.trim() === "") close();
    else if (functionName.test(line.trimEnd())) next = line.trimEnd();
    const target = cargoTarget(line);
    if (target === undefined) continue;
    close();
    parameters = new Map([["target", target]]);
  }
  number += 1;
  close();
  return results.report([...iaiMetrics.values()], notices.length === 0 ? {} : { notices });
}
