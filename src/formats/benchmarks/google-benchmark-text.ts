import { csvCells } from "../text/csv-rows.ts";
import { perSecond, type GoogleEntry } from "./google-benchmark.ts";
import { scaledNumber } from "../text/parse-quantity.ts";
import { someLine } from "./report/report-lines.ts";

const consoleHead = /^Benchmark +Time +CPU +Iterations/;
const csvHead = "name,iterations,real_time,cpu_time,time_unit";

/** Longer lines hold no result. */
const longestLine = 8192;

const measured =
  / ([\d.]{1,30}(?:e[+-]?\d{1,3})?) (ns|us|ms|s|%) {1,400}([\d.]{1,30}(?:e[+-]?\d{1,3})?) (ns|us|ms|s|%) {1,400}(\d{1,15})(?= |$)/;
const counter = /^(?:([^=\s]{1,200})=)?(-?[\d.]{1,30}(?:e[+-]?\d{1,3})?)([kKMGTPEZYmunpfazy]?)(i?)(B?\/s|s)?$/;
const statistics = /_(mean|median|stddev|cv)$/;
const ownStatistic = /_([A-Za-z]\w{0,60})$/;
const exponents: ReadonlyMap<string, number> = new Map(
  [..."yzafpnum", "", ..."kMGTPEZY"].map((prefix, at) => [prefix, at - 8]),
);

/** Whether lines are those of the console, or of CSV. */
export function isGoogleText(lines: Iterable<string>): boolean {
  return someLine(lines, (line) => line.startsWith(csvHead) || consoleHead.test(line));
}

/**
 * Results that the console or `--benchmark_format=csv` prints; fits of growth, failed benchmarks and labels are left
 * out. Numbers of the console are rounded.
 */
export function googleTextEntries(lines: readonly string[]): GoogleEntry[] {
  const from = lines.findIndex((line) => line.startsWith(csvHead));
  const found = from >= 0 ? csvEntries(lines.slice(from)) : consoleEntries(lines);
  const names = new Set(found.filter(({ real }) => Number.isFinite(real)).map(({ name }) => name));
  return found
    .map((entry) => asStatistic(entry, names))
    .filter(({ statistic, real }) => Number.isFinite(real) && (from < 0 || statistic !== "cv"));
}

/**
 * `BM_x_mean` is one where there are results of `BM_x`, or other statistics; of the benchmark's own ones where there
 * are both.
 */
function asStatistic(entry: GoogleEntry, names: ReadonlySet<string>): GoogleEntry {
  const [suffix, statistic = ""] = statistics.exec(entry.name) ?? ownStatistic.exec(entry.name) ?? [];
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
    const parts = line.length > longestLine ? null : measured.exec(line);
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
 * `rate=27.9k/s` wherever it stands, and with `--benchmark_counters_tabular` numbers below their names; what is neither
 * is a label.
 */
function countersIn(text: string, columns: readonly string[]): [string, number][] {
  const found: [string, number][] = [];
  for (const [at, word] of text.split(/ +/).entries()) {
    const [, own, digits = "", prefix = "", binary = "", unit = ""] = counter.exec(word) ?? [];
    const name = own ?? (unit === "B/s" ? "bytes_per_second" : columns[at]);
    if (digits === "" || name === undefined || name === "UserCounters...") continue;
    // Up to 1.8 prefixes of bytes are powers of 1024 without saying so.
    const base = binary === "i" || (name === "bytes_per_second" && prefix !== "" && prefix !== "m") ? 1024 : 1000;
    const value = Number(digits) * base ** (exponents.get(prefix === "K" ? "k" : prefix) ?? 0);
    if (Number.isFinite(value)) found.push([name, value]);
  }
  return found;
}

/** A statistic `cv` is written there in a unit of time that it has not, and is left out. */
function csvEntries([head = "", ...rows]: readonly string[]): GoogleEntry[] {
  const names = csvCells(head, ",");
  return rows.flatMap((row): GoogleEntry[] => {
    const cells = new Map(csvCells(row, ",").map((cell, at) => [names[at] ?? "", cell]));
    const exponent = exponentOf(cells.get("time_unit") ?? "");
    const [real, cpu] = [timeIn(cells, "real_time", exponent), timeIn(cells, "cpu_time", exponent)];
    if (Number.isNaN(real) || cells.get("error_occurred") === "true") return [];
    const numbers = names.flatMap((name): [string, number][] => {
      const value = notCounted.has(name) ? undefined : numberIn(cells, name);
      return value === undefined ? [] : [[name.replaceAll('"', ""), value]];
    });
    return [{ name: cells.get("name") ?? "", real, cpu, numbers }];
  });
}

const notCounted = new Set(["name", "real_time", "cpu_time", "time_unit", "label", "error_occurred", "error_message"]);

function timeIn(cells: ReadonlyMap<string, string>, name: string, exponent: number): number {
  return scaledNumber((cells.get(name) ?? "").slice(0, 40), exponent);
}

function numberIn(cells: ReadonlyMap<string, string>, name: string): number | undefined {
  const text = cells.get(name) ?? "";
  const value = text.length > 0 && text.length <= 40 ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}
