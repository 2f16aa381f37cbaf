import type { BenchmarkReport, BenchmarkResult, ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { jsonOutline, JsonLocation } from "../../../formats/json/index.ts";
import { divideAll, factsIn, numbersIn, performedAt, reportOf } from "../../../formats/benchmarks/index.ts";
import { reportImporter } from "../report-importer.ts";

/* JSON reports of JavaScript runtimes and benchmark packages. */

const time = (name: string): ReportMetric => ({ name, unit: "s", better: "lower" });

const times: readonly ReportMetric[] = [
  time("time"),
  time("mean"),
  time("median"),
  { name: "stddev", unit: "s" },
  ...["min", "max", "p25", "p75", "p99", "p995", "p999"].map(time),
  { name: "moe", unit: "s", synopsis: "half the width of the confidence interval of the mean" },
];

const [nanoseconds, milliseconds] = [1e9, 1e3];

/** Whether the first bytes of a document have members at all of these paths. */
function hasPaths(head: Uint8Array, ...paths: readonly string[]): boolean {
  const outline = jsonOutline(head);
  return paths.every((path) => outline.has(path));
}

/** The texts, numbers and booleans of an object. */
function scalarsIn(object: JsonLocation | undefined): [string, Value][] {
  return (object?.isObject ? object.members() : []).flatMap(([name, { scalar }]): [string, Value][] =>
    scalar === undefined || scalar === "" ? [] : [[name, scalar]],
  );
}

const mitataStatistics = [
  ["mean", "avg"],
  ["median", "p50"],
  ...["min", "max", "p25", "p75", "p99", "p999"].map((name) => [name, name] as const),
] as const;

/** `run({ format: "json" })` of mitata 1, with samples if `samples` stores them. Runs that failed are omitted. */
export const mitata = reportImporter({
  name: "mitata",
  synopsis: 'mitata: run({ format: "json" })',
  marks: 'JSON with "layout" and a list "benchmarks" whose elements have "runs" with "stats"',
  sniff: (head) => (hasPaths(head, "benchmarks", "benchmarks[].runs", "benchmarks[].runs[].stats") ? 1 : 0),
  reports: (bytes, file) => [mitataReport(JsonLocation.document(bytes, file))],
});

function mitataReport(document: JsonLocation): BenchmarkReport {
  const groups = document.maybe("layout")?.list() ?? [];
  const results = document
    .get("benchmarks")
    .list()
    .flatMap((benchmark) => {
      const group = groups[benchmark.numberIn("group") ?? -1]?.maybe("name")?.scalar;
      const measured = benchmark
        .get("runs")
        .list()
        .filter((run) => run.maybe("stats"));
      return measured.map((run): BenchmarkResult => {
        const parameters = [
          ...(group === undefined ? [] : [["group", group] as const]),
          ...scalarsIn(run.maybe("args")),
        ];
        return { benchmark: run.get("name").text(), parameters: new Map(parameters), values: mitataValues(run) };
      });
    });
  const facts = factsIn(document.maybe("context"), [
    ["runtime", "runtime"],
    ["runtime_version", "version"],
    ["cpu", "cpu", "name"],
  ]);
  const heap: ReportMetric = { name: "bytes", unit: "Byte", better: "lower", synopsis: "mean growth of the heap" };
  return reportOf([...times, heap], results, { facts });
}

function mitataValues(run: JsonLocation): BenchmarkResult["values"] {
  const stats = run.get("stats");
  const values = new Map<string, number | Float64Array>(numbersIn(stats, mitataStatistics, nanoseconds));
  const samples = stats.maybe("samples")?.numbers();
  if (samples !== undefined && samples.length > 0) values.set("time", divideAll(samples, nanoseconds));
  const heap = stats.maybe("heap")?.numberIn("avg");
  if (heap !== undefined) values.set("bytes", heap);
  return values;
}

const denoStatistics = [
  ["mean", "avg"],
  ...["min", "max", "p75", "p99", "p995", "p999"].map((name) => [name, name] as const),
] as const;

/** `deno bench --json` of Deno 1.25 to 2. Benchmarks that failed are omitted. */
export const denoBench = reportImporter({
  name: "deno-bench",
  synopsis: "deno bench --json",
  marks: 'JSON with a list "benches" whose elements have "origin", "name" and "results"',
  sniff: (head) => (hasPaths(head, "benches", "benches[].origin", "benches[].results") ? 1 : 0),
  reports: (bytes, file) => [denoReport(JsonLocation.document(bytes, file))],
});

function denoReport(document: JsonLocation): BenchmarkReport {
  const results = document
    .get("benches")
    .list()
    .flatMap((bench) => {
      const origin = bench.maybe("origin")?.scalar;
      const group = bench.maybe("group")?.scalar;
      const parameters = new Map<string, Value>();
      // The folder differs from machine to machine.
      if (typeof origin === "string") parameters.set("file", origin.replace(/^.*\//, ""));
      if (group !== undefined) parameters.set("group", group);
      const measured = bench
        .get("results")
        .list()
        .flatMap((result) => result.maybe("ok") ?? []);
      return measured.map((ok): BenchmarkResult => ({
        benchmark: bench.get("name").text(),
        parameters,
        values: new Map(numbersIn(ok, denoStatistics, nanoseconds)),
      }));
    });
  const facts = factsIn(document, [
    ["runtime", "runtime"],
    ["cpu", "cpu"],
  ]);
  return reportOf(times, results, { facts });
}

const bennyStatistics = [
  ...["mean", "median", "min", "max"].map((name) => [name, name] as const),
  ["stddev", "standardDeviation"],
  ["moe", "marginOfError"],
] as const;

/** `save({ file })` of benny 3; with `details: true` all samples. */
export const benny = reportImporter({
  name: "benny",
  synopsis: "benny: save({ file }), also with details",
  marks: 'JSON with "name", "fastest" and a list "results" whose elements have "ops" and "margin"',
  sniff: (head) => (hasPaths(head, "name", "results", "results[].ops", "results[].margin") ? 1 : 0),
  reports: (bytes, file) => [bennyReport(JsonLocation.document(bytes, file))],
});

const bennyMetrics: readonly ReportMetric[] = [
  ...times,
  { name: "rate", unit: "1/s", better: "higher", synopsis: "mean number of operations in a second" },
  { name: "margin", unit: "%", synopsis: "relative margin of error of the mean, at 95 %" },
  { name: "samples", better: "higher", whole: true },
];

function bennyReport(document: JsonLocation): BenchmarkReport {
  const suite = document.maybe("name")?.scalar;
  const parameters = new Map<string, Value>(suite === undefined ? [] : [["suite", suite]]);
  const results = document
    .get("results")
    .list()
    .map((result): BenchmarkResult => {
      const details = result.maybe("details") ?? result;
      const values = new Map<string, number | Float64Array>(numbersIn(details, bennyStatistics));
      const samples = details.maybe("sampleResults")?.numbers();
      if (samples !== undefined && samples.length > 0) values.set("time", samples);
      const plain = [
        ["rate", "ops"],
        ["margin", "margin"],
        ["samples", "samples"],
      ] as const;
      for (const [name, value] of numbersIn(result, plain)) values.set(name, value);
      return { benchmark: result.get("name").text(), parameters, values };
    });
  return reportOf(bennyMetrics, results, performedAt(document.maybe("date")?.scalar));
}

const autocannonTimes = [
  "mean",
  "stddev",
  "min",
  "max",
  "p50",
  "p75",
  "p90",
  "p97.5",
  "p99",
  "p99.9",
  "p99.99",
] as const;

const autocannonMetrics: readonly ReportMetric[] = [
  { name: "rate", unit: "1/s", better: "higher", synopsis: "requests per second, mean of the samples" },
  { name: "rate_stddev", unit: "1/s" },
  { name: "rate_min", unit: "1/s", better: "higher" },
  { name: "rate_max", unit: "1/s", better: "higher" },
  { name: "transfer", unit: "Byte/s", better: "higher" },
  ...autocannonTimes.map((name) =>
    name === "stddev" ? { name: "latency_stddev", unit: "s" } : time(`latency_${name}`),
  ),
  { name: "requests", better: "higher", whole: true, synopsis: "answers with 2xx" },
  { name: "refused", better: "lower", whole: true, synopsis: "answers with another status than 2xx" },
  { name: "errors", better: "lower", whole: true, synopsis: "errors of connections, with timeouts" },
  { name: "timeouts", better: "lower", whole: true },
  { name: "duration", unit: "s" },
];

/** `autocannon --json` of autocannon 3 to 9. */
export const autocannon = reportImporter({
  name: "autocannon",
  synopsis: "autocannon --json",
  marks: 'JSON with "connections", "pipelining", "latency" and "requests" with "average"',
  sniff: (head) => (hasPaths(head, "connections", "pipelining", "latency.average", "requests.average") ? 1 : 0),
  reports: (bytes, file) => [autocannonReport(JsonLocation.document(bytes, file))],
});

function autocannonReport(document: JsonLocation): BenchmarkReport {
  const [latency, requests] = [document.get("latency"), document.get("requests")];
  const percentiles = autocannonTimes.map((name) => [`latency_${name}`, name.replace(".", "_")] as const);
  const values = new Map<string, number>([
    ...numbersIn(requests, [
      ["rate", "average"],
      ["rate_stddev", "stddev"],
      ["rate_min", "min"],
      ["rate_max", "max"],
    ]),
    ...numbersIn(document.get("throughput"), [["transfer", "average"]]),
    ...numbersIn(latency, percentiles, milliseconds),
    ...numbersIn(document, [
      ["requests", "2xx"],
      ["refused", "non2xx"],
      ["errors", "errors"],
      ["timeouts", "timeouts"],
      ["duration", "duration"],
    ]),
  ]);
  const parameters = ["connections", "pipelining", "workers"].flatMap((name): [string, Value][] => {
    const value = document.numberIn(name);
    return value === undefined ? [] : [[name, value]];
  });
  const benchmark = document.maybe("title") ?? document.get("url");
  const result = { benchmark: benchmark.text(), parameters: new Map(parameters), values };
  return reportOf(autocannonMetrics, [result], performedAt(document.maybe("start")?.scalar));
}
