import type { BenchmarkReport, ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { cargoTarget, RepeatedResults, reportLines, someLine } from "../../../formats/benchmarks/index.ts";
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
  let parameters = new Map<string, Value>();
  let last = "";
  let open: { name: string; values: [string, number][] } | undefined;
  const close = (): void => {
    if (open) results.add(open.name, open.values, parameters);
    open = undefined;
  };
  for (const line of lines) {
    const found = valuesOf(line);
    if (found[0]?.[0] === "time") {
      close();
      open = { name: line.slice(0, interval.exec(line)?.index).trim() || last, values: found };
    } else if (found.length > 0) open?.values.push(...found);
    const target = cargoTarget(line);
    if (target !== undefined) {
      close();
      parameters = new Map([["target", target]]);
    }
    if (/^\S/.test(line)) last = line.trimEnd();
  }
  close();
  return results.report(metrics);
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
