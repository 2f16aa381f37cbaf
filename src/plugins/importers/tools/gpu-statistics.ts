import type { BenchmarkReport, ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { toBaseUnit, reportLines, reportUnit } from "../../../formats/benchmarks/index.ts";
import { csvCells, printedNumber } from "../../../formats/text/index.ts";
import { LogResults, type LogReader, type Parameters } from "../log-importer.ts";
import { type ReportFormat, reportImporter } from "../report-importer.ts";

/* Statistics of GPU profilers: tables with a row for each kernel, call or copy. */

/** Words of headings by the statistic: `Total Time (ns)`, `AverageNs`, `Med (MB)`. */
const statistics: readonly (readonly [pattern: RegExp, suffix: string])[] = [
  [/^(?:Total|Total ?Time|TotalDuration)$/, ""],
  [/^(?:Avg|Average)$/, "_mean"],
  [/^(?:Med|Median)$/, "_median"],
  [/^(?:Min|Minimum)$/, "_min"],
  [/^(?:Max|Maximum)$/, "_max"],
  [/^(?:StdDev|Std ?Dev)$/, "_stddev"],
];

const suffixes = statistics.map(([, suffix]) => suffix);
const metrics: readonly ReportMetric[] = [
  ...suffixes.map((suffix): ReportMetric => ({ name: `time${suffix}`, unit: "s", better: "lower" })),
  ...suffixes.map((suffix): ReportMetric => ({ name: `size${suffix}`, unit: "Byte", better: "lower" })),
  { name: "calls", whole: true },
  { name: "share", unit: "%", synopsis: "of the total of the table" },
];

/** What a column holds: a metric with its unit, the name of the row, or a parameter. */
type Column =
  | { readonly kind: "metric"; readonly metric: string; readonly unit: string }
  | { readonly kind: "name" | "parameter"; readonly title: string };

/** Times without a unit in their heading are in nanoseconds. */
function columnOf(title: string): Column {
  const [, name = "", unit = "ns"] = /^(.*?)(?:Ns| ?\((ns|us|ms|s|B|KB|KiB|MB|MiB|GB|GiB)\))?$/.exec(title) ?? [];
  const suffix = statistics.find(([pattern]) => pattern.test(name))?.[1];
  if (suffix !== undefined) return { kind: "metric", metric: `${unit.endsWith("B") ? "size" : "time"}${suffix}`, unit };
  if (/^(?:Instances|Num Calls|Count|Operations|Calls|Num|Total Count)$/.test(title))
    return { kind: "metric", metric: "calls", unit: "" };
  if (/^(?:Time ?\(%\)|Percentage)$/.test(title)) return { kind: "metric", metric: "share", unit: "%" };
  return { kind: /^(?:Name|Operation|Range|Kernel Name|Event)$/.test(title) ? "name" : "parameter", title };
}

/** Adds a row. Kilobytes and megabytes of nsys are powers of 1000. */
function addRow(results: LogResults, columns: readonly Column[], cells: readonly string[], report: string): void {
  const values: [string, number][] = [];
  const parameters: [string, Value][] = report === "" ? [] : [["report", report]];
  let name = "";
  for (const [at, column] of columns.entries()) {
    const cell = cells[at]!.trim();
    if (column.kind === "metric") values.push([column.metric, inBase(cell, column.unit)]);
    else if (column.kind === "name") name = cell;
    else parameters.push([column.title, cell]);
  }
  if (name === "" || values.every(([, value]) => Number.isNaN(value)))
    return results.warn("skipped a row without a name or numbers");
  results.add(name, values, parameters);
}

function inBase(cell: string, unit: string): number {
  const value = printedNumber(cell);
  return unit === "" || unit === "%" ? value : toBaseUnit(value, reportUnit(unit.replace(/(?<!^)B$/, "Byte")));
}

/** A head of a table of nsys; before 2021 times had no unit. */
function isNsysHead(titles: readonly string[]): boolean {
  const [first = ""] = titles;
  const isKnown = /^Time ?\(%\)$/.test(first) || /^Total \([KMG]?i?B\)$/.test(first);
  return isKnown && titles.length > 4 && titles.some((title) => /^(?:Name|Operation|Range|Event)$/.test(title));
}

/** The heads of columns: CSV, or words two blanks apart above a line of dashes. */
function titlesOf(line: string): readonly string[] {
  return line.includes(",") ? csvCells(line, ",") : line.trim().split(/ {2,}/);
}

/** `nsys stats` of Nsight Systems 2020 to 2025: tables and CSV of its summaries, several in a text. */
export const nsys = tableImporter({
  name: "nsys",
  synopsis: "nsys stats (tables and CSV of summaries)",
  marks: "a heading `Time (%)  Total Time (ns)  Instances  Avg (ns) …  Name`, also as CSV",
  isHead: (line) => isNsysHead(titlesOf(line)),
  reader: (results) => new NsysReader(results),
});

function tableImporter(about: {
  readonly name: string;
  readonly synopsis: string;
  readonly marks: string;
  readonly isHead: (line: string) => boolean;
  readonly reader: (results: LogResults) => LogReader;
}): ReturnType<typeof reportImporter> {
  const { isHead, reader, ...rest } = about;
  const format: ReportFormat = {
    ...rest,
    sniff: (head) => ([...reportLines(head)].some((line) => line.length < 2000 && isHead(line)) ? 0.95 : 0),
    reports(bytes): BenchmarkReport[] {
      const results = new LogResults(metrics);
      results.read(reader(results), bytes);
      return [results.report()];
    },
  };
  return reportImporter(format);
}

class NsysReader implements LogReader {
  readonly #results: LogResults;
  #report = "";
  #columns: readonly Column[] = [];
  /** Of columns in a table, from the line of dashes. */
  #spans: readonly (readonly [from: number, to: number])[] = [];
  #isCsv = false;

  constructor(results: LogResults) {
    this.#results = results;
  }

  line(text: string, isCut: boolean): void {
    const line = text.trimEnd();
    const [, report] = /^ ?\*\* .{1,200} \((\w{1,60})\):$/.exec(line) ?? [];
    const titles = line.length < 2000 ? titlesOf(line) : [];
    if (report !== undefined) [this.#report, this.#columns] = [report, []];
    else if (isNsysHead(titles)) {
      this.#isCsv = line.includes(",");
      this.#columns = titles.map((title) => columnOf(title));
      this.#spans = [];
    } else if (line === "" || /^(?:Processing|Generating|SKIPPED|NOTICE)\b/.test(line)) this.#end();
    else if (this.#columns.length > 0) this.#row(line, isCut);
  }

  /** The name of the report ends with its table, so that one without a name does not get it. */
  #end(): void {
    if (this.#columns.length > 0 && (this.#isCsv || this.#spans.length > 0)) [this.#columns, this.#report] = [[], ""];
  }

  #row(line: string, isCut: boolean): void {
    if (!this.#isCsv && this.#spans.length === 0) {
      if (/^ *-+(?: +-+)+$/.test(line)) this.#spans = spansOf(line);
      else this.#results.warn("skipped a line between the heading of a table and its dashes");
      return;
    }
    const cells = this.#isCsv ? csvCells(line, ",") : cellsAt(line, this.#spans);
    const isWhole = cells.length === this.#columns.length && (!isCut || this.#isCsv);
    if (isWhole) addRow(this.#results, this.#columns, cells, this.#report);
    else this.#results.warn("skipped an incomplete row");
  }
}

/** Each column reaches to the next one: names may be wider than their dashes. */
function spansOf(line: string): (readonly [number, number])[] {
  const dashes = [...line.matchAll(/-+/g)];
  return dashes.map(({ index }, at) => [index, dashes[at + 1]?.index ?? Number.POSITIVE_INFINITY]);
}

function cellsAt(line: string, spans: readonly (readonly [number, number])[]): string[] {
  return spans.map(([from, to]) => line.slice(from, to));
}

/** Columns of a launch that are neither settings nor measurements. */
const launchDetail = /^(?:Index|queue-id|queue-index|pid|tid|sig|obj|DispatchNs|BeginNs|EndNs|CompleteNs)$/;
const launchParameter = /^(?:gpu-id|grd|wgr|lds|scr|(?:arch_|accum_)?vgpr|sgpr|fbar|wave_size)$/;

/**
 * rocprof of ROCm 3 to 6: `results.stats.csv` and others of `--stats`, `kernel_stats.csv` of rocprofv3, and launches in
 * `results.csv`, which are samples of their kernel, with hardware counters.
 */
export const rocprof = tableImporter({
  name: "rocprof",
  synopsis: "rocprof (results.csv, results.stats.csv)",
  marks: 'a CSV head `"Name","Calls","TotalDurationNs",…`, or `"Index","KernelName","gpu-id",…`',
  isHead: (line) => /^"?Name"?,"?Calls"?,"?TotalDurationNs"?,/.test(line) || isLaunchHead(line),
  reader: (results) => new RocprofReader(results),
});

function isLaunchHead(line: string): boolean {
  return /^"?Index"?,"?KernelName"?,"?gpu-id"?,/.test(line);
}

class RocprofReader implements LogReader {
  readonly #results: LogResults;
  #titles: readonly string[] = [];
  #columns: readonly Column[] = [];

  constructor(results: LogResults) {
    this.#results = results;
  }

  line(text: string, isCut: boolean): void {
    const cells = csvCells(text.trimEnd(), ",");
    const isStatistics = cells[1] === "Calls" && cells[2] === "TotalDurationNs";
    if (isStatistics || isLaunchHead(text)) {
      this.#titles = cells;
      this.#columns = isStatistics ? cells.map((title) => columnOf(title)) : [];
    } else if (text.trim() === "") this.#titles = [];
    else if (this.#titles.length === 0 || !text.includes(",")) return;
    else if (cells.length !== this.#titles.length || isCut) this.#results.warn("skipped an incomplete row");
    else if (this.#columns.length > 0) addRow(this.#results, this.#columns, cells, "");
    else this.#launch(new Map(this.#titles.map((title, at) => [title, cells[at]!])));
  }

  #launch(cells: ReadonlyMap<string, string>): void {
    const number = (title: string): number => printedNumber(cells.get(title) ?? "");
    const printed = number("DurationNs");
    const duration = Number.isNaN(printed) ? number("EndNs") - number("BeginNs") : printed;
    const counters = [...cells].filter(
      ([title]) =>
        !launchDetail.test(title) && !launchParameter.test(title) && !/^(?:KernelName|DurationNs)$/.test(title),
    );
    for (const [title] of counters) this.#results.metric({ name: title });
    const parameters: Parameters = [...cells].filter(([title]) => launchParameter.test(title));
    const values = counters.map(([title, cell]): [string, number] => [title, printedNumber(cell)]);
    this.#results.add(cells.get("KernelName")!, [["time", duration / 1e9], ...values], parameters);
  }
}
