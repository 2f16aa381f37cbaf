import type { BenchmarkReport, BenchmarkResult, ReportMetric } from "../../core/benchmark-report.ts";
import type { Value } from "../../core/value.ts";
import { JsonPlace } from "../../formats/json/json-place.ts";
import { reportImporter } from "./report-importer.ts";

/** Of each command, in seconds: samples, and what hyperfine says of them. */
const metrics: readonly ReportMetric[] = [
  { name: "time", unit: "s", better: "lower", synopsis: "wall time of one run of the command" },
  { name: "mean", unit: "s", better: "lower" },
  { name: "stddev", unit: "s" },
  { name: "median", unit: "s", better: "lower" },
  { name: "min", unit: "s", better: "lower" },
  { name: "max", unit: "s", better: "lower" },
  { name: "user", unit: "s", better: "lower", synopsis: "mean processor time of the program" },
  { name: "system", unit: "s", better: "lower", synopsis: "mean processor time of the kernel" },
  { name: "memory", unit: "Byte", better: "lower", synopsis: "peak resident memory of one run" },
  { name: "exit_code", whole: true, synopsis: "exit status of one run" },
];

const single = metrics.map(({ name }) => name).filter((name) => !["time", "memory", "exit_code"].includes(name));

/** `hyperfine --export-json` of versions 1.0 to 1.20; `memory_usage_byte` since 1.19. */
export const hyperfine = reportImporter({
  name: "hyperfine",
  synopsis: "hyperfine --export-json",
  marks: 'JSON with a list "results" whose elements have "command" and "mean"',
  sniff: (head) => (/^\s*\{\s*"results"\s*:\s*\[\s*\{\s*"command"\s*:/.test(new TextDecoder().decode(head.subarray(0, 4096))) ? 1 : 0),
  reports: (bytes, file) => [report(JsonPlace.document(bytes, file))],
});

function report(document: JsonPlace): BenchmarkReport {
  const results = document.get("results").list().map(resultOf);
  const used = metrics.filter(({ name }) => results.some(({ values }) => values.has(name)));
  return { metrics: used, results };
}

function resultOf(result: JsonPlace): BenchmarkResult {
  const values = new Map<string, number | Float64Array>();
  const lists = [
    ["time", "times"],
    ["memory", "memory_usage_byte"],
    ["exit_code", "exit_codes"],
  ] as const;
  for (const [metric, member] of lists) {
    const list = result.maybe(member);
    if (list) values.set(metric, list.numbers());
  }
  // A single run has no deviation: null.
  for (const name of single) {
    const number = result.maybe(name);
    if (number) values.set(name, number.number());
  }
  return { benchmark: result.get("command").text(), parameters: parametersOf(result), values };
}

function parametersOf(result: JsonPlace): Map<string, Value> {
  const parameters = result.maybe("parameters")?.members() ?? [];
  return new Map(parameters.map(([name, value]) => [name, numberIn(value.text())]));
}

/** hyperfine writes numbers of `--parameter-scan` as texts. */
function numberIn(text: string): Value {
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(text) ? Number(text) : text;
}
