import type { Value } from "../../core/values/value.ts";
import { csvCells } from "../text/csv-rows.ts";
import { prefixedNumber, printedNumber, printedSeconds } from "../text/parse-quantity.ts";
import { someLine } from "./report/report-text.ts";

/** What hyperfine tells of a command, in seconds. */
interface HyperfineResult {
  readonly command: string;
  readonly parameters: ReadonlyMap<string, Value>;
  readonly values: readonly (readonly [metric: string, value: number])[];
}

const csvHead = "command,mean,stddev,median,user,system,min,max";

const benchmarkLine = /^Benchmark (?:#\d{1,9}|\d{1,9}): (.{1,8000})$/;
const amount = String.raw`([\d.]{1,20}) (ns|µs|us|ms|s)`;
const timeLine = new RegExp(
  String.raw`^ {1,8}Time \((?:mean|abs)[^)]{1,8}\): {1,20}${amount}(?: ± {1,20}${amount})? {1,40}\[User: ${amount}, System: ${amount}\]$`,
);
const rangeLine = new RegExp(
  String.raw`^ {1,8}Range \([^)]{1,20}\): {1,20}${amount} … {1,20}${amount} {1,40}\d{1,9} runs?$`,
);

/** Whether lines are those of `--export-csv`, or of the console. */
export function isHyperfineText(lines: Iterable<string>): boolean {
  return someLine(lines, (line) => line.startsWith(csvHead) || timeLine.test(line));
}

/** Results that hyperfine writes as CSV or shows on the console. */
export function hyperfineTextResults(lines: readonly string[]): HyperfineResult[] {
  const from = lines.findIndex((line) => line.startsWith(csvHead));
  return from < 0 ? consoleResults(lines) : csvResults(lines.slice(from));
}

/** hyperfine writes numbers of `--parameter-scan` as texts. */
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

/** The amounts that a pattern finds in a line; NaN is not there. */
function secondsIn(pattern: RegExp, line: string): number[] {
  const parts = pattern.exec(line.trimEnd())?.slice(1) ?? [];
  return parts.flatMap((part, at) => (at % 2 === 0 ? [printedSeconds(part ?? "", parts[at + 1] ?? "")] : []));
}

/** A metric as the data of `handleSummary` has it; times are in milliseconds. */
export interface K6Metric {
  readonly type: "trend" | "counter" | "rate" | "gauge";
  readonly contains: "time" | "data" | "default";
  readonly values: Readonly<Record<string, number>>;
}

/**
 * `http_req_duration....: avg=144.56ms …`, perhaps behind the mark of a threshold; `{ expected_response:true }...: …`
 * is of the metric before.
 */
const metricLine = /^ {0,20}(?:[✓✗] )?(?:([A-Za-z_]\w{0,127})|\{ ([^{}]{1,500}) \})\.{2,200}: {0,4}(\S.{0,1000})$/;
const countText = /^([\d.]{1,30}) {1,20}([\d.]{1,30})\/s$/;
const transferText = /^([\d.]{1,20}) ([kMGTP]?)B {1,20}([\d.]{1,20}) ([kMGTP]?)B\/s$/;
const rateText = /^([\d.]{1,10})% {1,20}(?:✓ (\d{1,15}) {1,20}✗ (\d{1,15})|(\d{1,15}) out of (\d{1,15}))$/;
const gaugeText = /^([\d.]{1,30}) {1,20}min=([\d.]{1,30}) {1,20}max=([\d.]{1,30})$/;
const durations = /([\d.]{1,30})(h|m|s|ms|µs|us|ns)(?=\d|$)/g;

/** Whether lines are those of the summary at the end of a test. */
export function isK6Text(lines: Iterable<string>): boolean {
  return someLine(
    lines,
    (line) => /^ {0,20}(?:[✓✗] )?(?:iterations|vus_max)\.{3,200}: /.test(line) && metricIn(line) !== undefined,
  );
}

/** The metrics of the summary at the end of a test by their names, tags in braces as in `name{tag:value}`. */
export function k6TextMetrics(lines: Iterable<string>): [string, K6Metric][] {
  const found: [string, K6Metric][] = [];
  let last = "";
  for (const line of lines) {
    const [, name, tags = ""] = metricLine.exec(line.trimEnd()) ?? [];
    const metric = metricIn(line);
    if (metric === undefined) continue;
    last = name ?? last;
    found.push([name ?? `${last}{${tags}}`, metric]);
  }
  return found;
}

function metricIn(line: string): K6Metric | undefined {
  const told = metricLine.exec(line.trimEnd())?.[3];
  if (told === undefined) return undefined;
  if (told.startsWith("avg=") || /^(?:min|med|max|count|p\([\d.]{1,8}\))=/.test(told)) return trend(told);
  const [, count, perSecond = ""] = countText.exec(told) ?? [];
  if (count !== undefined)
    return metric("counter", "default", { count: printedNumber(count), rate: printedNumber(perSecond) });
  const [, bytes, prefix = "", speed = "", ofSpeed = ""] = transferText.exec(told) ?? [];
  if (bytes !== undefined)
    return metric("counter", "data", { count: prefixedNumber(bytes, prefix), rate: prefixedNumber(speed, ofSpeed) });
  const [, value, least = "", most = ""] = gaugeText.exec(told) ?? [];
  if (value !== undefined)
    return metric("gauge", "default", {
      value: printedNumber(value),
      min: printedNumber(least),
      max: printedNumber(most),
    });
  return rateIn(told);
}

function rateIn(told: string): K6Metric | undefined {
  const [, percent, passes, fails = "", some = "", all = ""] = rateText.exec(told) ?? [];
  if (percent === undefined) return undefined;
  const counts = passes === undefined ? [Number(some), Number(all) - Number(some)] : [Number(passes), Number(fails)];
  return metric("rate", "default", { rate: printedNumber(percent) / 100, passes: counts[0]!, fails: counts[1]! });
}

/** `avg=1.2s min=0s p(90)=1m2s`, or plain numbers. */
function trend(told: string): K6Metric {
  const parts = told.split(/ +/).flatMap((word): [string, string][] => {
    const at = word.indexOf("=");
    return at > 0 ? [[word.slice(0, at), word.slice(at + 1)]] : [];
  });
  const isTime = parts.some(([, text]) => /[a-zµ]$/.test(text));
  const values = parts.map(([name, text]) => [name, isTime ? milliseconds(text) : printedNumber(text)] as const);
  return metric("trend", isTime ? "time" : "default", Object.fromEntries(values));
}

function milliseconds(text: string): number {
  let sum = Number.NaN;
  for (const [, amount = "", unit = ""] of text.slice(0, 100).matchAll(durations))
    sum = (Number.isNaN(sum) ? 0 : sum) + printedSeconds(amount, unit) * 1000;
  // Not more digits than were printed.
  return Number(sum.toPrecision(15));
}

function metric(
  type: K6Metric["type"],
  contains: K6Metric["contains"],
  values: Readonly<Record<string, number>>,
): K6Metric {
  return { type, contains, values };
}
