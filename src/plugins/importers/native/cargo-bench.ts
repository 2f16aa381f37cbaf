import type { BenchmarkReport, ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { cargoTarget, RepeatedResults, reportLines, someLine } from "../../../formats/benchmarks/index.ts";
import { JsonLocation } from "../../../formats/json/index.ts";
import { printedNumber, printedSeconds, scaledNumber } from "../../../formats/text/index.ts";
import { reportImporter } from "../report-importer.ts";

const rate: ReportMetric = { name: "rate", unit: "Byte/s", better: "higher" };

const metrics: readonly ReportMetric[] = [
  { name: "time", unit: "s", better: "lower", synopsis: "median wall time of an iteration" },
  { name: "deviation", unit: "s", synopsis: "from the fastest to the slowest sample" },
  { name: "cycles", unit: "cycle", better: "lower" },
  { name: "cycles_deviation", unit: "cycle" },
  rate,
];

/** Follows the name: amount, unit, deviation, throughput. */
const measured = /^ ... bench: +([\d,.]{1,30}) (\S{1,30}) \(\+\/- ([\d,.]{1,30})\)(?: = ([\d,]{1,20}) MB\/s)?$/;

/**
 * `cargo bench` of nightly Rust: `BenchSamples` of library/test/src/formatters; its lines of JSON (`--format json`);
 * also what criterion writes with `--output-format bencher`.
 */
export const cargoBench = reportImporter({
  name: "cargo-bench",
  synopsis: "cargo bench, of libtest",
  marks: 'lines such as `test name ... bench: 1,234 ns/iter (+/- 56)`, or JSON lines with "type": "bench"',
  sniff: (head) => (someLine(reportLines(head), (line) => resultOf(line) !== undefined) ? 0.95 : 0),
  reports: (bytes) => [report(reportLines(bytes))],
});

interface Line {
  readonly name: string;
  readonly values: readonly (readonly [string, number])[];
  /** Set for units that are neither time nor cycles. */
  readonly other?: ReportMetric;
}

function report(lines: Iterable<string>): BenchmarkReport {
  const results = new RepeatedResults();
  const others = new Map<string, ReportMetric>();
  let parameters = new Map<string, Value>();
  for (const line of lines) {
    const target = cargoTarget(line);
    if (target !== undefined) parameters = new Map([["target", target]]);
    const result = resultOf(line);
    if (result === undefined) continue;
    if (result.other) others.set(result.other.name, result.other);
    results.add(result.name, result.values, parameters);
  }
  return results.report([...metrics, ...others.values()]);
}

function resultOf(line: string): Line | undefined {
  if (line.startsWith("{")) return jsonResult(line);
  const end = line.startsWith("test ") ? line.indexOf(" ... bench: ") : -1;
  const [, amount, unit = "", spread = "", rates] = end < 0 ? [] : (measured.exec(line.slice(end).trimEnd()) ?? []);
  const name = line.slice("test ".length, end).trim();
  if (amount === undefined || name === "" || Number.isNaN(printedNumber(amount))) return undefined;
  const throughput = ["rate", scaledNumber(rates ?? "", 6)] as const;
  return { name, ...valuesOf(amount, unit, spread, throughput) };
}

/**
 * `{ "type": "bench", "name": "f", "median": 184.75, "deviation": 58.4, "mib_per_second": 43478 }`: times in
 * nanoseconds, and despite its name the throughput in MB/s.
 */
function jsonResult(line: string): Line | undefined {
  const message = /"type" ?: ?"bench"/.test(line) ? JsonLocation.within(line, "") : undefined;
  const name = message?.maybe("name")?.scalar;
  const [median, deviation, rates] = ["median", "deviation", "mib_per_second"].map(
    (member) => message?.maybe(member)?.scalar,
  );
  if (message?.maybe("type")?.scalar !== "bench" || typeof name !== "string" || typeof median !== "number")
    return undefined;
  return {
    name,
    values: [
      ["time", seconds(median)],
      ["deviation", seconds(deviation)],
      ["rate", scaledNumber(String(rates), 6)],
    ],
  };
}

function seconds(nanoseconds: unknown): number {
  return scaledNumber(String(nanoseconds), -9);
}

function valuesOf(
  amount: string,
  unit: string,
  spread: string,
  throughput: readonly [string, number],
): Omit<Line, "name"> {
  const base = unit.replace(/\/iter$/, "");
  if (base === "cycles")
    return { values: [["cycles", printedNumber(amount)], ["cycles_deviation", printedNumber(spread)], throughput] };
  const time = printedSeconds(amount, base);
  if (!Number.isNaN(time)) return { values: [["time", time], ["deviation", printedSeconds(spread, base)], throughput] };
  const isRate = unit.endsWith("/s");
  const other: ReportMetric = {
    name: isRate ? `rate_${unit.slice(0, -2)}` : base,
    unit,
    ...(isRate ? { better: "higher" } : {}),
  };
  return { values: [[other.name, printedNumber(amount)]], other };
}
