import type { BenchmarkReport, ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import {
  asvTableCells,
  parameterValue,
  RepeatedResults,
  reportLines,
  someLine,
} from "../../../formats/benchmarks/index.ts";
import { prefixedNumber, printedSeconds } from "../../../formats/text/index.ts";
import { reportImporter } from "../report-importer.ts";

const metrics: readonly ReportMetric[] = [
  { name: "time", unit: "s", better: "lower", synopsis: "median wall time" },
  { name: "time_deviation", unit: "s", synopsis: "half of the range between the quartiles" },
  { name: "memory", unit: "Byte", better: "lower" },
  { name: "value", synopsis: "what a track_ benchmark returns" },
];

/** `[ 30.00%] ··· text`; without Unicode the dots are full stops. */
const progress = /^\[ {0,2}[\d.]{1,6}%\] (?:\u00b7{1,4}|\.{1,4}) (.+)$/;
const result = /^(\S{1,500}) {1,400}([\d.]{1,24})(?:\u00b1([\d.]{1,24}))?([a-zA-Z\u00b5\u03bc]{0,3})$/;

/** The log of `asv run` 0.1 to 0.6, with the tables of benchmarks that have parameters. */
export const asvConsole = reportImporter({
  name: "asv-console",
  synopsis: "asv run",
  marks: "lines such as `[ 35.00%] ··· suite.time_name 11.1±0.01μs`",
  sniff: (head) => (someLine(reportLines(head), (line) => isResult(messageOf(line))) ? 0.95 : 0),
  reports: (bytes) => reports(reportLines(bytes)),
});

/** A number, or the beginning of a table. */
function isResult(message: string): boolean {
  return valuesOf(message) !== undefined || /^=+(?: =+)+$/.test(message);
}

function messageOf(line: string): string {
  return progress.exec(line.trimEnd())?.[1] ?? "";
}

/** One report per commit, in which each environment is a parameter. */
function reports(lines: Iterable<string>): BenchmarkReport[] {
  const byCommit = new Map<string, RepeatedResults>();
  const notices: string[] = [];
  let commit = "";
  let environment = new Map<string, Value>();
  for (const { message, table } of messagesIn(lines)) {
    commit = /^For \S{1,200} commit (?:hash )?([0-9a-f]{7,40})(?: |:)/.exec(message)?.[1] ?? commit;
    const [, name] = /^Benchmarking (\S{1,500})$/.exec(message) ?? [];
    if (name !== undefined) environment = new Map([["environment", name]]);
    const results = byCommit.get(commit) ?? new RepeatedResults();
    byCommit.set(commit, results);
    const found = valuesOf(message);
    if (found) results.add(found.name, found.values, environment);
    else notices.push(...addTable(results, message, table, environment));
  }
  return [...byCommit].map(([hash, results], at) =>
    results.report(metrics, {
      ...(hash === "" ? {} : { commit: hash }),
      ...(at > 0 || notices.length === 0 ? {} : { notices }),
    }),
  );
}

interface Message {
  readonly message: string;
  /** The lines of its table, without the leading dots and their indentation. */
  readonly table: readonly string[];
}

/** Tables begin in their own message, after that of the benchmark, and continue in lines without one. */
function* messagesIn(lines: Iterable<string>): Generator<Message> {
  let last = "";
  let table: string[] = [];
  for (const line of lines) {
    const message = messageOf(line);
    if (/^=+(?: =+)*$/.test(message)) table = [" ".repeat(line.trimEnd().length - message.length) + message];
    else if (message === "" && line.trim() !== "") {
      // Other programs may print between the name and its table.
      if (table.length > 0) table.push(line);
    } else {
      if (last !== "") yield { message: last, table };
      [last, table] = [message, []];
    }
  }
  if (last !== "") yield { message: last, table };
}

/** Returns a notice for each line in the table that is no row. */
function addTable(
  results: RepeatedResults,
  message: string,
  table: readonly string[],
  environment: ReadonlyMap<string, Value>,
): string[] {
  const [, name] = /^(\S{1,500}) /.exec(message) ?? [];
  if (name === undefined) return [];
  const notices: string[] = [];
  const onOther = (line: string): void => {
    notices.push(`a line in the table of ${name} is no row: ${line.trim().slice(0, 80)}`);
  };
  for (const { parameters, text } of asvTableCells(table, onOther)) {
    const found = valuesOf(`${name} ${text}`);
    if (found)
      results.add(
        name,
        found.values,
        new Map([...environment, ...parameters.map(([key, value]) => [key, parameterValue(value)] as const)]),
      );
  }
  return notices;
}

/** The unit identifies times; for others the name of the benchmark defines the quantity. */
function valuesOf(message: string): { name: string; values: [string, number][] } | undefined {
  const [, name, amount = "", deviation = "", unit = ""] = result.exec(message.replace(/^Running (?=\S)/, "")) ?? [];
  if (name === undefined || !name.includes(".")) return undefined;
  const time = printedSeconds(amount, unit);
  const isMemory = /(?:^|\.)(?:peak)?mem_[^.]*$/.test(name);
  if (unit !== "" && !isMemory && !Number.isNaN(time)) {
    return {
      name,
      values: [
        ["time", time],
        ["time_deviation", printedSeconds(deviation, unit)],
      ],
    };
  }
  const value = prefixedNumber(amount, unit);
  return Number.isNaN(value) ? undefined : { name, values: [[isMemory ? "memory" : "value", value]] };
}
