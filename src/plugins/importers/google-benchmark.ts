import type { BenchmarkReport, BenchmarkResult, ReportMetric } from "../../core/benchmark-report.ts";
import type { Value } from "../../core/value.ts";
import { Failure } from "../../core/errors.ts";
import { hasMembers, jsonHead } from "../../formats/json-head.ts";
import { JsonPlace } from "../../formats/json-place.ts";
import { parameterValue, performedAt, reportOf } from "../../formats/report-of.ts";
import { reportImporter } from "./report-importer.ts";

const perSecond: ReadonlyMap<string, number> = new Map([
  ["ns", 1e9],
  ["us", 1e6],
  ["ms", 1e3],
  ["s", 1],
]);

const known: readonly ReportMetric[] = [
  { name: "time", unit: "s", better: "lower", synopsis: "wall time of one iteration" },
  { name: "cpu_time", unit: "s", better: "lower", synopsis: "processor time of one iteration" },
  { name: "bytes_per_second", unit: "Byte/s", better: "higher" },
  { name: "items_per_second", unit: "1/s", better: "higher" },
  { name: "allocs_per_iter", better: "lower" },
  { name: "max_bytes_used", unit: "Byte", better: "lower" },
  { name: "total_allocated_bytes", unit: "Byte", better: "lower" },
  { name: "net_heap_growth", unit: "Byte", better: "lower" },
];
const iterations: ReportMetric = { name: "iterations", better: "higher", synopsis: "iterations of one measurement" };

/** Numbers of an entry that are neither measured nor counted by the benchmark. */
const notMeasured = new Set([
  "family_index",
  "per_family_instance_index",
  "repetitions",
  "repetition_index",
  "threads",
  "real_time",
  "cpu_time",
]);

/** What the repetitions of one benchmark gave. */
interface Measured {
  readonly name: string;
  readonly samples: Map<string, number[]>;
  readonly statistics: Map<string, number>;
  times: number;
}

/** `--benchmark_format=json` and `--benchmark_out_format=json` of Google Benchmark 1.0 to 1.9. */
export const googleBenchmark = reportImporter({
  name: "google-benchmark",
  synopsis: "Google Benchmark --benchmark_format=json",
  marks: 'JSON with a list "benchmarks" whose elements have "real_time", "cpu_time" and "time_unit"',
  sniff: (head) => (hasMembers(jsonHead(head, "{"), "benchmarks", "real_time", "cpu_time", "time_unit") ? 1 : 0),
  reports: (bytes, file) => [report(JsonPlace.document(bytes, file))],
});

function report(document: JsonPlace): BenchmarkReport {
  const context = document.maybe("context")?.members() ?? [];
  const entries = document.get("benchmarks").list();
  const regular = measuredOf(entries, false);
  // Where nothing but aggregates of other kinds are reported, they are all there is.
  const measured = regular.length > 0 ? regular : measuredOf(entries, true);
  const facts = context.flatMap(([name, value]): [string, Value][] =>
    value.scalar === undefined || name === "date" || name === "json_schema_version" ? [] : [[name, value.scalar]],
  );
  const rest = { facts: new Map(facts), ...performedAt(document.maybe("context")?.maybe("date")?.scalar) };
  return reportOf(metricsOf(measured), measured.map(resultOf), rest);
}

function measuredOf(entries: readonly JsonPlace[], takesAggregates: boolean): Measured[] {
  const all = new Map<string, Measured>();
  for (const entry of entries) {
    if (entry.maybe("error_occurred")?.scalar === true || entry.maybe("skipped")?.scalar === true || !entry.maybe("real_time")) continue;
    const isAggregate = entry.maybe("run_type")?.scalar === "aggregate" && !takesAggregates;
    if (isAggregate && statisticIn(entry) === undefined) continue;
    const name = (takesAggregates ? undefined : entry.maybe("run_name")?.text()) ?? entry.get("name").text();
    const measured: Measured = all.get(name) ?? { name, samples: new Map(), statistics: new Map(), times: 0 };
    all.set(name, measured);
    if (isAggregate) addStatistic(measured, entry);
    else addSample(measured, entry);
  }
  return [...all.values()];
}

