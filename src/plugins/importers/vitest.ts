import type { BenchmarkReport, BenchmarkResult } from "../../core/benchmark-report.ts";
import { hasMembers, jsonHead } from "../../formats/json/json-head.ts";
import { JsonPlace } from "../../formats/json/json-place.ts";
import { reportOf } from "../../formats/benchmarks/report-of.ts";
import { tinybenchMetrics, tinybenchValues } from "../../formats/benchmarks/tinybench-statistics.ts";
import { reportImporter } from "./report-importer.ts";

/** `vitest bench --outputJson` of Vitest 2 to 4; samples with the option `includeSamples`. */
export const vitest = reportImporter({
  name: "vitest",
  synopsis: "vitest bench --outputJson",
  marks: 'JSON with a list "files" whose elements have "groups" with "benchmarks"',
  sniff: (head) =>
    /^\s*\{\s*"files"\s*:\s*\[/.test(jsonHead(head, "{")) && hasMembers(jsonHead(head, "{"), "groups", "benchmarks") ? 1 : 0,
  reports: (bytes, file) => [report(JsonPlace.document(bytes, file))],
});

function report(document: JsonPlace): BenchmarkReport {
  const groups = document
    .get("files")
    .list()
    .flatMap((file) => file.get("groups").list());
  return reportOf(tinybenchMetrics, groups.flatMap(resultsOf));
}

/** Groups are named `file > describe > describe`. One that failed has no mean. */
function resultsOf(group: JsonPlace): BenchmarkResult[] {
  const path = group.get("fullName").text();
  const measured = group
    .get("benchmarks")
    .list()
    .filter((each) => each.maybe("mean"));
  return measured.map((each) => ({ benchmark: `${path} > ${each.get("name").text()}`, values: tinybenchValues(each) }));
}
