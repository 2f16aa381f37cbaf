import type { BenchmarkReport, BenchmarkResult, ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { hasMembers, jsonHead, JsonLocation } from "../../../formats/json/index.ts";
import {
  divideAll,
  factsIn,
  numbersIn,
  parameterValue,
  performedAt,
  reportOf,
  type FactPath,
} from "../../../formats/benchmarks/index.ts";
import { reportImporter } from "../report-importer.ts";

const nanoseconds = 1e9;

const metrics: readonly ReportMetric[] = [
  { name: "time", unit: "s", better: "lower", synopsis: "time of one operation" },
  { name: "mean", unit: "s", better: "lower" },
  { name: "median", unit: "s", better: "lower" },
  { name: "stddev", unit: "s" },
  { name: "error", unit: "s", synopsis: "standard error of the mean" },
  { name: "min", unit: "s", better: "lower" },
  { name: "max", unit: "s", better: "lower" },
  { name: "lower", unit: "s", better: "lower", synopsis: "lower end of the confidence interval of the mean" },
  { name: "upper", unit: "s", better: "lower", synopsis: "upper end of the confidence interval of the mean" },
  { name: "bytes", unit: "Byte", better: "lower", synopsis: "bytes allocated by one operation" },
  { name: "gen0", better: "lower", synopsis: "collections of generation 0 in 1000 operations" },
  { name: "gen1", better: "lower", synopsis: "collections of generation 1 in 1000 operations" },
  { name: "gen2", better: "lower", synopsis: "collections of generation 2 in 1000 operations" },
];

const statistics = [
  ["mean", "Mean"],
  ["median", "Median"],
  ["stddev", "StandardDeviation"],
  ["error", "StandardError"],
  ["min", "Min"],
  ["max", "Max"],
] as const;
const interval = [
  ["lower", "Lower"],
  ["upper", "Upper"],
] as const;

const facts: readonly FactPath[] = [
  ["benchmarkdotnet", "HostEnvironmentInfo", "BenchmarkDotNetVersion"],
  ["os", "HostEnvironmentInfo", "OsVersion"],
  ["cpu", "HostEnvironmentInfo", "ProcessorName"],
  ["cpu", "HostEnvironmentInfo", "ProcessorName", "Value"],
  ["runtime", "HostEnvironmentInfo", "RuntimeVersion"],
  ["runtime", "HostEnvironmentInfo", "ClrVersion"],
  ["architecture", "HostEnvironmentInfo", "Architecture"],
  ["sdk", "HostEnvironmentInfo", "DotNetCliVersion"],
  ["configuration", "HostEnvironmentInfo", "Configuration"],
];

/** JsonExporter of BenchmarkDotNet 0.9 to 0.15: full, brief and compressed. */
export const benchmarkdotnet = reportImporter({
  name: "benchmarkdotnet",
  synopsis: "BenchmarkDotNet --exporters json (full, brief)",
  marks: 'JSON with "HostEnvironmentInfo" of BenchmarkDotNet and a list "Benchmarks"',
  sniff: (head) => (hasMembers(jsonHead(head, "{"), "HostEnvironmentInfo", "BenchmarkDotNetVersion") ? 1 : 0),
  reports: (bytes, file) => [report(JsonLocation.document(bytes, file))],
});

function report(document: JsonLocation): BenchmarkReport {
  const results = document.get("Benchmarks").list().flatMap(resultOf);
  return reportOf(metrics, results, {
    facts: factsIn(document, facts),
    ...performedAt(titleTime(document.maybe("Title")?.scalar)),
  });
}

/** `Some.Benchmarks-20260315-231008`, in local time. */
function titleTime(title: unknown): string | undefined {
  const parts = /-(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)$/.exec(typeof title === "string" ? title.slice(-40) : "");
  return parts ? `${parts.slice(1, 4).join("-")} ${parts.slice(4).join(":")}` : undefined;
}

/** Failed benchmarks have no statistics. */
function resultOf(entry: JsonLocation): BenchmarkResult[] {
  const given = entry.maybe("Statistics");
  if (!given) return [];
  const values = new Map<string, number | Float64Array>();
  const samples = samplesOf(entry, given);
  if (samples.length > 0) values.set("time", samples);
  for (const [name, value] of numbersIn(given, statistics, nanoseconds)) values.set(name, value);
  const confidence = given.maybe("ConfidenceInterval");
  if (confidence) for (const [name, value] of numbersIn(confidence, interval, nanoseconds)) values.set(name, value);
  for (const [name, value] of memoryIn(entry.maybe("Memory"))) values.set(name, value);
  return [{ benchmark: nameOf(entry), parameters: parametersOf(entry), values }];
}

function samplesOf(entry: JsonLocation, given: JsonLocation): Float64Array {
  const values = given.maybe("OriginalValues");
  if (values) return divideAll(values.numbers(), nanoseconds);
  const measured = entry.maybe("Measurements")?.list() ?? [];
  const isResult = (each: JsonLocation): boolean =>
    each.maybe("IterationStage")?.scalar === "Result" || each.maybe("IterationMode")?.scalar === "Result";
  return Float64Array.from(
    measured.filter(isResult),
    (each) => each.get("Nanoseconds").number() / each.get("Operations").number() / nanoseconds,
  );
}

function* memoryIn(memory: JsonLocation | undefined): Generator<[string, number]> {
  if (!memory) return;
  yield* numbersIn(memory, [["bytes", "BytesAllocatedPerOperation"]]);
  const operations = memory.maybe("TotalOperations")?.number() ?? 0;
  if (operations <= 0) return;
  for (const generation of [0, 1, 2]) {
    const collections = memory.maybe(`Gen${generation}Collections`)?.number();
    if (collections !== undefined) yield [`gen${generation}`, (collections * 1000) / operations];
  }
}

function nameOf(entry: JsonLocation): string {
  const parts = ["Namespace", "Type", "Method"].map((member) => entry.maybe(member)?.text() ?? "");
  return parts[2] === "" ? entry.get("FullName").text() : parts.filter((part) => part !== "").join(".");
}

/**
 * `Parameters` are `N=10&Kind=fast`. Of `Type.Method: Job(Setting=1) [N=10]` the job becomes a parameter, since a
 * benchmark may run in several jobs.
 */
function parametersOf(entry: JsonLocation): Map<string, Value> {
  const parameters = new Map<string, Value>();
  // Ampersands in values are not escaped.
  for (const part of (entry.maybe("Parameters")?.text() ?? "").split(/&(?=[\p{L}_][\p{L}\p{N}_]{0,200}=)/u)) {
    const [name = "", ...rest] = part.split("=");
    if (name !== "" && rest.length > 0) parameters.set(name.trim(), parameterValue(rest.join("=")));
  }
  const shown = entry.maybe("DisplayInfo")?.text() ?? "";
  const at = shown.indexOf(": ");
  const job = shown.slice(at + 2).replace(/ \[[^[]*\]$/, "");
  if (at >= 0 && job !== "" && !parameters.has("job")) parameters.set("job", job);
  return parameters;
}
