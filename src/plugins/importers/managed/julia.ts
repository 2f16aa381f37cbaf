import type { BenchmarkReport, BenchmarkResult, ReportMetric } from "../../../core/measurements/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import { hasMembers, jsonHead, JsonLocation } from "../../../formats/json/index.ts";
import {
  divideAll,
  factsIn,
  reportOf,
  juliaTextConfidence,
  juliaTrials,
  RepeatedResults,
  reportLines,
} from "../../../formats/benchmarks/index.ts";
import { reportImporter } from "../report-importer.ts";

const nanoseconds = 1e9;

/** Maximum nesting depth of groups. */
const deepest = 200;

const metrics: readonly ReportMetric[] = [
  { name: "time", unit: "s", better: "lower" },
  { name: "min", unit: "s", better: "lower" },
  { name: "median", unit: "s", better: "lower" },
  { name: "mean", unit: "s", better: "lower" },
  { name: "stddev", unit: "s" },
  { name: "max", unit: "s", better: "lower" },
  { name: "gctime", unit: "s", better: "lower", synopsis: "time of collecting garbage" },
  { name: "bytes", unit: "Byte", better: "lower", synopsis: "bytes allocated by one evaluation" },
  { name: "allocations", better: "lower" },
];

/**
 * `BenchmarkTools.save` of BenchmarkTools.jl 0.2 to 1.6: trials with all samples, and their estimates (minimum,
 * median, mean); also printed trials.
 */
export const julia = reportImporter({
  name: "julia",
  synopsis: "Julia's BenchmarkTools.save, or what BenchmarkTools shows",
  marks: [
    'JSON: a list that begins with versions of "Julia" and "BenchmarkTools", ',
    "or lines such as `BenchmarkTools.Trial: …`, `13.1 μs (1 allocation: 7.94 KiB)`, ",
    '`"key" => Trial(13.1 μs)`',
  ].join(""),
  sniff: (head) =>
    hasMembers(jsonHead(head, "[").slice(0, 4096), "Julia", "BenchmarkTools")
      ? 1
      : juliaTextConfidence(reportLines(head)),
  reports: (bytes, file) => [
    juliaTextConfidence(reportLines(bytes)) > 0
      ? textReport(reportLines(bytes))
      : report(JsonLocation.document(bytes, file)),
  ],
});

function textReport(lines: Iterable<string>): BenchmarkReport {
  const results = new RepeatedResults();
  for (const { benchmark, values } of juliaTrials(lines)) results.add(benchmark, values);
  return results.report(metrics);
}

function report(document: JsonLocation): BenchmarkReport {
  const [versions, objects] = document.list();
  const results: BenchmarkResult[] = [];
  for (const object of objects?.list() ?? []) collect(object, [], results);
  const facts = factsIn(versions, [
    ["julia", "Julia"],
    ["benchmarktools", "BenchmarkTools"],
  ]);
  return reportOf(metrics, results, { facts });
}

/**
 * `["BenchmarkGroup", {data: {name: […]}}]`, `["Trial", {times: […]}]`, `["TrialEstimate", {time: …}]`; other objects
 * are not measurements.
 */
function collect(object: JsonLocation, path: readonly string[], results: BenchmarkResult[]): void {
  if (path.length > deepest)
    throw new Failure("damaged-report", { file: object.file, problem: `groups are nested deeper than ${deepest}` });
  const [type, payload] = object.isList ? object.list() : [];
  const name = type?.isText === true ? type.text().replace(/^BenchmarkTools\./, "") : "";
  if (name === "BenchmarkGroup") {
    for (const [key, member] of payload?.get("data").members() ?? []) collect(member, [...path, key], results);
  } else if (payload && (name === "Trial" || name === "TrialEstimate"))
    results.push({ benchmark: path.join("/"), values: measured(payload) });
}

function measured(trial: JsonLocation): Map<string, number | Float64Array> {
  const values = new Map<string, number | Float64Array>();
  for (const [metric, single, list] of [
    ["time", "time", "times"],
    ["gctime", "gctime", "gctimes"],
  ] as const) {
    const samples = trial.maybe(list);
    const estimate = trial.maybe(single);
    if (samples) values.set(metric, divideAll(samples.numbers(), nanoseconds));
    else if (estimate) values.set(metric, estimate.number() / nanoseconds);
  }
  values.set("bytes", trial.get("memory").number());
  values.set("allocations", trial.get("allocs").number());
  return values;
}
