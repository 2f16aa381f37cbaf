import type { BenchmarkReport, BenchmarkResult, ReportMetric } from "../../core/benchmark-report.ts";
import { hasMembers, jsonHead } from "../../formats/json-head.ts";
import { JsonPlace } from "../../formats/json-place.ts";
import { factsIn, performedAt, reportOf, type FactPlace } from "../../formats/report-of.ts";
import { reportImporter } from "./report-importer.ts";

/** By pyperf's name of the unit: values, and what was measured while warming up. */
const byUnit: ReadonlyMap<string, readonly [values: ReportMetric, warmups: ReportMetric]> = new Map([
  [
    "second",
    [
      { name: "time", unit: "s", better: "lower" },
      { name: "warmup", unit: "s" },
    ],
  ],
  [
    "byte",
    [
      { name: "bytes", unit: "Byte", better: "lower" },
      { name: "warmup_bytes", unit: "Byte" },
    ],
  ],
  ["integer", [{ name: "value" }, { name: "warmup_value" }]],
]);

const metrics = [...byUnit.values()]
  .map(([values]) => values)
  .concat([...byUnit.values()].map(([, warmups]) => ({ ...warmups, synopsis: "value while warming up" })));

const facts: readonly FactPlace[] = [
  ["pyperf", "perf_version"],
  ["pyperformance", "performance_version"],
  ["python", "python_version"],
  ["implementation", "python_implementation"],
  ["host", "hostname"],
  ["platform", "platform"],
  ["cpu", "cpu_model_name"],
  ["cpus", "cpu_count"],
  ["affinity", "cpu_affinity"],
  ["aslr", "aslr"],
  ["timer", "timer"],
];

/** `-o` of pyperf 1.0 to 2.9 and of pyperformance: every value of every process, and apart from them those of warming up. */
export const pyperf = reportImporter({
  name: "pyperf",
  synopsis: "pyperf -o, pyperformance -o",
  marks: 'JSON with a list "benchmarks" whose elements have "runs" with "values" or "warmups"',
  sniff: (head) => {
    const text = jsonHead(head, "{");
    if (!hasMembers(text, "benchmarks", "runs") || !(hasMembers(text, "values") || hasMembers(text, "warmups"))) return 0;
    return /"runs"\s*:\s*\[\s*\{/.test(text) ? 0.9 : 0;
  },
  reports: (bytes, file) => [report(JsonPlace.document(bytes, file))],
});

function report(document: JsonPlace): BenchmarkReport {
  const general = document.maybe("metadata");
  const benchmarks = document.get("benchmarks").list();
  const results = benchmarks.map((benchmark) => resultOf(benchmark, general));
  const own = benchmarks[0]?.maybe("metadata");
  const dates = [benchmarks[0]?.maybe("runs")?.list()[0]?.maybe("metadata"), own, general].map((place) => place?.maybe("date")?.scalar);
  const all = new Map([...factsIn(own, facts), ...factsIn(general, facts)]);
  return reportOf(
    metrics,
    results.filter(({ values }) => values.size > 0),
    { facts: all, ...performedAt(dates.find((date) => date !== undefined)) },
  );
}

function resultOf(benchmark: JsonPlace, general: JsonPlace | undefined): BenchmarkResult {
  const told = (name: string): string | undefined => (benchmark.maybe("metadata")?.maybe(name) ?? general?.maybe(name))?.text();
  const [valueMetric, warmupMetric] = byUnit.get(told("unit") ?? "second") ?? byUnit.get("integer")!;
  const [samples, warmups] = [new NumberList(), new NumberList()];
  for (const run of benchmark.get("runs").list()) {
    const measured = run.maybe("values")?.numbers();
    if (measured !== undefined) samples.add(measured);
    // [loops, value]
    for (const warmup of run.maybe("warmups")?.list() ?? []) warmups.add([warmup.numbers()[1] ?? Number.NaN]);
  }
  const values = new Map<string, Float64Array>();
  if (samples.length > 0) values.set(valueMetric.name, samples.numbers());
  if (samples.length > 0 && warmups.length > 0) values.set(warmupMetric.name, warmups.numbers());
  return { benchmark: told("name") ?? "", values };
}

/** Grows by doubling: a benchmark may have a few values of each of many processes. */
class NumberList {
  length = 0;
  #values = new Float64Array(16);

  add(numbers: ArrayLike<number>): void {
    const length = this.length + numbers.length;
    if (length > this.#values.length) {
      const grown = new Float64Array(Math.max(length, 2 * this.#values.length));
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values.set(numbers, this.length);
    this.length = length;
  }

  numbers(): Float64Array {
    return this.#values.slice(0, this.length);
  }
}
