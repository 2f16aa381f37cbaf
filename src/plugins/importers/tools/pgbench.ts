import type { BenchmarkReport, ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { printedNumber, scaledNumber } from "../../../formats/text/index.ts";
import { RepeatedResults, reportLines } from "../../../formats/benchmarks/index.ts";
import { reportImporter } from "../report-importer.ts";

const metrics: readonly ReportMetric[] = [
  { name: "rate", unit: "1/s", better: "higher", synopsis: "transactions in a second, without the time of connecting" },
  { name: "latency_mean", unit: "s", better: "lower" },
  { name: "latency_stddev", unit: "s" },
  { name: "connection_time", unit: "s", better: "lower" },
  {
    name: "interval_rate",
    unit: "1/s",
    better: "higher",
    synopsis: "transactions in a second, of each interval of -P",
  },
  { name: "interval_latency", unit: "s", better: "lower", synopsis: "mean latency in each interval" },
  { name: "lag_mean", unit: "s", better: "lower", synopsis: "how much later than scheduled transactions began" },
  { name: "lag_max", unit: "s", better: "lower" },
  { name: "transactions", better: "higher", whole: true },
  { name: "failed", better: "lower", whole: true },
  { name: "retried", better: "lower", whole: true, synopsis: "transactions that were tried again" },
  { name: "retries", better: "lower", whole: true },
  { name: "skipped", better: "lower", whole: true },
  { name: "late", better: "lower", whole: true, synopsis: "transactions above the limit of latency" },
];

const numbers: readonly (readonly [RegExp, string, number])[] = [
  [
    new RegExp(
      [
        String.raw`^tps = ([\d.]{1,30}) \(`,
        "(?:without initial connection time|excluding connections establishing|including reconnection times)",
        String.raw`\)$`,
      ].join(""),
    ),
    "rate",
    0,
  ],
  [/^latency average(?: =|:) ([\d.]{1,30}) ms(?: \(including failures\))?$/, "latency_mean", -3],
  [/^latency stddev(?: =|:) ([\d.]{1,30}) ms$/, "latency_stddev", -3],
  [/^(?:initial|average) connection time = ([\d.]{1,30}) ms$/, "connection_time", -3],
  [/^\d{1,15} transactions \([\d.]{1,10}% of total, tps = ([\d.]{1,30})\)$/, "rate", 0],
  [/^(\d{1,15}) transactions \([\d.]{1,10}% of total, tps = [\d.]{1,30}\)$/, "transactions", 0],
  [/^number of transactions actually processed: (\d{1,15})(?:\/\d{1,15})?$/, "transactions", 0],
  [/^number of failed transactions: (\d{1,15}) \([\d.]{1,10}%\)$/, "failed", 0],
  [/^number of transactions retried: (\d{1,15}) \([\d.]{1,10}%\)$/, "retried", 0],
  [/^total number of retries: (\d{1,15})$/, "retries", 0],
  [/^rate limit schedule lag: avg ([\d.]{1,30}) \(max [\d.]{1,30}\) ms$/, "lag_mean", -3],
  [/^rate limit schedule lag: avg [\d.]{1,30} \(max ([\d.]{1,30})\) ms$/, "lag_max", -3],
  [/^number of transactions skipped: (\d{1,15}) \([\d.]{1,10}%\)$/, "skipped", 0],
  [/^number of transactions above the [\d.]{1,20} ms latency limit: (\d{1,15})\/\d{1,15} \([\d.]{1,10}%\)$/, "late", 0],
];

const settings: ReadonlyMap<string, string> = new Map([
  ["scaling factor", "scale"],
  ["query mode", "query_mode"],
  ["number of clients", "clients"],
  ["number of threads", "threads"],
]);

const begin = /^transaction type: (.{1,2000})$/;
/** Starts the numbers of one of several scripts, prefixed with ` - `. */
const script = /^SQL script \d{1,6}: (.{1,2000})$/;
const statement = /^ {1,20}(\d{1,12}\.\d{3}) {1,20}(?:\d{1,15} {1,20})?(\S.{0,4000})$/;

/** pgbench of PostgreSQL 9.4 to 17, with statement latencies (-r), and each of several scripts (-f, -b). */
export const pgbench = reportImporter({
  name: "pgbench",
  synopsis: "pgbench, also with -r",
  marks: "lines `transaction type:`, `scaling factor:` and `number of transactions actually processed:`",
  sniff: (head) => confidenceOf([...reportLines(head)]),
  reports: (bytes) => [report(reportLines(bytes))],
});

function confidenceOf(lines: readonly string[]): number {
  return lines.some((line) => begin.test(line)) &&
    lines.some((line) => line.startsWith("number of transactions actually processed: "))
    ? 1
    : 0;
}

/** A run, or one of the scripts in it. */
interface Open {
  readonly name: string;
  readonly values: Map<string, number>;
  readonly parameters: Map<string, Value>;
  readonly statements: [string, number][];
  /** Earlier lines of `-P`. */
  readonly intervals: [string, number][][];
}

function report(lines: Iterable<string>): BenchmarkReport {
  const results = new RepeatedResults();
  const facts = new Map<string, Value>();
  let open: Open | undefined;
  let intervals: [string, number][][] = [];
  for (const raw of lines) {
    const line = raw.trimEnd();
    const [, version] = /^pgbench \(([^()]{1,100})[^)]{0,100}/.exec(line) ?? [];
    if (version !== undefined) facts.set("pgbench", version.trim());
    const interval = intervalIn(line);
    if (interval.length > 0) intervals.push(interval);
    const started = openedBy(line, open);
    if (started && open) close(open, results);
    if (begin.test(line)) {
      started?.intervals.push(...intervals);
      intervals = [];
    }
    if (started) open = started;
    else if (open) take(open, line);
  }
  if (open) close(open, results);
  return results.report(metrics, { facts });
}

/** Scripts share the settings of their run. */
function openedBy(line: string, open: Open | undefined): Open | undefined {
  const name = begin.exec(line)?.[1];
  if (name !== undefined) return opened(name);
  const part = script.exec(line)?.[1];
  if (open === undefined || part === undefined) return undefined;
  return { ...opened(open.name), parameters: new Map(open.parameters).set("script", part) };
}

function opened(name: string): Open {
  return { name, values: new Map(), parameters: new Map(), statements: [], intervals: [] };
}

/** `progress: 1.0 s, 2146.0 tps, lat 0.926 ms stddev 0.758, 0 failed`. */
function intervalIn(line: string): [string, number][] {
  const [, rate, latency = ""] = /^progress: [\d.]{1,20} s, ([\d.]{1,20}) tps, lat ([\d.]{1,20}) ms /.exec(line) ?? [];
  if (rate === undefined) return [];
  return [
    ["interval_rate", printedNumber(rate)],
    ["interval_latency", scaledNumber(latency, -3)],
  ];
}

function take({ values, parameters, statements }: Open, line: string): void {
  const body = line.startsWith(" - ") ? line.slice(3) : line;
  for (const [pattern, metric, exponent] of numbers) {
    const text = pattern.exec(body)?.[1];
    if (text !== undefined) values.set(metric, scaledNumber(text, exponent));
  }
  const [, label = "", value = ""] = /^([a-z ]{1,40}): (.{1,200})$/.exec(line) ?? [];
  const setting = settings.get(label);
  if (setting !== undefined) parameters.set(setting, /^\d{1,15}$/.test(value) ? Number(value) : value);
  const [, latency = "", text] = statement.exec(line) ?? [];
  if (text !== undefined && !Number.isNaN(printedNumber(latency))) statements.push([text, scaledNumber(latency, -3)]);
}

/** A truncated run without a rate has no result. */
function close({ name, values, parameters, statements, intervals }: Open, results: RepeatedResults): void {
  if (!values.has("rate")) return;
  results.addWithIntervals(name, values, parameters, intervals);
  for (const [text, latency] of statements)
    results.add(name, [["latency_mean", latency]], new Map(parameters).set("statement", text));
}
