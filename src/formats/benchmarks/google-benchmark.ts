import type { BenchmarkReport, BenchmarkResult, ReportMetric } from "../../core/measurements/benchmark-report.ts";
import type { Value } from "../../core/values/value.ts";
import { parameterValue, reportOf } from "./report/build-report.ts";

/** What a second is in the units of Google Benchmark. */
export const perSecond: ReadonlyMap<string, number> = new Map([
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

/** One line of results, in s: a repetition, or a statistic of all of them. */
export interface GoogleEntry {
  /** Of the benchmark, also where it is a statistic. */
  readonly name: string;
  readonly statistic?: string;
  readonly real: number;
  readonly cpu: number;
  /** Counters, in base units. */
  readonly numbers: readonly (readonly [name: string, value: number])[];
}

/** What the repetitions of one benchmark gave. */
interface Measured {
  readonly name: string;
  readonly samples: Map<string, number[]>;
  readonly statistics: Map<string, number>;
  times: number;
}

/** The report of all lines; those of one name are repetitions. */
export function googleReport(
  entries: readonly GoogleEntry[],
  rest: Omit<BenchmarkReport, "metrics" | "results"> = {},
): BenchmarkReport {
  const all = new Map<string, Measured>();
  for (const entry of entries) {
    const measured: Measured = all.get(entry.name) ?? {
      name: entry.name,
      samples: new Map(),
      statistics: new Map(),
      times: 0,
    };
    all.set(entry.name, measured);
    if (entry.statistic === undefined) addSample(measured, entry);
    else addStatistic(measured, entry.statistic, entry);
  }
  const measured = [...all.values()];
  return reportOf(metricsOf(measured), measured.map(resultOf), rest);
}

function addSample(measured: Measured, { real, cpu, numbers }: GoogleEntry): void {
  for (const [name, value] of [["time", real], ["cpu_time", cpu], ...numbers] as const) {
    const list = measured.samples.get(name) ?? [];
    measured.samples.set(name, list);
    while (list.length < measured.times) list.push(Number.NaN);
    list.push(value);
  }
  measured.times += 1;
}

function addStatistic({ statistics }: Measured, name: string, { real, cpu }: GoogleEntry): void {
  statistics.set(name, real);
  if (!Number.isNaN(cpu)) statistics.set(`cpu_${name}`, cpu);
}

function metricsOf(measured: readonly Measured[]): ReportMetric[] {
  const names = new Set(known.map(({ name }) => name));
  const statistics = new Set(measured.flatMap((each) => [...each.statistics.keys()]));
  const counters = new Set(
    measured
      .flatMap(({ samples }) => [...samples.keys()])
      .filter((name) => !names.has(name) && name !== iterations.name),
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

/**
 * `BM_copy/size:4096/8/real_time/threads:2`: what stands behind the name are parameters, those without a name by their
 * place.
 */
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
