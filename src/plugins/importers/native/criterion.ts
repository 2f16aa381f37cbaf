import type { BenchmarkReport, BenchmarkResult, ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import {
  cargoTarget,
  MetricList,
  RepeatedResults,
  reportLines,
  type ReportUnit,
  reportUnit,
  someLine,
  statisticOf,
  toBaseUnit,
} from "../../../formats/benchmarks/index.ts";
import { hasMembers, jsonHead, JsonLocation } from "../../../formats/json/index.ts";
import { prefixedNumber, printedSeconds } from "../../../formats/text/index.ts";
import { reportImporter } from "../report-importer.ts";

/** Each with the bounds of its confidence interval. */
const estimated: readonly ReportMetric[] = [
  { name: "time", unit: "s", better: "lower", synopsis: "wall time of an iteration, as criterion estimates it" },
  { name: "rate", unit: "Byte/s", better: "higher" },
  { name: "elements", unit: "1/s", better: "higher", synopsis: "elements handled in a second" },
];

const metrics: readonly ReportMetric[] = estimated.flatMap(({ name, synopsis, ...rest }) => [
  { name, ...rest, ...(synopsis === undefined ? {} : { synopsis }) },
  { name: boundName(name, "lower"), ...rest },
  { name: boundName(name, "upper"), ...rest },
]);

function boundName(name: string, bound: "lower" | "upper"): string {
  return name === "time" ? bound : `${name}_${bound}`;
}

/** An amount and its unit. */
const quantity = String.raw`([\d.e+-]{1,30}) (\S{1,12})`;
/** `time:   [lower unit estimate unit upper unit]` after a name, which has its own line if it is long. */
const interval = new RegExp(String.raw`(?:^|\s)(time|thrpt): {1,20}\[${quantity} ${quantity} ${quantity}\]$`);

/** Console output of criterion.rs 0.3 to 0.7 and cargo-criterion. */
export const criterion = reportImporter({
  name: "criterion",
  synopsis: "cargo bench, of criterion.rs",
  marks: "lines such as `name time: [1.2 ns 1.3 ns 1.4 ns]`",
  sniff: (head) => (someLine(reportLines(head), (line) => valuesOf(line).length > 0) ? 0.95 : 0),
  reports: (bytes) => [report(reportLines(bytes))],
});

function report(lines: Iterable<string>): BenchmarkReport {
  const results = new RepeatedResults();
  const names = new BenchmarkNames();
  const notices: string[] = [];
  let number = 0;
  let parameters = new Map<string, Value>();
  let open: { name: string | undefined; values: [string, number][] } | undefined;
  const close = (): void => {
    if (open?.name !== undefined) results.add(open.name, open.values, parameters);
    open = undefined;
  };
  for (const line of lines) {
    number += 1;
    const found = valuesOf(line);
    if (found[0]?.[0] === "time") {
      close();
      const name = names.end(line.slice(0, interval.exec(line)?.index).trim());
      if (name === undefined) notices.push(`line ${number} was skipped: no benchmark is named above this time`);
      open = { name, values: found };
    } else if (found.length > 0) open?.values.push(...found);
    const target = cargoTarget(line);
    if (target !== undefined) {
      close();
      parameters = new Map([["target", target]]);
    }
    if (found.length === 0) names.take(line);
  }
  close();
  return results.report(metrics, notices.length === 0 ? {} : { notices });
}

/** `Benchmarking NAME` and `Benchmarking NAME: Analyzing`, which tests may print text after. */
const announcement = /^Benchmarking (.{1,1000}?)(?:: (?:Warming up|Collecting|Analyzing|Complete)\b.*)?$/;

/** Criterion prints names of more than about 20 characters on a line of their own, never those of up to these. */
const longestInline = 16;

/** The names of results. Other programs may print between the lines of a benchmark. */
class BenchmarkNames {
  #announced: string | undefined;
  #last = "";

  take(line: string): void {
    this.#announced = announcement.exec(line.trimEnd())?.[1] ?? this.#announced;
    if (/^\S/.test(line)) this.#last = line.trimEnd();
  }

  /** The name of the result of a line that begins with `inline`; undefined if it is unknown. */
  end(inline: string): string | undefined {
    const [announced, last] = [this.#announced, this.#last];
    [this.#announced, this.#last] = [undefined, ""];
    if (inline !== "") return announced !== undefined && inline.endsWith(` ${announced}`) ? announced : inline;
    return announced ?? (last.length > longestInline ? last : undefined);
  }
}

/** Empty for percentages of a change, and for other lines. */
function valuesOf(line: string): [string, number][] {
  const [, word, ...parts] = line.endsWith("]") ? (interval.exec(line) ?? []) : [];
  if (word === undefined) return [];
  const amounts = [0, 2, 4].map((at) => amountOf(word, parts[at]!, parts[at + 1]!));
  const [name, [lower, middle, upper]] = [
    amounts[0]!.metric,
    amounts.map(({ value }) => value) as [number, number, number],
  ];
  if (Number.isNaN(middle) || amounts.some(({ metric }) => metric !== name)) return [];
  return [
    [name, middle],
    [boundName(name, "lower"), lower],
    [boundName(name, "upper"), upper],
  ];
}

function amountOf(word: string, amount: string, unit: string): { metric: string; value: number } {
  if (word === "time") return { metric: "time", value: printedSeconds(amount, unit) };
  const [, prefix = "", isBytes] = /^([KMGT]i?)?(?:(B)|elem)\/s$/.exec(unit) ?? ["", "?"];
  return { metric: isBytes === undefined ? "elements" : "rate", value: prefixedNumber(amount, prefix) };
}

/** Criterion's files are in nanoseconds. */
const nanoseconds = reportUnit("ns");

/** A number with its confidence interval. */
interface Estimate {
  readonly value: JsonLocation;
  readonly lower?: JsonLocation | undefined;
  readonly upper?: JsonLocation | undefined;
}

/**
 * `cargo criterion --message-format=json`, and `estimates.json` and `sample.json` of
 * `target/criterion/BENCHMARK/new/`, which are named after their folder.
 */
export const criterionJson = reportImporter({
  name: "criterion-json",
  synopsis: "cargo criterion --message-format=json; Criterion's estimates.json, sample.json",
  marks: 'lines of JSON with "reason": "benchmark-complete", or an object with estimates or samples of Criterion',
  sniff: (head) => {
    const text = new TextDecoder().decode(head);
    if (/"reason"\s*:\s*"benchmark-complete"/.test(text)) return 1;
    const single = jsonHead(head, "{");
    return hasMembers(single, "confidence_interval", "point_estimate", "standard_error") ||
      hasMembers(single, "sampling_mode", "iters", "times")
      ? 1
      : 0;
  },
  reports: (bytes, file) => [jsonReport(bytes, file)],
});

function jsonReport(bytes: Uint8Array, file: string): BenchmarkReport {
  const metrics = new MetricList();
  const text = new TextDecoder().decode(bytes);
  const messages = text.includes('"reason"') ? messagesIn(text, file) : [];
  const results =
    messages.length > 0
      ? messages.map((message) => messageResult(message, metrics))
      : [folderResult(JsonLocation.document(bytes, file), metrics)];
  return { metrics: metrics.metrics, results: results.filter(({ values }) => values.size > 0) };
}

/** Skips messages of cargo and lines that are not messages. */
function messagesIn(text: string, file: string): JsonLocation[] {
  const lines = text.split("\n").filter((line) => line.includes('"benchmark-complete"'));
  const messages = lines.map((line) => JsonLocation.within(line, file));
  return messages
    .filter((message) => message !== undefined)
    .filter((message) => message.maybe("reason")?.scalar === "benchmark-complete");
}

function messageResult(message: JsonLocation, metrics: MetricList): BenchmarkResult {
  const unit = reportUnit(message.get("unit").text());
  const counts = message.get("iteration_count").numbers();
  const values = new Map<string, number | Float64Array>(
    samples(message.get("measured_values").numbers(), counts, unit, metrics),
  );
  const statistics = ["mean", "median", "median_abs_dev", "slope"].flatMap((name) =>
    estimate(name, message.maybe(name)),
  );
  for (const [name, value] of estimates(
    [...estimate("typical", message.maybe("typical")), ...statistics],
    unit,
    metrics,
  ))
    values.set(name, value);
  return { benchmark: message.get("id").text(), values };
}

function estimate(name: string, location: JsonLocation | undefined): [string, Estimate][] {
  if (!location) return [];
  const interval = location.maybe("confidence_interval") ?? location;
  const value = location.maybe("point_estimate") ?? location.get("estimate");
  return [[name, { value, lower: interval.maybe("lower_bound"), upper: interval.maybe("upper_bound") }]];
}

/** Times of one iteration. */
function* samples(
  measured: Float64Array,
  counts: Float64Array,
  unit: ReportUnit,
  metrics: MetricList,
): Generator<[string, Float64Array]> {
  const each = measured
    .map((value, at) => toBaseUnit(value / (counts[at] ?? Number.NaN), unit))
    .map((value) => (Number.isFinite(value) ? value : Number.NaN));
  if (each.length === 0) return;
  yield [metrics.add({ name: unit.quantity, unit: unit.unit, ...directionOf(unit) }), each];
  yield [metrics.add({ name: "iterations", better: "higher", synopsis: "iterations in a sample" }), counts];
}

/** The first estimate is the one Criterion prints; its interval is `lower` and `upper`. */
function* estimates(
  found: readonly [string, Estimate][],
  unit: ReportUnit,
  metrics: MetricList,
): Generator<[string, number]> {
  const better = directionOf(unit);
  for (const [at, [name, { value, lower, upper }]] of found.entries()) {
    const metric = (statistic: string, way = better): string =>
      metrics.add({ name: statisticOf(unit.quantity, statistic), unit: unit.unit, ...way });
    yield [metric(name, name.includes("dev") ? {} : better), toBaseUnit(value.number(), unit)];
    if (at > 0) continue;
    if (lower) yield [metric("lower"), toBaseUnit(lower.number(), unit)];
    if (upper) yield [metric("upper"), toBaseUnit(upper.number(), unit)];
  }
}

function directionOf({ unit }: ReportUnit): { better?: "lower" } {
  return unit === "s" || unit === "cycle" || unit === "instruction" ? { better: "lower" } : {};
}

function folderResult(document: JsonLocation, metrics: MetricList): BenchmarkResult {
  const benchmark = folderName(document.file);
  const counts = document.maybe("iters");
  if (counts)
    return {
      benchmark,
      values: new Map(samples(document.get("times").numbers(), counts.numbers(), nanoseconds, metrics)),
    };
  // The slope if the numbers of iterations vary, as in Criterion.
  const typical = estimate("typical", document.maybe("slope") ?? document.maybe("mean"));
  const named = { mean: "mean", median: "median", stddev: "std_dev", median_abs_dev: "median_abs_dev", slope: "slope" };
  const statistics = Object.entries(named).flatMap(([name, member]) => estimate(name, document.maybe(member)));
  return { benchmark, values: new Map(estimates([...typical, ...statistics], nanoseconds, metrics)) };
}

/** `target/criterion/sort/1000/new/estimates.json` is `sort/1000`; other paths give the name of the file. */
function folderName(file: string): string {
  const parts = file.split(/[\\/]/);
  const from = parts.lastIndexOf("criterion", parts.length - 4) + 1;
  return from > 0 ? parts.slice(from, -2).join("/") : parts.at(-1)!.replace(/\.json$/, "");
}
