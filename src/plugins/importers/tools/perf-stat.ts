import type { BenchmarkReport, ReportMetric } from "../../../core/measurements/index.ts";
import {
  jsonCount,
  consoleCount,
  respeltNumbers,
  csvCount,
  type PerfStatCount,
  RepeatedResults,
  reportLines,
} from "../../../formats/benchmarks/index.ts";
import { printedNumber } from "../../../formats/text/index.ts";
import { reportImporter } from "../report-importer.ts";

const own: readonly ReportMetric[] = [
  { name: "time", unit: "s", better: "lower", synopsis: "wall time" },
  { name: "mean", unit: "s", better: "lower", synopsis: "wall time, over all runs" },
  { name: "time_deviation", unit: "s", synopsis: "standard error of the mean over the runs" },
  { name: "user", unit: "s", better: "lower", synopsis: "processor time of the program" },
  { name: "system", unit: "s", better: "lower", synopsis: "processor time of the kernel" },
  { name: "interval", unit: "s", synopsis: "end of the interval, since the start" },
];

const title = /^ {0,4}Performance counter stats for (.{1,2000}?)(?: \(\d{1,9} runs\))?:$/;
const clock = new RegExp(
  [
    String.raw`^ {1,60}([\d.,]{1,30})(?: \+- ([\d.,]{1,30}))? seconds (time elapsed|user|sys)`,
    String.raw`(?: {1,40}\( \+- {1,4}[\d.]{1,10}% \))?$`,
  ].join(""),
);
/** The same in a locale with decimal commas. */
const commaClock = /^ {1,60}\d{1,12},\d{2,12} (?:\+- \d{1,12},\d{2,12} )?seconds time elapsed/;

const countedUnits: ReadonlyMap<string, string> = new Map([
  ["cycles", "cycle"],
  ["instructions", "instruction"],
]);

/**
 * `perf stat` as text, with -x and with -j; with repeated runs (-r), intervals (-I), and per part of the machine (-A,
 * --per-core).
 */
export const perfStat = reportImporter({
  name: "perf-stat",
  synopsis: "perf stat, also with -x, -j, -r, -I, -A, --per-core",
  marks: [
    "a line `Performance counter stats for 'command':`, ",
    'lines such as `997,msec,task-clock,997191,100.00,…`, or JSON lines with "counter-value"',
  ].join(""),
  sniff: (head) => confidenceOf([...reportLines(head)]),
  reports: (bytes) => [report([...reportLines(bytes)])],
});

function confidenceOf(lines: readonly string[]): number {
  if (lines.some((line) => title.test(line))) return 1;
  return lines.some((line) => csvCount(line) ?? jsonCount(line) ?? intervalCount(line)) ? 0.9 : 0;
}

/** With -I there is no title. */
function intervalCount(line: string): PerfStatCount | undefined {
  const count = consoleCount(line);
  return count?.interval === undefined ? undefined : count;
}

function report(lines: readonly string[]): BenchmarkReport {
  const hasCommas = lines.some((line) => commaClock.test(line));
  const measured = new Measurements();
  for (const line of lines) measured.take(hasCommas && !title.test(line) ? respeltNumbers(line) : line);
  return measured.report();
}

/** Groups counts by run, interval, or part of the machine. */
class Measurements {
  readonly #results = new RepeatedResults();
  readonly #events = new Map<string, ReportMetric>();
  #name = "perf stat";
  #isTitled = false;
  #interval: number | undefined;
  /** By location, as JSON. */
  #open = new Map<string, Map<string, number>>();
  /** `--table`: the wall times of all runs. */
  #times: number[] = [];

  take(line: string): void {
    const command = title.exec(line)?.[1];
    if (command !== undefined) this.#begin(command.replace(/^'(.*)'$/, "$1"));
    const single = /^ {1,20}([\d.]{1,30}) \([+-][\d.]{1,30}\) #*$/.exec(line.trimEnd())?.[1];
    if (single !== undefined && this.#isTitled) this.#times.push(printedNumber(single));
    const clocks = clockValues(line);
    for (const [metric, value] of clocks) this.#values("").set(metric, value);
    if (clocks.length > 0) return;
    const count = csvCount(line) ?? jsonCount(line) ?? (this.#isTitled ? consoleCount(line) : intervalCount(line));
    if (count) this.#count(count);
  }

  report(): BenchmarkReport {
    this.#close();
    return this.#results.report([...own, ...this.#events.values()]);
  }

  #begin(name: string): void {
    this.#close();
    this.#name = name;
    this.#isTitled = true;
  }

  #count(count: PerfStatCount): void {
    const location = count.location === undefined ? "" : JSON.stringify(count.location);
    if (count.interval !== this.#interval || this.#open.get(location)?.has(count.event) === true) this.#close();
    this.#interval = count.interval;
    for (const [metric, value] of countValues(count, this.#events)) this.#values(location).set(metric, value);
  }

  #values(location: string): Map<string, number> {
    const values = this.#open.get(location) ?? new Map<string, number>();
    this.#open.set(location, values);
    return values;
  }

  #close(): void {
    for (const [location, values] of this.#open) {
      if (values.size > 0 && this.#interval !== undefined) values.set("interval", this.#interval);
      this.#results.add(
        this.#name,
        this.#withTimes(values),
        location === "" ? undefined : new Map([JSON.parse(location) as [string, string]]),
      );
    }
    for (const time of this.#times.slice(1)) this.#results.add(this.#name, [["time", time]]);
    [this.#open, this.#times, this.#interval] = [new Map(), [], undefined];
  }

  /** The first of all wall times, and their mean. */
  #withTimes(values: Map<string, number>): Map<string, number> {
    const [first] = this.#times;
    const mean = values.get("time");
    return first === undefined || mean === undefined ? values : values.set("time", first).set("mean", mean);
  }
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

/** Events that the machine cannot count have no number and are not metrics. */
function countValues(
  { event, unit, amount, variation }: PerfStatCount,
  events: Map<string, ReportMetric>,
): [string, number][] {
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