function addSample(measured: Measured, entry: JsonPlace): void {
  const over = divisorOf(entry);
  const values: [string, number][] = [
    ["time", entry.get("real_time").number() / over],
    ["cpu_time", (entry.maybe("cpu_time")?.number() ?? Number.NaN) / over],
  ];
  for (const [name, place] of entry.members()) if (place.isNumber && !notMeasured.has(name)) values.push([name, place.number()]);
  for (const [name, value] of values) {
    const list = measured.samples.get(name) ?? [];
    measured.samples.set(name, list);
    while (list.length < measured.times) list.push(Number.NaN);
    list.push(value);
  }
  measured.times += 1;
}

/** The name of a statistic over repetitions; undefined for a fit of growth and for shares other than the coefficient of variation. */
function statisticIn(entry: JsonPlace): string | undefined {
  const name = entry.maybe("aggregate_name")?.scalar;
  if (typeof name !== "string" || name === "BigO" || name === "RMS") return undefined;
  return name !== "cv" && entry.maybe("aggregate_unit")?.scalar === "percentage" ? undefined : name;
}

function addStatistic({ statistics }: Measured, entry: JsonPlace): void {
  const name = statisticIn(entry) ?? "";
  const over = name === "cv" ? 1 : divisorOf(entry);
  const cpu = entry.maybe("cpu_time")?.number();
  statistics.set(name, entry.get("real_time").number() / over);
  if (cpu !== undefined) statistics.set(`cpu_${name}`, cpu / over);
}

function divisorOf(entry: JsonPlace): number {
  const unit = entry.maybe("time_unit")?.text() ?? "ns";
  const over = perSecond.get(unit);
  if (over !== undefined) return over;
  const problem = `${entry.place}.time_unit: '${unit.slice(0, 40)}' is none of ns, us, ms, s`;
  throw new Failure("damaged-report", { file: entry.file, problem });
}

function metricsOf(measured: readonly Measured[]): ReportMetric[] {
  const names = new Set(known.map(({ name }) => name));
  const statistics = new Set(measured.flatMap((each) => [...each.statistics.keys()]));
  const counters = new Set(
    measured.flatMap(({ samples }) => [...samples.keys()]).filter((name) => !names.has(name) && name !== iterations.name),
  );
  return [
    ...known,
    ...[...statistics].filter((name) => !names.has(name) && !counters.has(name)).map(statisticMetric),
    ...[...counters].map((name) => ({ name, synopsis: "counter of the benchmark" })),
    iterations,
  ];
}

function statisticMetric(name: string): ReportMetric {
  if (name.endsWith("cv")) return { name, synopsis: "coefficient of variation of the repetitions" };
  return name.endsWith("stddev") ? { name, unit: "s" } : { name, unit: "s", better: "lower" };
}

function resultOf({ name, samples, statistics, times }: Measured): BenchmarkResult {
  const values = new Map<string, number | number[]>(statistics);
  for (const [metric, list] of samples) {
    while (list.length < times) list.push(Number.NaN);
    if (list.some((value) => !Number.isNaN(value))) values.set(metric, times === 1 ? list[0]! : list);
  }
  return { ...namedBenchmark(name), values };
}

/** `BM_copy/size:4096/8/real_time/threads:2`: what stands behind the name are parameters, those without a name by their place. */
function namedBenchmark(name: string): Pick<BenchmarkResult, "benchmark" | "parameters"> {
  const parts = partsOf(name);
  const found = new Map<string, Value>();
  let end = parts.length;
  for (; end > 1; end--) {
    const [key, value] = parameterIn(parts[end - 1]!, end - 1);
    if (key === undefined || found.has(key)) break;
    found.set(key, value);
  }
  return { benchmark: parts.slice(0, end).join("/"), parameters: new Map([...found].reverse()) };
}

/** Cut at slashes, but not inside of template arguments. */
function partsOf(name: string): string[] {
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at < name.length; at++) {
    const sign = name[at];
    if (sign === "<" || sign === "(") depth += 1;
    else if (sign === ">" || sign === ")") depth -= 1;
    else if (sign === "/" && depth <= 0) {
      parts.push(name.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, name.slice(from)];
}

function parameterIn(part: string, place: number): [string | undefined, Value] {
  if (part === "real_time" || part === "process_time" || part === "manual_time") return [part, true];
  const [, key, text = ""] = /^([A-Za-z_]\w{0,63}):([^:].{0,200})$/s.exec(part) ?? [];
  if (key !== undefined) return [key, parameterValue(text)];
  const value = parameterValue(part);
  return [typeof value === "number" ? `arg${place}` : undefined, value];
}
