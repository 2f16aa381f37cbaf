import type { BenchmarkReport, ReportMetric } from "../../core/benchmark-report.ts";
import type { Value } from "../../core/value.ts";
import { printedNumber, scaledNumber } from "../../formats/text/printed-amount.ts";
import { RepeatedResults } from "../../formats/benchmarks/repeated-results.ts";
import { reportLines } from "../../formats/benchmarks/report-lines.ts";
import { reportImporter } from "./report-importer.ts";

const metrics: readonly ReportMetric[] = [
  { name: "rate", unit: "1/s", better: "higher", synopsis: "transactions in a second, without the time of connecting" },
  { name: "latency_mean", unit: "s", better: "lower" },
  { name: "latency_stddev", unit: "s" },
  { name: "connection_time", unit: "s", better: "lower" },
  { name: "transactions", better: "higher", whole: true },
  { name: "failed", better: "lower", whole: true },
  { name: "skipped", better: "lower", whole: true },
  { name: "late", better: "lower", whole: true, synopsis: "transactions above the limit of latency" },
];

const numbers: readonly (readonly [RegExp, string, number])[] = [
  [/^tps = ([\d.]{1,30}) \((?:without initial connection time|excluding connections establishing)\)$/, "rate", 0],
  [/^latency average = ([\d.]{1,30}) ms$/, "latency_mean", -3],
  [/^latency stddev = ([\d.]{1,30}) ms$/, "latency_stddev", -3],
  [/^initial connection time = ([\d.]{1,30}) ms$/, "connection_time", -3],
  [/^number of transactions actually processed: (\d{1,15})(?:\/\d{1,15})?$/, "transactions", 0],
  [/^number of failed transactions: (\d{1,15}) \([\d.]{1,10}%\)$/, "failed", 0],
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
const statement = /^ {1,20}(\d{1,12}\.\d{3}) {1,20}(?:\d{1,15} {1,20})?(\S.{0,4000})$/;

/** pgbench of PostgreSQL 9.6 to 17, with the latencies of statements (-r). */
export const pgbench = reportImporter({
  name: "pgbench",
  synopsis: "pgbench, also with -r",
  marks: "lines `transaction type:`, `scaling factor:` and `number of transactions actually processed:`",
  sniff: (head) => sureOf([...reportLines(head)]),
  reports: (bytes) => [report(reportLines(bytes))],
});

function sureOf(lines: readonly string[]): number {
  return lines.some((line) => begin.test(line)) && lines.some((line) => line.startsWith("number of transactions actually processed: "))
    ? 1
    : 0;
}

interface Open {
  readonly name: string;
  readonly values: Map<string, number>;
  readonly parameters: Map<string, Value>;
  readonly statements: [string, number][];
}

function report(lines: Iterable<string>): BenchmarkReport {
  const results = new RepeatedResults();
  const facts = new Map<string, Value>();
  let open: Open | undefined;
  for (const raw of lines) {
    const line = raw.trimEnd();
    const [, version] = /^pgbench \(([^()]{1,100})[^)]{0,100}/.exec(line) ?? [];
    if (version !== undefined) facts.set("pgbench", version.trim());
    const name = begin.exec(line)?.[1];
    if (name !== undefined) {
      if (open) close(open, results);
      open = { name, values: new Map(), parameters: new Map(), statements: [] };
    } else if (open) take(open, line);
  }
  if (open) close(open, results);
  return results.report(metrics, { facts });
}

function take({ values, parameters, statements }: Open, line: string): void {
  for (const [pattern, metric, exponent] of numbers) {
    const text = pattern.exec(line)?.[1];
    if (text !== undefined) return void values.set(metric, scaledNumber(text, exponent));
  }
  const [, label = "", content = ""] = /^([a-z ]{1,40}): (.{1,200})$/.exec(line) ?? [];
  const setting = settings.get(label);
  if (setting !== undefined) parameters.set(setting, /^\d{1,15}$/.test(content) ? Number(content) : content);
  const [, latency = "", text] = statement.exec(line) ?? [];
  if (text !== undefined && !Number.isNaN(printedNumber(latency))) statements.push([text, scaledNumber(latency, -3)]);
}

/** A run that was cut off before its rate has no result. */
function close({ name, values, parameters, statements }: Open, results: RepeatedResults): void {
  if (!values.has("rate")) return;
  results.add(name, values, parameters);
  for (const [text, latency] of statements) results.add(name, [["latency_mean", latency]], new Map(parameters).set("statement", text));
}
