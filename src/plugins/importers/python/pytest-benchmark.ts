import type { BenchmarkReport, BenchmarkResult, ReportMetric } from "../../../core/measurements/index.ts";
import { counted } from "../../../core/text/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { hasMembers, jsonHead, readJsonListing, type JsonLocation } from "../../../formats/json/index.ts";
import {
  commitIn,
  factsIn,
  isPytestText,
  performedAt,
  pytestText,
  RepeatedResults,
  reportLines,
  reportOf,
  type FactPath,
  SampledStatistics,
} from "../../../formats/benchmarks/index.ts";
import { collectBytes, inOnePiece } from "../../../formats/bytes/index.ts";
import { reportImporter } from "../report-importer.ts";

const metrics: readonly ReportMetric[] = [
  { name: "time", unit: "s", better: "lower", synopsis: "time of one iteration in a round" },
  { name: "mean", unit: "s", better: "lower" },
  { name: "median", unit: "s", better: "lower" },
  { name: "stddev", unit: "s" },
  { name: "min", unit: "s", better: "lower" },
  { name: "max", unit: "s", better: "lower" },
  { name: "q1", unit: "s", better: "lower" },
  { name: "q3", unit: "s", better: "lower" },
  { name: "iqr", unit: "s" },
  { name: "rate", unit: "1/s", better: "higher", synopsis: "operations per second" },
  { name: "rounds", better: "higher" },
  { name: "iterations", better: "higher", synopsis: "iterations in a round" },
];

const names = metrics.map(({ name }) => name);
/** Names of the statistics that follow the samples. */
const members = names.slice(1).map((name) => (name === "rate" ? "ops" : name));

const facts: readonly FactPath[] = [
  ["pytest_benchmark", "version"],
  ["host", "machine_info", "node"],
  ["machine", "machine_info", "machine"],
  ["cpu", "machine_info", "cpu", "brand"],
  ["cpu", "machine_info", "cpu", "brand_raw"],
  ["system", "machine_info", "system"],
  ["release", "machine_info", "release"],
  ["python", "machine_info", "python_version"],
  ["implementation", "machine_info", "python_implementation"],
  ["project", "commit_info", "project"],
  ["branch", "commit_info", "branch"],
  ["dirty", "commit_info", "dirty"],
];

/**
 * `--benchmark-json`, `--benchmark-autosave` and `--benchmark-save` of pytest-benchmark 2.5 to 5.2, samples with
 * `--benchmark-save-data` and in `--benchmark-json`; and the tables of its console, whose numbers are rounded.
 */
export const pytestBenchmark = reportImporter({
  name: "pytest-benchmark",
  synopsis: "pytest --benchmark-json, --benchmark-save-data, or its console",
  marks: [
    'JSON with "machine_info" and a list "benchmarks" whose elements have "fullname" and "stats", ',
    "or a table with `Name (time in us)  Min  Max …`",
  ].join(""),
  sniff: (head) => {
    const text = jsonHead(head, "{");
    if (hasMembers(text, "machine_info", "commit_info")) return 1;
    if (hasMembers(text, "benchmarks", "fullname", "stats", "iqr")) return 0.9;
    return text === "" && isPytestText(reportLines(head)) ? 1 : 0;
  },
  async reportsFrom(given, file) {
    const source = await unlessText(given);
    if (source instanceof Uint8Array) return [textReport(source)];
    const { document, elements } = await readJsonListing(source, file, "benchmarks", resultOf);
    return [report(document, elements)];
  },
});

/** The bytes of a console's text, else the source. */
async function unlessText(given: AsyncIterable<Uint8Array>): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
  const chunks = given[Symbol.asyncIterator]();
  const { value, done = false } = await chunks.next();
  const first = done ? new Uint8Array() : (value as Uint8Array);
  const source = (async function* () {
    yield first;
    yield* { [Symbol.asyncIterator]: () => chunks };
  })();
  if (jsonHead(first, "{") !== "") return source;
  const bytes = await collectBytes(source);
  return isPytestText(reportLines(bytes)) ? bytes : inOnePiece(bytes);
}

function textReport(bytes: Uint8Array): BenchmarkReport {
  const { version, rows, omitted } = pytestText(reportLines(bytes));
  const results = new RepeatedResults();
  for (const { benchmark, parameters, values } of rows) results.add(benchmark, values, parameters);
  return results.report(metrics, {
    facts: new Map(version === undefined ? [] : [["pytest_benchmark", version]]),
    ...(omitted === 0 ? {} : { notices: [`left out: ${counted(omitted, "row")} of earlier runs`] }),
  });
}

function report(document: JsonLocation, results: readonly BenchmarkResult[]): BenchmarkReport {
  return reportOf(metrics, results, {
    facts: factsIn(document, facts),
    ...performedAt(document.maybe("datetime")?.scalar),
    ...commitIn(document.maybe("commit_info")?.maybe("id")?.scalar),
  });
}

function resultOf(entry: JsonLocation): BenchmarkResult {
  const stats = entry.get("stats");
  const data = stats.maybe("data");
  // Users may have replaced the samples by a word; such a file has only statistics.
  const samples = data?.isList === true ? data.samples() : undefined;
  const numbers = members.map((member) => stats.numberIn(member) ?? Number.NaN);
  return { ...named(entry), values: new SampledStatistics(names, samples, numbers) };
}

/** `file.py::test_name[param]` with pytest's `params`; versions before 3.0 have only the text in brackets. */
function named(entry: JsonLocation): Pick<BenchmarkResult, "benchmark" | "parameters"> {
  const name = (entry.maybe("fullname") ?? entry.get("name")).text();
  const at = name.endsWith("]")
    ? name.indexOf("[", Math.max(0, name.length - (entry.maybe("name")?.text() ?? name).length))
    : -1;
  const parameters = new Map<string, Value>();
  const group = entry.maybe("group")?.scalar;
  if (group !== undefined) parameters.set("group", group);
  const given = entry.maybe("params")?.members() ?? [];
  for (const [key, value] of given) if (value.scalar !== undefined) parameters.set(key, value.scalar);
  // Values that are not scalars appear only in the brackets.
  if (at >= 0 && (given.length === 0 || given.some(([, { scalar }]) => scalar === undefined)))
    parameters.set("param", name.slice(at + 1, -1));
  return { benchmark: at < 0 ? name : name.slice(0, at), parameters };
}
