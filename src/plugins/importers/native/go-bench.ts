import type { BenchmarkReport, ReportMetric } from "../../../core/measurements/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import type { Value } from "../../../core/values/index.ts";
import {
  isGoBenchmark,
  readGoBenchmarks,
  type GoBenchmarks,
  type GoResult,
  goTestText,
  RepeatedResults,
  reportLines,
} from "../../../formats/benchmarks/index.ts";
import { reportImporter } from "../report-importer.ts";

/** Metrics of the testing package, by tidied unit. */
const ownMetrics: ReadonlyMap<string, ReportMetric> = new Map([
  ["sec/op", { name: "time", unit: "s", better: "lower", synopsis: "wall time of an operation" }],
  ["B/s", { name: "rate", unit: "Byte/s", better: "higher" }],
  ["B/op", { name: "bytes", unit: "Byte", better: "lower", synopsis: "allocated by an operation" }],
  ["allocs/op", { name: "allocations", better: "lower", synopsis: "allocations of an operation" }],
]);

const iterations: ReportMetric = { name: "iterations", better: "higher", whole: true };

/**
 * `go test -bench` of all versions, also with -json, and other output in the Go Benchmark Data Format (design 14313
 * of Go).
 */
export const goBench = reportImporter({
  name: "go-bench",
  synopsis: "go test -bench, also with -json",
  marks: "lines such as `BenchmarkName-8 1000 123 ns/op`",
  sniff: (head) => (isGoBenchmark(goTestText([...reportLines(head)])) ? 0.95 : 0),
  reports: (bytes, file) => reports(readGoBenchmarks(textOf(bytes, file))),
});

function textOf(bytes: Uint8Array, file: string): string {
  if (bytes.length > 2 ** 29 - 25)
    throw new Failure("damaged-report", { file, problem: "it is longer than 512 MiByte" });
  return goTestText([...reportLines(bytes)]);
}

/** One report per commit in the configuration. */
function reports(read: GoBenchmarks): BenchmarkReport[] {
  const byCommit = new Map<string, GoResult[]>();
  for (const result of read.results) {
    const commit = result.configuration.get("commit") ?? "";
    const own = byCommit.get(commit) ?? [];
    byCommit.set(commit, own);
    own.push(result);
  }
  return [...byCommit].map(([commit, results]) => report(commit, { ...read, results }));
}

function report(commit: string, { results, units }: GoBenchmarks): BenchmarkReport {
  const varied = variedKeys(results);
  const metrics = metricsOf(results, units);
  const found = new RepeatedResults();
  const names = new SplitNames();
  for (const result of results) {
    if (result.values.length === 0) continue;
    const { benchmark, parameters } = names.split(result);
    for (const key of varied) if (result.configuration.has(key)) parameters.set(key, result.configuration.get(key)!);
    const values = result.values.map(({ value, unit }) => [metrics.get(unit)!.name, value] as const);
    found.add(benchmark, [["iterations", result.iterations], ...values], parameters);
  }
  const [first] = results;
  const facts = [...(first?.configuration ?? [])].filter(
    ([key, value]) => !varied.has(key) && key !== "commit" && value !== "",
  );
  const known = /^[0-9a-f]{7,64}$/i.test(commit) ? { commit } : {};
  const notices = results.flatMap(noticesOn);
  const more = notices.length === 0 ? {} : { notices };
  return found.report([...metrics.values(), iterations], { facts: new Map(facts), ...known, ...more });
}

function noticesOn({ line, name, unusable }: GoResult): string[] {
  return unusable.map((text) => `line ${line}: '${text}' of ${name} was skipped: it is no finite number`);
}

/** Keys that vary within the file; the package distinguishes equal names. */
function variedKeys(results: readonly GoResult[]): Set<string> {
  const varied = new Set<string>();
  const first = results[0]?.configuration;
  for (const { configuration } of new Map(results.map((result) => [result.configuration, result])).values()) {
    for (const [key, value] of configuration) if (key === "pkg" || first?.get(key) !== value) varied.add(key);
    for (const key of first?.keys() ?? []) if (!configuration.has(key)) varied.add(key);
  }
  varied.delete("commit");
  return varied;
}

/** Splits names into benchmark and parameters; if two names became equal, the later one stays unsplit. */
class SplitNames {
  readonly #owners = new Map<string, string>();

  split({ name, processors }: GoResult): { benchmark: string; parameters: Map<string, Value> } {
    const plain = processors === null ? name : name.slice(0, name.lastIndexOf("-"));
    const cut = partsOf(plain);
    const key = JSON.stringify([cut.benchmark, ...cut.parameters]);
    const owner = this.#owners.get(key) ?? plain;
    this.#owners.set(key, owner);
    const own = owner === plain ? cut : { benchmark: plain, parameters: new Map<string, Value>() };
    return processors === null ? own : { ...own, parameters: new Map(own.parameters).set("procs", processors) };
  }
}

/** `/key=value` is a parameter; every other part stays in the name. */
function partsOf(name: string): { benchmark: string; parameters: Map<string, Value> } {
  const [base = "", ...parts] = name.split("/");
  const parameters = new Map<string, Value>();
  const stay = parts.filter((part) => {
    const [, key, value = ""] = /^([A-Za-z_][\w.-]*)=(.*)$/.exec(part) ?? [];
    if (key === undefined || parameters.has(key)) return true;
    parameters.set(key, /^-?(?:0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value);
    return false;
  });
  return { benchmark: [base, ...stay].join("/"), parameters };
}

/** By tidied unit, with unique names. */
function metricsOf(results: readonly GoResult[], units: GoBenchmarks["units"]): Map<string, ReportMetric> {
  const metrics = new Map<string, ReportMetric>();
  const taken = new Set<string>([iterations.name]);
  for (const { values } of results)
    for (const { unit } of values) {
      if (metrics.has(unit)) continue;
      const metric = metricOf(unit);
      const better = units.get(unit)?.better;
      const name = taken.has(metric.name) ? unit : metric.name;
      taken.add(name);
      metrics.set(unit, { ...metric, name, ...(better === undefined ? {} : { better }) });
    }
  return metrics;
}

/**
 * `p99-sec/op` is a time named p99, `peak-bytes` an amount of memory, `req/s` a rate; without a known unit it is a
 * number.
 */
function metricOf(unit: string): ReportMetric {
  const own = ownMetrics.get(unit);
  if (own) return own;
  const name = unit.replace(/\/op$/, "");
  const perOperation = name === unit ? {} : { synopsis: "per operation" };
  if (name === "sec" || name.endsWith("-sec")) return { name: timeName(name, unit), unit: "s", better: "lower" };
  if (/(?:^|-)(?:B|bytes)$/.test(name)) return { name, unit: "Byte", better: "lower", ...perOperation };
  if (name.endsWith("-B/s")) return { name: name.slice(0, -4), unit: "Byte/s", better: "higher" };
  return /\/s(?:ec)?$/.test(unit) ? { name, unit: "1/s", better: "higher" } : { name, ...perOperation };
}

/** Units that are not per operation keep their full name. */
function timeName(name: string, unit: string): string {
  if (name === "sec") return "seconds";
  return name === unit ? name : name.slice(0, -4) || "seconds";
}
