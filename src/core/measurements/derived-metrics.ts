import { formatUnit, sameDimension, type Unit } from "../values/index.ts";
import { isProcessorTime } from "./metric-rank.ts";

/** What a result of an experiment says of itself. */
export interface NamedMetric {
  readonly name: string;
  readonly unit?: Unit | undefined;
  readonly better?: "lower" | "higher" | undefined;
}

/** Statistics of values that have a center, the best center first. */
const centers = ["median", "mean", "average", "avg"];

const statistics = new Set(
  centers.concat("min", "minimum", "max", "maximum", "stddev", "stdev", "std", "sd", "deviation", "variance"),
);

/** Words that mean statistics in reports of benchmark programs, and other things elsewhere. */
const statisticsOfReports = new Set(
  ["fastest", "slowest", "dev", "variation", "cv", "mad", "iqr", "q1", "q3"].concat(
    ["lower", "upper", "margin", "rme", "moe", "sem", "error", "stderr", "abs", "slope", "typical"],
    [...statistics],
  ),
);

const exitStatuses = new Set(["exit_code", "exit_codes", "exitcode", "exit_status"]);

/** Numbers about a measurement of a benchmark program, not of what it measures. */
const counters = new Set([
  "iterations",
  "rounds",
  "loops",
  "repetitions",
  "samples",
  "outliers",
  "warmup",
  "warmups",
  ...exitStatuses,
]);

/** Whether a metric is the exit status of the measured program. */
export function isExitStatus(metric: string): boolean {
  return exitStatuses.has(metric.toLowerCase());
}

/**
 * The metrics that only describe another one, which they are evidence for: its minimum, mean or deviation, by their
 * names (`mean`, `latency_stddev`, `min time`); for reports of benchmark programs also how often they measured. A
 * metric is described by its statistics if it has a series of its own; else its median, else its mean, stands for the
 * others. Keys are derived metrics, values those that they describe. Percentiles are metrics of their own.
 */
export function derivedMetrics(metrics: readonly NamedMetric[], isReport: boolean): ReadonlyMap<string, string> {
  const words = isReport ? statisticsOfReports : statistics;
  const described = metrics.map((metric) => ({ metric, base: baseOf(metric.name, words) }));
  const own = described.flatMap(({ base, metric }) =>
    base === null && !(isReport && isCounter(metric)) ? [metric] : [],
  );
  const derived = new Map<string, string>();
  for (const { metric, base } of described) {
    if (base === null) continue;
    const alike = own.filter(({ name }) => (base === "" ? hasStatistics(name) : wordsOf(name).join(" ") === base));
    const same = alike.find((each) => sameDimension(each.unit, metric.unit));
    const others = described.filter((each) => each.base === base).map((each) => each.metric);
    const center = centerOf(others, words);
    const isOfCenter = center !== undefined && center !== metric && sameDimension(center.unit, metric.unit);
    const fallback = isReport && metric.better === undefined && !isOfCenter ? alike[0] : undefined;
    const of = same ?? fallback ?? center;
    if (of !== undefined && of !== metric) derived.set(metric.name, of.name);
  }
  const first = metrics.find((metric) => !derived.has(metric.name) && !isCounter(metric));
  if (isReport && first !== undefined)
    for (const metric of metrics) if (isCounter(metric)) derived.set(metric.name, first.name);
  return derived;
}

/** The names of derived metrics, for the metrics of one benchmark after the other: most have the same ones. */
export function derivedNames(isReport: boolean): (metrics: readonly NamedMetric[]) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>();
  return (metrics) => {
    const names = metrics.map(({ name, unit, better }) => [name, formatUnit(unit), better ?? ""].join(" ")).join("\n");
    const derived = known.get(names) ?? new Set(derivedMetrics(metrics, isReport).keys());
    known.set(names, derived);
    return derived;
  };
}

/** Whether a bare `mean` may be that of the metric: not of processor times next to it, percentiles and counts. */
function hasStatistics(name: string): boolean {
  return !isProcessorTime(name) && !wordsOf(name).some((word) => word === "count" || /^p\d/.test(word));
}

function isCounter({ name }: NamedMetric): boolean {
  return counters.has(name.toLowerCase());
}

function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[\s_.:/()-]+/)
    .filter((word) => word !== "");
}

/** The words of a name without those of statistics at its ends, which may be none; null: it names no statistic. */
function baseOf(name: string, known: ReadonlySet<string>): string | null {
  const words = wordsOf(name);
  let [from, to] = [0, words.length];
  while (from < to && known.has(words[from] ?? "")) from += 1;
  while (to > from && known.has(words[to - 1] ?? "")) to -= 1;
  return to - from === words.length ? null : words.slice(from, to).join(" ");
}

/** The statistic that stands for a metric without values of its own. */
function centerOf(metrics: readonly NamedMetric[], words: ReadonlySet<string>): NamedMetric | undefined {
  const wanted = (center: string): NamedMetric | undefined =>
    metrics.find(({ name }) => {
      const [one, ...more] = wordsOf(name).filter((word) => words.has(word));
      return one === center && more.length === 0;
    });
  for (const center of centers) {
    const found = wanted(center);
    if (found !== undefined) return found;
  }
  return metrics[0];
}
