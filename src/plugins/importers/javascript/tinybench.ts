import type { BenchmarkReport, ReportMetric } from "../../../core/measurements/index.ts";
import { printedNumber, printedSeconds } from "../../../formats/text/index.ts";
import { hasMembers, jsonHead, JsonLocation } from "../../../formats/json/index.ts";
import {
  factsIn,
  RepeatedResults,
  reportLines,
  reportOf,
  someLine,
  tinybenchMetrics,
  tinybenchValues,
} from "../../../formats/benchmarks/index.ts";
import { reportImporter } from "../report-importer.ts";

const metrics: readonly ReportMetric[] = [
  { name: "mean", unit: "s", better: "lower", synopsis: "mean time of a call" },
  { name: "mean_margin", unit: "%", synopsis: "relative margin of error of the mean" },
  { name: "median", unit: "s", better: "lower" },
  { name: "median_deviation", unit: "s", synopsis: "median absolute deviation" },
  { name: "rate", unit: "1/s", better: "higher", synopsis: "mean number of calls in a second" },
  { name: "rate_margin", unit: "%" },
  { name: "rate_median", unit: "1/s", better: "higher" },
  { name: "rate_median_deviation", unit: "1/s" },
  { name: "samples", better: "higher", whole: true },
];

/**
 * The quantity of a column: in `amount ± spread`, the spread of a mean is in percent, that of a median in the unit of
 * the column.
 */
interface Column {
  readonly metric: string;
  readonly spread: string;
  /** The time unit, if any. */
  readonly unit: string;
}

/** `console.table(bench.table())` of tinybench 2 to 6; 2 had one number in a cell. */
export const tinybench = reportImporter({
  name: "tinybench",
  synopsis: "console.table of tinybench",
  marks: "a table with the columns Task name and Latency, ops/sec or Throughput between `│`",
  sniff: (head) => (someLine(reportLines(head), (line) => headOf(line) !== undefined) ? 1 : 0),
  reports: (bytes) => [report(reportLines(bytes))],
});

function report(lines: Iterable<string>): BenchmarkReport {
  const results = new RepeatedResults();
  let head: readonly string[] | undefined;
  for (const line of lines) {
    const found = headOf(line);
    if (found) head = found;
    const cells = cellsOf(line);
    if (found || head === undefined || cells.length !== head.length) continue;
    const name = cells[head.findIndex(isName)] ?? "";
    results.add(
      name,
      head.flatMap((title, at) => valuesIn(title, cells[at] ?? "")),
    );
  }
  return results.report(metrics);
}

function isName(title: string): boolean {
  return /^task name$/i.test(title);
}

function headOf(line: string): readonly string[] | undefined {
  const cells = cellsOf(line);
  return cells.some(isName) && cells.some((title) => columnOf(title) !== undefined) ? cells : undefined;
}

/** Node.js quotes strings. */
function cellsOf(line: string): string[] {
  if (!line.includes("\u2502")) return [];
  return line.split("\u2502").map((cell) => cell.trim().replace(/^'(.*)'$/, "$1"));
}

function columnOf(title: string): Column | undefined {
  const [, quantity, kind = "", unit = ""] =
    /^(Latency|Throughput) (avg|med)\w{0,10} \((ns|ms|s|ops\/s)\)$/.exec(title) ?? [];
  if (quantity === "Latency") {
    return kind === "avg"
      ? { metric: "mean", spread: "mean_margin", unit }
      : { metric: "median", spread: "median_deviation", unit };
  }
  if (quantity !== undefined) {
    const metric = kind === "avg" ? "rate" : "rate_median";
    return { metric, spread: kind === "avg" ? "rate_margin" : "rate_median_deviation", unit: "" };
  }
  const [, time] = /^Average Time \((ns|ms)\)$/.exec(title) ?? [];
  if (time !== undefined) return { metric: "mean", spread: "", unit: time };
  const metric = new Map([
    ["ops/sec", "rate"],
    ["Samples", "samples"],
    ["Margin", "mean_margin"],
  ]).get(title);
  return metric === undefined ? undefined : { metric, spread: "", unit: "" };
}

function valuesIn(title: string, cell: string): [string, number][] {
  const column = columnOf(title);
  const [, amount = "", spread = "", percent] =
    /^\u00b1?([\d.,]{1,40})%?(?: \u00b1 ([\d.,]{1,40})(%)?)?$/.exec(cell) ?? [];
  if (column === undefined || amount === "") return [];
  const inUnit = (text: string): number =>
    column.unit === "" ? printedNumber(text) : printedSeconds(text, column.unit);
  return [
    [column.metric, inUnit(amount)],
    [column.spread, percent === undefined ? inUnit(spread) : printedNumber(spread)],
  ];
}

/**
 * `JSON.stringify(bench.tasks)` of tinybench 2 to 5: a list of tasks, with their `result` as a member or spread into
 * them; failed tasks are omitted.
 */
export const tinybenchJson = reportImporter({
  name: "tinybench-json",
  synopsis: "tinybench: JSON.stringify(bench.tasks)",
  marks: 'JSON: a list whose elements have "name", "totalTime" and "hz" or "latency"',
  sniff: (head) => {
    const text = jsonHead(head, "[");
    return hasMembers(text, "name", "totalTime") && (hasMembers(text, "hz") || hasMembers(text, "latency")) ? 0.9 : 0;
  },
  reports: (bytes, file) => [tasksReport(JsonLocation.document(bytes, file))],
});

function tasksReport(document: JsonLocation): BenchmarkReport {
  const tasks = document
    .list()
    .map((task) => ({ name: task.get("name").text(), result: task.maybe("result") ?? task }));
  const measured = tasks.filter(({ result }) => result.maybe("totalTime"));
  const facts = factsIn(measured[0]?.result, [
    ["runtime", "runtime"],
    ["runtime_version", "runtimeVersion"],
  ]);
  const results = measured.map(({ name, result }) => ({ benchmark: name, values: tinybenchValues(result) }));
  return reportOf(tinybenchMetrics, results, { facts });
}
