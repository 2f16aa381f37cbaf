import type { BenchmarkReport } from "../../../core/measurements/index.ts";
import { hasMembers, jsonHead, JsonLocation } from "../../../formats/json/index.ts";
import { factsIn, reportOf, tinybenchMetrics, tinybenchValues } from "../../../formats/benchmarks/index.ts";
import { reportImporter } from "../report-importer.ts";

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
  reports: (bytes, file) => [report(JsonLocation.document(bytes, file))],
});

function report(document: JsonLocation): BenchmarkReport {
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
