import type { Value } from "../../core/values/value.ts";
import { csvCells } from "../text/csv-rows.ts";
import { printedNumber, printedSeconds } from "../text/parse-quantity.ts";
import { someLine } from "./report/report-text.ts";

/** What hyperfine tells of a command, in seconds. */
export interface HyperfineResult {
  readonly command: string;
  readonly parameters: ReadonlyMap<string, Value>;
  readonly values: readonly (readonly [metric: string, value: number])[];
}

const csvHead = "command,mean,stddev,median,user,system,min,max";

const begin = /^Benchmark (?:#\d{1,9}|\d{1,9}): (.{1,8000})$/;
const amount = String.raw`([\d.]{1,20}) (ns|µs|us|ms|s)`;
const time = new RegExp(
  String.raw`^ {1,8}Time \((?:mean|abs)[^)]{1,8}\): {1,20}${amount}(?: ± {1,20}${amount})? {1,40}\[User: ${amount}, System: ${amount}\]$`,
);
const range = new RegExp(
  String.raw`^ {1,8}Range \([^)]{1,20}\): {1,20}${amount} … {1,20}${amount} {1,40}\d{1,9} runs?$`,
);

/** Whether lines are those of `--export-csv`, or of the console. */
export function isHyperfineText(lines: Iterable<string>): boolean {
  return someLine(lines, (line) => line.startsWith(csvHead) || time.test(line));
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
    command = begin.exec(line.trimEnd())?.[1] ?? command;
    const [mean, stddev, user, system] = secondsIn(time, line);
    if (mean !== undefined && command !== undefined) {
      values = Object.entries({ mean, stddev, user, system }).map(
        ([name, value]) => [name, value ?? Number.NaN] as const,
      );
      results.push({ command, parameters: new Map(), values });
    }
    const [min, max] = secondsIn(range, line);
    if (min !== undefined && max !== undefined) values.push(["min", min], ["max", max]);
  }
  return results;
}

/** The amounts that a pattern finds in a line; NaN is not there. */
function secondsIn(pattern: RegExp, line: string): number[] {
  const parts = pattern.exec(line.trimEnd())?.slice(1) ?? [];
  return parts.flatMap((part, at) => (at % 2 === 0 ? [printedSeconds(part ?? "", parts[at + 1] ?? "")] : []));
}
