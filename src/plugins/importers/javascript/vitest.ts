import type { BenchmarkReport, BenchmarkResult, ReportMetric } from "../../../core/measurements/index.ts";
import { hasMembers, jsonHead, JsonLocation } from "../../../formats/json/index.ts";
import {
  reportLines,
  isVitestText,
  linesByRun,
  vitestRun,
  vitestTextRows,
  reportOf,
  tinybenchMetrics,
  tinybenchValues,
} from "../../../formats/benchmarks/index.ts";
import { reportImporter } from "../report-importer.ts";

/** Metrics of both JSON and the console. */
const metrics: readonly ReportMetric[] = [
  ...tinybenchMetrics,
  { name: "margin", unit: "%", synopsis: "relative margin of error of the mean" },
];

/**
 * `vitest bench --outputJson` of Vitest 2 to 4, with samples given `includeSamples`; and its console, whose times are
 * rounded.
 */
export const vitest = reportImporter({
  name: "vitest",
  synopsis: "vitest bench --outputJson, or its console",
  marks: [
    'JSON with a list "files" whose elements have "groups" with "benchmarks", ',
    "or a table with `name hz min max mean p75 …`",
  ].join(""),
  sniff: (head) => (isJson(head) || isVitestText(reportLines(head)) ? 1 : 0),
  reports: (bytes, file) =>
    isVitestText(reportLines(bytes))
      ? linesByRun(reportLines(bytes), vitestRun).map((lines) => reportOf(metrics, textResults(lines)))
      : [report(JsonLocation.document(bytes, file))],
});

function isJson(head: Uint8Array): boolean {
  const text = jsonHead(head, "{");
  return /^\s*\{\s*"files"\s*:\s*\[/.test(text) && hasMembers(text, "groups", "benchmarks");
}

function textResults(lines: readonly string[]): BenchmarkResult[] {
  return vitestTextRows(lines).map(({ benchmark, values }) => ({ benchmark, values: new Map(values) }));
}

function report(document: JsonLocation): BenchmarkReport {
  const groups = document
    .get("files")
    .list()
    .flatMap((file) => file.get("groups").list());
  return reportOf(tinybenchMetrics, groups.flatMap(resultsOf));
}

/** Groups are named `file > describe > describe`. Failed ones have no mean. */
function resultsOf(group: JsonLocation): BenchmarkResult[] {
  const path = group.get("fullName").text();
  const measured = group
    .get("benchmarks")
    .list()
    .filter((each) => each.maybe("mean"));
  return measured.map((each) => ({ benchmark: `${path} > ${each.get("name").text()}`, values: tinybenchValues(each) }));
}
