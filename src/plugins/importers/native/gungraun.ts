import type { BenchmarkReport, ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { printedNumber } from "../../../formats/text/index.ts";
import { RepeatedResults, reportLines, someLine } from "../../../formats/benchmarks/index.ts";
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
  return first < 0 ? undefined : lines.slice(first).join("\n").trim();
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
