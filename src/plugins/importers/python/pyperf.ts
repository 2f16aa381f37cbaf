import type { BenchmarkReport, BenchmarkResult, ReportMetric } from "../../../core/measurements/index.ts";
import { hasMembers, jsonHead, readJsonListing, type JsonLocation } from "../../../formats/json/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { factsIn, performedAt, reportOf, type FactPath } from "../../../formats/benchmarks/index.ts";
import { reportImporter } from "../report-importer.ts";

/** By pyperf's name of the unit: values and warmups. */
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

const facts: readonly FactPath[] = [
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

/** `-o` of pyperf 1.0 to 2.9 and of pyperformance: every value of every process, with warmups separate. */
export const pyperf = reportImporter({
  name: "pyperf",
  synopsis: "pyperf -o, pyperformance -o",
  marks: 'JSON with a list "benchmarks" whose elements have "runs" with "values" or "warmups"',
  sniff: (head) => {
    const text = jsonHead(head, "{");
    if (!hasMembers(text, "benchmarks", "runs") || !(hasMembers(text, "values") || hasMembers(text, "warmups")))
      return 0;
    return /"runs"\s*:\s*\[\s*\{/.test(text) ? 0.9 : 0;
  },
  async reportsFrom(source, file) {
    const { document, elements } = await readJsonListing(source, file, "benchmarks", benchmarkReader());
    return [report(document.maybe("metadata"), elements)];
  },
});

/** A benchmark; the metadata of the document, which follows it, supplies what it omits. */
interface Benchmark {
  readonly name: string | undefined;
  readonly unit: string | undefined;
  readonly samples: Float64Array;
  readonly warmups: Float64Array;
  /** Facts of the first benchmark apply to all. */
  readonly facts: ReadonlyMap<string, Value>;
  readonly dates: readonly unknown[];
}

/** Shares growing lists between all benchmarks. */
function benchmarkReader(): (benchmark: JsonLocation, index: number) => Benchmark {
  const lists = [new NumberList(), new NumberList()] as const;
  return (benchmark, index) => benchmarkOf(benchmark, index, lists);
}

function benchmarkOf(
  benchmark: JsonLocation,
  index: number,
  [samples, warmups]: readonly [NumberList, NumberList],
): Benchmark {
  samples.length = warmups.length = 0;
  const metadata = benchmark.maybe("metadata");
  const runs = benchmark.get("runs");
  runs.each((run) => {
    const measured = run.maybe("values")?.numbers();
    if (measured !== undefined) samples.add(measured);
    // [loops, value]
    run.maybe("warmups")?.each((warmup) => warmups.add([warmup.numbers()[1] ?? Number.NaN]));
  });
  const [name, unit] = [metadata?.maybe("name")?.text(), metadata?.maybe("unit")?.text()];
  const first = index === 0 ? metadata : undefined;
  const dates = index === 0 ? [runs.list()[0]?.maybe("metadata"), metadata].map(dateIn) : [];
  return { name, unit, samples: samples.numbers(), warmups: warmups.numbers(), facts: factsIn(first, facts), dates };
}

function dateIn(metadata: JsonLocation | undefined): unknown {
  return metadata?.maybe("date")?.scalar;
}

function report(general: JsonLocation | undefined, benchmarks: readonly Benchmark[]): BenchmarkReport {
  const results = benchmarks.map((benchmark) => resultOf(benchmark, general));
  const [first] = benchmarks;
  const date = [...(first?.dates ?? []), dateIn(general)].find((each) => each !== undefined);
  const all = new Map([...(first?.facts ?? []), ...factsIn(general, facts)]);
  return reportOf(
    metrics,
    results.filter(({ values }) => values.size > 0),
    { facts: all, ...performedAt(date) },
  );
}

function resultOf({ samples, warmups, ...own }: Benchmark, general: JsonLocation | undefined): BenchmarkResult {
  const field = (name: "name" | "unit"): string | undefined => own[name] ?? general?.maybe(name)?.text();
  const [valueMetric, warmupMetric] = byUnit.get(field("unit") ?? "second") ?? byUnit.get("integer")!;
  const values = new Map<string, Float64Array>();
  if (samples.length > 0) values.set(valueMetric.name, samples);
  if (samples.length > 0 && warmups.length > 0) values.set(warmupMetric.name, warmups);
  return { benchmark: field("name") ?? "", values };
}

/** Grows by doubling: a benchmark may have few values in each of many processes. */
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
