import type { Value } from "../../core/values/index.ts";
import { csvCells, prefixedNumber, printedNumber, printedSeconds } from "../text/index.ts";
import { someLine } from "./report/report-text.ts";

/** The results of a command, in seconds. */
interface HyperfineResult {
  readonly command: string;
  readonly parameters: ReadonlyMap<string, Value>;
  readonly values: readonly (readonly [metric: string, value: number])[];
}

const csvHead = "command,mean,stddev,median,user,system,min,max";

const benchmarkLine = /^Benchmark (?:#\d{1,9}|\d{1,9}): (.{1,8000})$/;
const amount = String.raw`([\d.]{1,20}) (ns|µs|us|ms|s)`;
const timeLine = new RegExp(
  String.raw`^ {1,8}Time \((?:mean|abs)[^)]{1,8}\): {1,20}${amount}(?: ± {1,20}${amount})? ` +
    String.raw`{1,40}\[User: ${amount}, System: ${amount}\]$`,
);
const rangeLine = new RegExp(
  String.raw`^ {1,8}Range \([^)]{1,20}\): {1,20}${amount} … {1,20}${amount} {1,40}\d{1,9} runs?$`,
);

/** Whether lines are hyperfine's `--export-csv` or console output. */
export function isHyperfineText(lines: Iterable<string>): boolean {
  return someLine(lines, (line) => line.startsWith(csvHead) || timeLine.test(line));
}

/** Parses hyperfine's CSV or console output. */
export function hyperfineTextResults(lines: readonly string[]): HyperfineResult[] {
  const from = lines.findIndex((line) => line.startsWith(csvHead));
  return from < 0 ? consoleResults(lines) : csvResults(lines.slice(from));
}

/** Converts the texts that hyperfine writes for numbers of `--parameter-scan`. */
export function parameterNumber(text: string): Value {
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(text) ? Number(text) : text;
}

function csvResults([head = "", ...rows]: readonly string[]): HyperfineResult[] {
  const names = csvCells(head, ",");
  return rows.flatMap((row): HyperfineResult[] => {
    const cells = csvCells(row, ",");
    if (cells.length !== names.length) return [];
    const parameters = names.flatMap((name, at): [string, Value][] =>
      name.startsWith("parameter_") ? [[name.slice("parameter_".length), parameterNumber(cells[at]!)]] : [],
    );
    const values = csvHead.split(",").map((name, at) => [name, printedNumber(cells[at]!.slice(0, 40))] as const);
    return [{ command: cells[0]!, parameters: new Map(parameters), values: values.slice(1) }];
  });
}

function consoleResults(lines: readonly string[]): HyperfineResult[] {
  const results: HyperfineResult[] = [];
  let command: string | undefined;
  let values: (readonly [string, number])[] = [];
  for (const line of lines) {
    command = benchmarkLine.exec(line.trimEnd())?.[1] ?? command;
    const [mean, stddev, user, system] = secondsIn(timeLine, line);
    if (mean !== undefined && command !== undefined) {
      values = Object.entries({ mean, stddev, user, system }).map(
        ([name, value]) => [name, value ?? Number.NaN] as const,
      );
      results.push({ command, parameters: new Map(), values });
    }
    const [min, max] = secondsIn(rangeLine, line);
    if (min !== undefined && max !== undefined) values.push(["min", min], ["max", max]);
  }
  return results;
}

/** The times that a pattern matches in a line; NaN for absent ones. */
function secondsIn(pattern: RegExp, line: string): number[] {
  const parts = pattern.exec(line.trimEnd())?.slice(1) ?? [];
  return parts.flatMap((part, at) => (at % 2 === 0 ? [printedSeconds(part ?? "", parts[at + 1] ?? "")] : []));
}

/** A metric as in the data of `handleSummary`; times are in milliseconds. */
export interface K6Metric {
  readonly type: "trend" | "counter" | "rate" | "gauge";
  readonly contains: "time" | "data" | "default";
  readonly values: Readonly<Record<string, number>>;
}

/**
 * `http_req_duration....: avg=144.56ms …`, optionally after a threshold mark; `{ expected_response:true }...: …`
 * belongs to the previous metric.
 */
const metricLine = /^ {0,20}(?:[✓✗] )?(?:([A-Za-z_]\w{0,127})|\{ ([^{}]{1,500}) \})\.{2,200}: {0,4}(\S.{0,1000})$/;
const countText = /^([\d.]{1,30}) {1,20}([\d.]{1,30})\/s$/;
const transferText = /^([\d.]{1,20}) ([kMGTP]?)B {1,20}([\d.]{1,20}) ([kMGTP]?)B\/s$/;
const rateText = /^([\d.]{1,10})% {1,20}(?:✓ (\d{1,15}) {1,20}✗ (\d{1,15})|(\d{1,15}) out of (\d{1,15}))$/;
const gaugeText = /^([\d.]{1,30}) {1,20}min=([\d.]{1,30}) {1,20}max=([\d.]{1,30})$/;
const durations = /([\d.]{1,30})(h|m|s|ms|µs|us|ns)(?=\d|$)/g;

/** Whether lines contain the summary at the end of a k6 test. */
export function isK6Text(lines: Iterable<string>): boolean {
  return someLine(
    lines,
    (line) => /^ {0,20}(?:[✓✗] )?(?:iterations|vus_max)\.{3,200}: /.test(line) && metricIn(line) !== undefined,
  );
}

/** The metrics of the summary at the end of a k6 test, by name; with tags as `name{tag:value}`. */
export function k6TextMetrics(lines: Iterable<string>): [string, K6Metric][] {
  const metrics: [string, K6Metric][] = [];
  let last = "";
  for (const line of lines) {
    const [, name, tags = ""] = metricLine.exec(line.trimEnd()) ?? [];
    const metric = metricIn(line);
    if (metric === undefined) continue;
    last = name ?? last;
    metrics.push([name ?? `${last}{${tags}}`, metric]);
  }
  return metrics;
}

function metricIn(line: string): K6Metric | undefined {
  const text = metricLine.exec(line.trimEnd())?.[3];
  if (text === undefined) return undefined;
  if (text.startsWith("avg=") || /^(?:min|med|max|count|p\([\d.]{1,8}\))=/.test(text)) return trend(text);
  const [, count, perSecond = ""] = countText.exec(text) ?? [];
  if (count !== undefined)
    return metric("counter", "default", { count: printedNumber(count), rate: printedNumber(perSecond) });
  const [, bytes, prefix = "", speed = "", speedPrefix = ""] = transferText.exec(text) ?? [];
  if (bytes !== undefined) {
    const rate = prefixedNumber(speed, speedPrefix);
    return metric("counter", "data", { count: prefixedNumber(bytes, prefix), rate });
  }
  const [, value, min = "", max = ""] = gaugeText.exec(text) ?? [];
  if (value !== undefined)
    return metric("gauge", "default", {
      value: printedNumber(value),
      min: printedNumber(min),
      max: printedNumber(max),
    });
  return rateIn(text);
}

function rateIn(text: string): K6Metric | undefined {
  const [, percent, passes, fails = "", some = "", all = ""] = rateText.exec(text) ?? [];
  if (percent === undefined) return undefined;
  const counts = passes === undefined ? [Number(some), Number(all) - Number(some)] : [Number(passes), Number(fails)];
  return metric("rate", "default", { rate: printedNumber(percent) / 100, passes: counts[0]!, fails: counts[1]! });
}

/** `avg=1.2s min=0s p(90)=1m2s`, or plain numbers. */
function trend(text: string): K6Metric {
  const parts = text.split(/ +/).flatMap((word): [string, string][] => {
    const at = word.indexOf("=");
    return at > 0 ? [[word.slice(0, at), word.slice(at + 1)]] : [];
  });
  const isTime = parts.some(([, value]) => /[a-zµ]$/.test(value));
  const values = parts.map(([name, value]) => [name, isTime ? milliseconds(value) : printedNumber(value)] as const);
  return metric("trend", isTime ? "time" : "default", Object.fromEntries(values));
}

function milliseconds(text: string): number {
  let sum = Number.NaN;
  for (const [, amount = "", unit = ""] of text.slice(0, 100).matchAll(durations))
    sum = (Number.isNaN(sum) ? 0 : sum) + printedSeconds(amount, unit) * 1000;
  // Drops digits beyond the printed precision.
  return Number(sum.toPrecision(15));
}

function metric(
  type: K6Metric["type"],
  contains: K6Metric["contains"],
  values: Readonly<Record<string, number>>,
): K6Metric {
  return { type, contains, values };
}
