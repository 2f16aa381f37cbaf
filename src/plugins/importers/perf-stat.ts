import type { BenchmarkReport, ReportMetric } from "../../core/benchmark-report.ts";
import { printedNumber, scaledNumber } from "../../formats/text/printed-amount.ts";
import { RepeatedResults } from "../../formats/benchmarks/repeated-results.ts";
import { reportLines } from "../../formats/benchmarks/report-lines.ts";
import { reportImporter } from "./report-importer.ts";

const own: readonly ReportMetric[] = [
  { name: "time", unit: "s", better: "lower", synopsis: "wall time" },
  { name: "time_deviation", unit: "s", synopsis: "standard error of the mean over the runs" },
  { name: "user", unit: "s", better: "lower", synopsis: "processor time of the program" },
  { name: "system", unit: "s", better: "lower", synopsis: "processor time of the kernel" },
];

/** One event: how often it was counted, in seconds where it is a time, and the percent by which runs vary. */
interface Count {
  readonly event: string;
  readonly unit: string;
  readonly amount: number;
  readonly variation: number;
}

const title = /^ {0,4}Performance counter stats for (.{1,2000}?)(?: \(\d{1,9} runs\))?:$/;
const clock = /^ {1,60}([\d.,]{1,30})(?: \+- ([\d.,]{1,30}))? seconds (time elapsed|user|sys)(?: {1,40}\( \+- {1,4}[\d.]{1,10}% \))?$/;
const eventWord = /^[A-Za-z][\w.:/=*-]{0,200}$/;
/** Events are times in these units, powers of ten of a second. */
const timeUnits: ReadonlyMap<string, number> = new Map([
  ["msec", -3],
  ["ns", -9],
]);

const countedUnits: ReadonlyMap<string, string> = new Map([
  ["cycles", "cycle"],
  ["instructions", "instruction"],
]);

/** `perf stat` as text and with -x, also over several runs (-r); not with -I, -A or --per-socket. */
export const perfStat = reportImporter({
  name: "perf-stat",
  synopsis: "perf stat, perf stat -x,",
  marks: "a line `Performance counter stats for 'command':`, or lines as `997,msec,task-clock,997191,100.00,…`",
  sniff: (head) => sureOf([...reportLines(head)]),
  reports: (bytes) => [report(reportLines(bytes))],
});

function sureOf(lines: readonly string[]): number {
  if (lines.some((line) => title.test(line))) return 1;
  return lines.some((line) => separatedCount(line) !== undefined) ? 0.9 : 0;
}

function report(lines: Iterable<string>): BenchmarkReport {
  const results = new RepeatedResults();
  const events = new Map<string, ReportMetric>();
  let name = "perf stat";
  let values = new Map<string, number>();
  const close = (): void => {
    results.add(name, values);
    values = new Map();
  };
  for (const line of lines) {
    const begun = title.exec(line)?.[1];
    if (begun !== undefined) {
      close();
      name = begun.replace(/^'(.*)'$/, "$1");
    }
    const clocks = clockValues(line);
    for (const [metric, value] of clocks) values.set(metric, value);
    const count = separatedCount(line) ?? (name === "perf stat" ? undefined : printedCount(line));
    if (count === undefined || clocks.length > 0) continue;
    if (values.has(count.event)) close();
    for (const [metric, value] of countValues(count, events)) values.set(metric, value);
  }
  close();
  return results.report([...own, ...events.values()]);
}

function clockValues(line: string): [string, number][] {
  const [, amount, deviation = "", what = ""] = clock.exec(line) ?? [];
  if (amount === undefined) return [];
  if (what !== "time elapsed") return [[what === "sys" ? "system" : what, printedNumber(amount)]];
  return [
    ["time", printedNumber(amount)],
    ["time_deviation", printedNumber(deviation)],
  ];
}

/** Events that the machine cannot count have no number, and no place among the metrics. */
function countValues({ event, unit, amount, variation }: Count, events: Map<string, ReportMetric>): [string, number][] {
  if (Number.isNaN(amount)) return [];
  const inUnit = unit === "" ? (countedUnits.get(event.replace(/:\w+$/, "")) ?? "") : unit;
  events.set(event, {
    name: event,
    ...(inUnit === "" ? {} : { unit: inUnit }),
    ...(/clock|-time$|_time$/.test(event) ? { better: "lower" } : {}),
  });
  if (Number.isNaN(variation)) return [[event, amount]];
  const varied = `${event}_variation`;
  events.set(varied, { name: varied, unit: "%" });
  return [
    [event, amount],
    [varied, variation],
  ];
}

/** `1.01 msec task-clock # 0.114 CPUs utilized ( +- 1.66% )`; older versions have `task-clock (msec)`. */
function printedCount(line: string): Count | undefined {
  if (!line.startsWith("  ")) return undefined;
  const variation = /\( \+- {1,4}([\d.]{1,10})% \)$/.exec(line.trimEnd().slice(-30))?.[1] ?? "";
  const [counted = ""] = line.split("#");
  const words = counted
    .replace(/\( \+-.*$/, "")
    .trim()
    .split(/\s+/);
  const unitAtEnd = words[2] === "(msec)" ? "msec" : undefined;
  const [amount = "", second = "", third] = words;
  const unit = unitAtEnd ?? (third === undefined ? "" : second);
  const event = unitAtEnd !== undefined || third === undefined ? second : third;
  return words.length > 3 || !eventWord.test(event) ? undefined : countOf(amount, unit, event, variation);
}

/** Amount, unit, event, percent of variation where there were several runs, time of counting, and its percent. */
function separatedCount(line: string): Count | undefined {
  const separator = /^(?:[\d.]{1,30}|<not (?:counted|supported)>)([,;\t|])/.exec(line)?.[1];
  if (separator === undefined) return undefined;
  const [amount = "", unit = "", event = "", ...rest] = line.split(separator);
  const variation = rest[0]?.endsWith("%") === true ? rest.shift() : undefined;
  const [counting = "", percent = ""] = rest;
  if (!eventWord.test(event) || !/^[A-Za-z]{0,20}$/.test(unit) || !/^\d{1,20}$/.test(counting) || !/^\d{1,3}\.\d\d$/.test(percent))
    return undefined;
  return countOf(amount, unit, event, variation?.slice(0, -1) ?? "");
}

function countOf(amount: string, unit: string, event: string, variation: string): Count {
  const exponent = timeUnits.get(unit);
  return {
    event,
    unit: exponent === undefined ? unit : "s",
    amount: scaledNumber(amount, exponent ?? 0),
    variation: printedNumber(variation),
  };
}
