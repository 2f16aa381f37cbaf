import type { BenchmarkReport, BenchmarkResult, ReportMetric } from "../../core/measurements/index.ts";
import type { Value } from "../../core/values/index.ts";
import { csvCells, scaledNumber } from "../text/index.ts";
import { parameterValue, reportOf } from "./report/build-report.ts";
import { someLine } from "./report/report-text.ts";

/** Units of Google Benchmark per second. */
export const perSecond: ReadonlyMap<string, number> = new Map([
  ["ns", 1e9],
  ["us", 1e6],
  ["ms", 1e3],
  ["s", 1],
]);

const knownMetrics: readonly ReportMetric[] = [
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

/** A result line, in seconds: a repetition, or a statistic of all repetitions. */
export interface GoogleEntry {
  /** Name of the benchmark, without the suffix of a statistic. */
  readonly name: string;
  readonly statistic?: string;
  readonly real: number;
  readonly cpu: number;
  /** Counters, in base units. */
  readonly numbers: readonly (readonly [name: string, value: number])[];
}

/** Samples and statistics of one benchmark. */
interface BenchmarkValues {
  readonly name: string;
  readonly samples: Map<string, number[]>;
  readonly statisticSuffix: Map<string, number>;
  times: number;
}

/** Builds the report; entries with the same name are repetitions. */
export function googleReport(
  entries: readonly GoogleEntry[],
  rest: Omit<BenchmarkReport, "metrics" | "results"> = {},
): BenchmarkReport {
  const all = new Map<string, BenchmarkValues>();
  for (const entry of entries) {
    const resultNumbers: BenchmarkValues = all.get(entry.name) ?? {
      name: entry.name,
      samples: new Map(),
      statisticSuffix: new Map(),
      times: 0,
    };
    all.set(entry.name, resultNumbers);
    if (entry.statistic === undefined) addSample(resultNumbers, entry);
    else addStatistic(resultNumbers, entry.statistic, entry);
  }
  const measured = [...all.values()];
  return reportOf(metricsOf(measured), measured.map(resultOf), rest);
}

function addSample(measured: BenchmarkValues, { real, cpu, numbers }: GoogleEntry): void {
  for (const [name, value] of [["time", real], ["cpu_time", cpu], ...numbers] as const) {
    const list = measured.samples.get(name) ?? [];
    measured.samples.set(name, list);
    while (list.length < measured.times) list.push(Number.NaN);
    list.push(value);
  }
  measured.times += 1;
}

function addStatistic(
  { statisticSuffix: statistics }: BenchmarkValues,
  name: string,
  { real, cpu }: GoogleEntry,
): void {
  statistics.set(name, real);
  if (!Number.isNaN(cpu)) statistics.set(`cpu_${name}`, cpu);
}

function metricsOf(measured: readonly BenchmarkValues[]): ReportMetric[] {
  const names = new Set(knownMetrics.map(({ name }) => name));
  const statistics = new Set(measured.flatMap((each) => [...each.statisticSuffix.keys()]));
  const counters = new Set(
    measured
      .flatMap(({ samples }) => [...samples.keys()])
      .filter((name) => !names.has(name) && name !== iterations.name),
  );
  return [
    ...knownMetrics,
    ...[...statistics].filter((name) => !names.has(name) && !counters.has(name)).map(statisticMetric),
    ...[...counters].map((name) => ({ name, synopsis: "counter of the benchmark" })),
    iterations,
  ];
}

function statisticMetric(name: string): ReportMetric {
  if (name.endsWith("cv")) return { name, synopsis: "coefficient of variation of the repetitions" };
  return name.endsWith("stddev") ? { name, unit: "s" } : { name, unit: "s", better: "lower" };
}

function resultOf({ name, samples, statisticSuffix: statistics, times }: BenchmarkValues): BenchmarkResult {
  const values = new Map<string, number | number[]>(statistics);
  for (const [metric, list] of samples) {
    while (list.length < times) list.push(Number.NaN);
    if (list.some((value) => !Number.isNaN(value))) values.set(metric, times === 1 ? list[0]! : list);
  }
  return { ...namedBenchmark(name), values };
}

/**
 * Splits `BM_copy/size:4096/8/real_time/threads:2` into name and parameters; unnamed parameters are numbered.
 */
function namedBenchmark(name: string): Pick<BenchmarkResult, "benchmark" | "parameters"> {
  const parts = partsOf(name);
  const parameters = new Map<string, Value>();
  let end = parts.length;
  for (; end > 1; end--) {
    const [key, value] = parameterIn(parts[end - 1]!, end - 1);
    if (key === undefined || parameters.has(key)) break;
    parameters.set(key, value);
  }
  return { benchmark: parts.slice(0, end).join("/"), parameters: new Map([...parameters].reverse()) };
}

/** Splits at slashes outside of template arguments. */
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

function parameterIn(part: string, index: number): [string | undefined, Value] {
  if (part === "real_time" || part === "process_time" || part === "manual_time") return [part, true];
  const [, key, text = ""] = /^([A-Za-z_]\w{0,63}):([^:].{0,200})$/s.exec(part) ?? [];
  if (key !== undefined) return [key, parameterValue(text)];
  const value = parameterValue(part);
  return [typeof value === "number" ? `arg${index}` : undefined, value];
}

const consoleHead = /^Benchmark +Time +CPU +Iterations/;
const csvHead = "name,iterations,real_time,cpu_time,time_unit";

/** Longer lines are ignored. */
const maxLineLength = 8192;

const measured = new RegExp(
  String.raw` ([\d.]{1,30}(?:e[+-]?\d{1,3})?) (ns|us|ms|s|%) {1,400}([\d.]{1,30}` +
    String.raw`(?:e[+-]?\d{1,3})?) (ns|us|ms|s|%) {1,400}(\d{1,15})(?= |$)`,
);
const counter = /^(?:([^=\s]{1,200})=)?(-?[\d.]{1,30}(?:e[+-]?\d{1,3})?)([kKMGTPEZYmunpfazy]?)(i?)(B?\/s|s)?$/;
const statistics = /_(mean|median|stddev|cv)$/;
const customStatisticSuffix = /_([A-Za-z]\w{0,60})$/;
const exponents: ReadonlyMap<string, number> = new Map(
  [..."yzafpnum", "", ..."kMGTPEZY"].map((prefix, at) => [prefix, at - 8]),
);

/** Whether lines are console or CSV output. */
export function isGoogleText(lines: Iterable<string>): boolean {
  return someLine(lines, (line) => line.startsWith(csvHead) || consoleHead.test(line));
}

/**
 * Parses console output or `--benchmark_format=csv`; complexity fits, failed benchmarks and labels are skipped. Numbers
 * on the console are rounded.
 */
export function googleTextEntries(lines: readonly string[]): GoogleEntry[] {
  const from = lines.findIndex((line) => line.startsWith(csvHead));
  const entries = from >= 0 ? csvEntries(lines.slice(from)) : consoleEntries(lines);
  const names = new Set(entries.filter(({ real }) => Number.isFinite(real)).map(({ name }) => name));
  return entries
    .map((entry) => asStatistic(entry, names))
    .filter(({ statistic, real }) => Number.isFinite(real) && (from < 0 || statistic !== "cv"));
}

/**
 * Converts `BM_x_mean` to a statistic if there are results of `BM_x` or other statistics. A custom statistic requires
 * both mean and median.
 */
function asStatistic(entry: GoogleEntry, names: ReadonlySet<string>): GoogleEntry {
  const [suffix, statistic = ""] = statistics.exec(entry.name) ?? customStatisticSuffix.exec(entry.name) ?? [];
  if (suffix === undefined) return entry;
  const name = entry.name.slice(0, -suffix.length);
  const hasOthers = names.has(`${name}_mean`) && names.has(`${name}_median`);
  const isOne = hasOthers || (names.has(name) && statistics.test(entry.name));
  return isOne ? { ...entry, name, statistic, numbers: [] } : entry;
}

function consoleEntries(lines: readonly string[]): GoogleEntry[] {
  let columns: string[] = [];
  return lines.flatMap((line): GoogleEntry[] => {
    if (consoleHead.test(line)) columns = line.trim().split(/ +/).slice(4);
    const parts = line.length > maxLineLength ? null : measured.exec(line);
    if (parts === null || parts.index === 0) return [];
    const [all, real = "", realUnit = "", cpu = "", cpuUnit = "", iterations = ""] = parts;
    const numbers = countersIn(line.slice(parts.index + all.length).trim(), columns);
    return [
      {
        name: line.slice(0, parts.index).trim(),
        real: scaledNumber(real, exponentOf(realUnit)),
        cpu: scaledNumber(cpu, exponentOf(cpuUnit)),
        numbers: [["iterations", Number(iterations)], ...numbers],
      },
    ];
  });
}

function exponentOf(unit: string): number {
  return unit === "%" ? -2 : -Math.log10(perSecond.get(unit) ?? Number.NaN);
}

/**
 * Counters: `rate=27.9k/s` in any column, or numbers below their names with `--benchmark_counters_tabular`. Other words
 * are labels.
 */
function countersIn(text: string, columns: readonly string[]): [string, number][] {
  const counters: [string, number][] = [];
  for (const [at, word] of text.split(/ +/).entries()) {
    const [, own, digits = "", prefix = "", binary = "", unit = ""] = counter.exec(word) ?? [];
    const name = own ?? (unit === "B/s" ? "bytes_per_second" : columns[at]);
    if (digits === "" || name === undefined || name === "UserCounters...") continue;
    // Up to 1.8, prefixes of bytes are powers of 1024 without an `i`.
    const base = binary === "i" || (name === "bytes_per_second" && prefix !== "" && prefix !== "m") ? 1024 : 1000;
    const value = Number(digits) * base ** (exponents.get(prefix === "K" ? "k" : prefix) ?? 0);
    if (Number.isFinite(value)) counters.push([name, value]);
  }
  return counters;
}

/** The statistic `cv` is skipped, because CSV writes it with a wrong unit of time. */
function csvEntries([head = "", ...rows]: readonly string[]): GoogleEntry[] {
  const names = csvCells(head, ",");
  return rows.flatMap((row): GoogleEntry[] => {
    const cells = new Map(csvCells(row, ",").map((cell, at) => [names[at] ?? "", cell]));
    const exponent = exponentOf(cells.get("time_unit") ?? "");
    const [real, cpu] = [timeIn(cells, "real_time", exponent), timeIn(cells, "cpu_time", exponent)];
    if (Number.isNaN(real) || cells.get("error_occurred") === "true") return [];
    const numbers = names.flatMap((name): [string, number][] => {
      const value = nonCounterColumns.has(name) ? undefined : numberIn(cells, name);
      return value === undefined ? [] : [[name.replaceAll('"', ""), value]];
    });
    return [{ name: cells.get("name") ?? "", real, cpu, numbers }];
  });
}

const nonCounterColumns = new Set([
  "name",
  "real_time",
  "cpu_time",
  "time_unit",
  "label",
  "error_occurred",
  "error_message",
]);

function timeIn(cells: ReadonlyMap<string, string>, name: string, exponent: number): number {
  return scaledNumber((cells.get(name) ?? "").slice(0, 40), exponent);
}

function numberIn(cells: ReadonlyMap<string, string>, name: string): number | undefined {
  const text = cells.get(name) ?? "";
  const value = text.length > 0 && text.length <= 40 ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}
